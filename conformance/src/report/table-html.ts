/** The table of implementations as one page, which asks no host for anything. */
import { LEVELS } from '../core/settings.ts';
import { escapeXml as html, htmlPage, verdictBadge } from './html-page.ts';
import {
  checksCell,
  contractCell,
  type Implementation,
  provenanceCell,
  refusal,
  TABLE_COLUMNS,
  TABLE_NOTE,
  TABLE_TITLE,
  type Table,
} from './table.ts';
import { outcomePhrase } from './words.ts';

export function htmlTable({ implementations, refused }: Table): string {
  const head = TABLE_COLUMNS.map((column) => `<th scope="col">${html(column)}</th>`).join('');
  return htmlPage(
    TABLE_TITLE,
    `<header>
<h1>${html(TABLE_TITLE)}</h1>
<p class="quiet">${html(TABLE_NOTE)}</p>
</header>
<main>
<div class="wide" tabindex="0" role="region" aria-label="${html(TABLE_TITLE)}"><table class="lined"><thead><tr>${head}</tr></thead>
<tbody>
${implementations.map(row).join('\n')}
</tbody></table></div>
${refused.map((one) => `<p>${html(refusal(one))}</p>`).join('\n')}
</main>`,
  );
}

function row(one: Implementation): string {
  const cells = [
    html(outcomePhrase(one)),
    ...LEVELS.map((level) => verdictBadge(one.levels[level])),
    html(checksCell(one)),
    html(contractCell(one)),
    `<span title="${html(one.keyId)}">${html(provenanceCell(one))}</span>`,
  ];
  return `<tr><th scope="row">${html(one.name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
