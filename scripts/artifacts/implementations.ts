/** The table of implementations, from the signed reports that `npm run implementations` writes, and the kit's own record. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeys } from '../../conformance/src/command/signing.ts';
import { readFolder } from '../../conformance/src/command/table.ts';
import { digestOf } from '../../conformance/src/document/digest.ts';
import { escapeXml } from '../../conformance/src/report/escape.ts';
import { badgesOf, buildTable, markdownTable } from '../../conformance/src/report/table.ts';
import { htmlTable } from '../../conformance/src/report/table-html.ts';
import { markdownRows, readRecord, recordSummary } from '../conformance/record.ts';
import { ROOT } from '../tools/process.ts';
import type { Artifact } from './artifact.ts';

export const IMPLEMENTATIONS_FOLDER = 'docs/conformance/implementations';
export const PUBLIC_KEY = /\.pub\.pem$/;

/** `document` is the text of openapi.json, of which each report says whether it is about it. */
export function implementationsArtifacts(document: string): Artifact[] {
  const folder = join(ROOT, IMPLEMENTATIONS_FOLDER);
  const keys = readdirSync(folder).filter((name) => PUBLIC_KEY.test(name));
  const { signed, refused } = readFolder(folder, publicKeys(keys.map((name) => join(folder, name))));
  const table = buildTable(signed, refused, digestOf(document));
  const pages = [
    { file: 'README.md', content: `${markdownTable(table, 'badges')}\n${recordInMarkdown()}` },
    { file: 'index.html', content: htmlTable(table, recordInHtml()) },
    { file: 'table.json', content: `${JSON.stringify(table, null, 2)}\n` },
    ...badgesOf(signed).map(([name, content]) => ({ file: `badges/${name}`, content })),
  ];
  return pages.map(({ file, content }) => ({ file: `${IMPLEMENTATIONS_FOLDER}/${file}`, content }));
}

const RECORD_TITLE = "The kit's own record";
const RECORD_NOTE = 'The kit runs on services with known defects, and on sound ones that differ from each other.';

/** The record of the kit that made the table, by version. */
function recordInMarkdown(): string {
  const { head, rows } = recordSummary(readRecord());
  return `## ${RECORD_TITLE}\n\n${RECORD_NOTE} [All of it](../record.md)\n\n${markdownRows(head, rows)}\n`;
}

function recordInHtml(): string {
  const { head, rows } = recordSummary(readRecord());
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join('')}</tr>`;
  return `<h2>${RECORD_TITLE}</h2>
<p>${RECORD_NOTE}</p>
<table class="lined"><thead>${line('th', head)}</thead>
<tbody>
${rows.map((row) => line('td', row)).join('\n')}
</tbody></table>`;
}
