/** The report as one page, without requests to other hosts. It works without scripts; a script adds filters. */
import { escapeXml as html, htmlPage, SCRIPT, verdictBadge } from './html-page.ts';
import { type CauseGroup, COVERAGE_KINDS, type CoverageItem, type Report, type ReportedCheck } from './report.ts';
import { formatShare, nextStep, outcomeSentence, TONES, type Tone } from './words.ts';

export function htmlReport(report: Report): string {
  const { outcome, contract } = report;
  const title = outcomeSentence(report);
  const tone = TONES[outcome];
  const next = nextStep(report);
  return htmlPage(
    title,
    `<header>
<p class="eyebrow">Conformance with contract ${html(contract)}</p>
<h1><span class="mark ${tone}" aria-hidden="true">${MARKS[tone]}</span>${html(title)}</h1>
${[...report.failures, ...report.notes, ...(next ? [next] : [])].map((text) => `<p>${html(text)}</p>`).join('\n')}
<p class="quiet">${facts(report)}</p>
</header>
<main>
${levelsSection(report)}
${groupsSection(report)}
${coverageSection(report)}
${undeclaredSection(report)}
${checksSection(report)}
</main>`,
    SCRIPT,
  );
}

const MARKS: Readonly<Record<Tone, string>> = { good: '✓', partly: '✓', bad: '✗', open: '?' };

function facts(report: Report): string {
  const { startedAt, ms, requests, webhooks, driver, seed, kit, requirements } = report;
  const parts = [
    `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    `${(ms / 1_000).toFixed(1)} s`,
    `${requests} requests`,
    `${webhooks} webhooks`,
    `driver ${driver}`,
    `seed ${seed}`,
    `kit ${kit}`,
    `requirements of ${requirements}`,
  ];
  return html(parts.join(' · '));
}

function levelsSection({ levels, counts }: Report): string {
  const rows = levels.map(
    ({ level, outcome, checks }) =>
      `<tr><th scope="row">${html(level)}</th><td>${verdictBadge(outcome)}</td><td>${checks.length > 0 ? `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}` : ''}</td></tr>`,
  );
  const numbers = Object.entries(counts).map(
    ([verdict, count]) => `<div><dt>${html(verdict)}</dt><dd>${count}</dd></div>`,
  );
  return `<section aria-labelledby="levels"><h2 id="levels">Levels</h2>
<div class="columns"><table><tbody>${rows.join('\n')}</tbody></table><dl class="numbers">${numbers.join('')}</dl></div></section>`;
}

function groupsSection({ groups }: Report): string {
  if (groups.length === 0) return '';
  const items = groups.map((group, index) => groupItem(group, index === 0));
  return `<section aria-labelledby="fix"><h2 id="fix">${groups.some(({ fails }) => fails) ? 'What to fix, first things first' : 'What does not fail the run'}</h2><ol class="groups">${items.join('\n')}</ol></section>`;
}

function groupItem(group: CauseGroup, open: boolean): string {
  const { verdict, checks, finding, title, reason, remedy, fails, exemption = 'doesn’t fail the run' } = group;
  const count = checks.length > 1 ? ` <span class="quiet">· ${checks.length} checks</span>` : '';
  const note = fails || verdict === 'fault' ? '' : ` <span class="quiet">· ${exemption}</span>`;
  const rows: [string, string][] = finding
    ? [
        ['At', `<code>${html(finding.at)}</code>`],
        ['Expected', `<code>${html(finding.expected)}</code>`],
        ['Found', `<code>${html(finding.found)}</code>`],
        [
          'Clause',
          `<a href="${html(finding.clause.link)}">${html(finding.clause.rests)}</a>: ${html(finding.clause.text)}`,
        ],
      ]
    : [['Reason', html(reason ?? '')], ...(remedy ? [['Remedy', html(remedy)] as [string, string]] : [])];
  const { steps = [], curl, message } = finding?.evidence ?? {};
  return `<li><details${open ? ' open' : ''}><summary>${verdictBadge(verdict)} ${html(title)}${count}${note}</summary>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}
<dt>Checks</dt><dd>${checks.map((id) => `<code>${html(id)}</code>`).join(' ')}</dd></dl>
${curl ? `<pre tabindex="0"><code>${html([...steps, curl].join('\n'))}</code></pre>` : ''}${message ? `<pre tabindex="0"><code>${html(message)}</code></pre>` : ''}
</details></li>`;
}

function coverageSection({ coverage }: Report): string {
  const parts = COVERAGE_KINDS.filter((kind) => coverage[kind].length > 0).map((kind) => {
    const items = coverage[kind];
    const summary = `<summary><span class="kind">${kind}</span> <span class="share">${formatShare(items)}</span>${meter(items)}</summary>`;
    return `<details>${summary}<ul class="items">${items.map(coverageItem).join('')}</ul></details>`;
  });
  return `<section aria-labelledby="coverage"><h2 id="coverage">Coverage</h2>
<p class="quiet">Parts of the contract that the run covered, measured from its messages or declared by its checks.</p>${parts.join('\n')}</section>`;
}

function meter(items: readonly CoverageItem[]): string {
  const covered = items.filter(({ count }) => count > 0).length;
  return `<meter min="0" max="${items.length || 1}" value="${covered}" aria-hidden="true"></meter>`;
}

function coverageItem({ name, count, checks }: CoverageItem): string {
  const by = count === 0 ? 'not reached' : `${count} ${count === 1 ? 'check' : 'checks'}, such as ${checks[0]}`;
  return `<li class="${count === 0 ? 'missing' : ''}"><code>${html(name)}</code> <span class="quiet">${html(by)}</span></li>`;
}

function undeclaredSection({ undeclared }: Report): string {
  if (undeclared.length === 0) return '';
  const rows = undeclared.map(
    ({ operation, status, pointer, count }) =>
      `<li><code>${html(`${operation} ${status} ${pointer}`)}</code> <span class="quiet">${count} times</span></li>`,
  );
  return `<section aria-labelledby="undeclared"><h2 id="undeclared">Undeclared fields</h2>
<p class="quiet">The contract allows them.</p><ul class="items">${rows.join('')}</ul></section>`;
}

function checksSection({ checks }: Report): string {
  const families = Map.groupBy(checks, ({ id }) => id.split('/')[0] ?? id);
  const parts = [...families].map(([family, members]) => {
    const open = members.some(({ failure }) => failure !== undefined);
    const good = members.filter(({ verdict }) => verdict === 'conforming').length;
    return `<details${open ? ' open' : ''} class="family"><summary><span class="kind">${html(family)}</span> <span class="share">${good}/${members.length}</span></summary><ul class="items">${members.map(checkItem).join('\n')}</ul></details>`;
  });
  return `<section aria-labelledby="checks"><h2 id="checks">Checks</h2>
<p><label>Filter <input type="search" id="filter" placeholder="id or title" autocomplete="off"></label></p>${parts.join('\n')}</section>`;
}

function checkItem({ id, title, verdict, exemption, reason, known }: ReportedCheck): string {
  const note = [exemption, known?.reason, reason].filter((text) => text !== undefined).join(': ');
  const more = note === '' ? '' : ` <span class="quiet">${html(note.split('\n')[0] ?? '')}</span>`;
  return `<li data-text="${html(`${id} ${title} ${verdict}`.toLowerCase())}">${verdictBadge(verdict)} <code>${html(id)}</code> ${html(title)}${more}</li>`;
}
