/** A bar for each of the last 24 hours, with a part for each status. */
import { facts } from '../shared/contract-facts.js';
import { hour } from '../shared/format.js';
import { toneOf } from '../shared/parts.js';
import { href } from '../shared/router.js';
import { html } from '../shared/view.js';

/** @typedef {import('../../../generated/sandbox/types.ts').Overview} Overview */

const HOUR_MS = 3_600_000;
const HOURS = 24;
const WIDTH = 480;
const HEIGHT = 120;
const GAP = 4;

/**
 * @param {{ kind: import('../shared/contract-facts.js').Kind, title: string, hours: Overview['hours'], statuses: Overview['statuses'],
 *   now: string }} props
 */
export function Chart({ kind, title, hours, statuses, now }) {
  const last = Math.floor(Date.parse(now) / HOUR_MS);
  const ofKind = hours.filter((one) => one.kind === kind);
  const bars = Array.from({ length: HOURS }, (_, index) => {
    const at = last - HOURS + 1 + index;
    return { at, parts: ofKind.filter((one) => Math.floor(Date.parse(one.at) / HOUR_MS) === at) };
  });
  const highest = Math.max(1, ...bars.map(({ parts }) => sum(parts)));
  const counts = statuses.filter((one) => one.kind === kind);
  const total = sum(counts);
  const order = facts.statuses[kind];
  return html`<section class="card" aria-labelledby=${`chart-${kind}`}>
    <div class="cardhead"><h2 id=${`chart-${kind}`}>${title}</h2><span class="quiet small number">${total.toLocaleString('en')} in 24 hours</span></div>
    <svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${`${title} of the last 24 hours, by hour: ${total}, at most ${highest} in an hour.`}>
      <line x1="0" x2=${WIDTH} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} vector-effect="non-scaling-stroke" />
      ${bars.map(({ at, parts }, index) => html`<${Bar} key=${at} index=${index} parts=${inOrder(parts, order)} highest=${highest} />`)}
    </svg>
    <div class="axis" aria-hidden="true"><span>${hour(new Date((last - HOURS + 1) * HOUR_MS).toISOString())}</span><span>${hour(now)} UTC</span></div>
    ${total === 0 && html`<p class="legend quiet">No ${kind}s in the last 24 hours.</p>`}
    <ul class="legend">${inOrder(counts, order).map(
      ({ status, count }) =>
        html`<li><a href=${href([`${kind}s`], { status })}><span class=${`dot ${toneOf(status)}`}></span>${status} <strong class="number">${count.toLocaleString('en')}</strong></a></li>`,
    )}</ul>
  </section>`;
}

/** @param {{ index: number, parts: { status: string, count: number }[], highest: number }} props */
function Bar({ index, parts, highest }) {
  const width = WIDTH / HOURS;
  let top = HEIGHT;
  return parts.map(({ status, count }) => {
    const height = Math.max(1, (count / highest) * (HEIGHT - 6));
    top -= height;
    return html`<rect class=${toneOf(status) || 'none'} x=${index * width + GAP / 2} y=${top} width=${width - GAP} height=${height}><title>${status}: ${count}</title></rect>`;
  });
}

/** @param {{ count: number }[]} parts */
function sum(parts) {
  return parts.reduce((total, { count }) => total + count, 0);
}

/** Final statuses at the bottom. @template {{ status: string }} T @param {T[]} parts @param {string[]} order */
function inOrder(parts, order) {
  return [...parts].sort((a, b) => order.indexOf(b.status) - order.indexOf(a.status));
}
