/** The explanation of a decline. */
import { money } from './format.js';
import { Facts, Status } from './parts.js';
import { html } from './view.js';

/**
 * @typedef {'min' | 'max' | 'per_day' | 'per_month'} Limited
 * @typedef {{ limit: Limited, amount: number, value: number, exceeded: boolean }} LimitUse
 * @typedef {Partial<import('../../../generated/decline-reasons.ts').DeclineText>
 *   & { reason: string, by?: string, limits?: LimitUse[] }} DeclineExplanation
 */

/** @type {Record<Limited, string>} */
const NAMES = {
  min: 'Smallest amount',
  max: 'Largest amount',
  per_day: 'Customer per day',
  per_month: 'Customer per month',
};

/** @type {Record<NonNullable<DeclineExplanation['retry']>, string>} */
const RETRIES = { now: 'At once', later: 'Once the cause is gone', changed: 'With other data', never: 'No' };

/** @param {{ decline: DeclineExplanation, amount: number, currency: string }} props */
export function Decline({ decline, amount, currency }) {
  const { reason, by, meaning, likely_cause: cause, suggested_action: action, retry, acts, limits = [] } = decline;
  return html`<section class="card stack tight" aria-labelledby="decline">
    <div class="cardhead"><h2 id="decline">Why it was declined</h2><${Status} value=${reason} tone="bad" /></div>
    <${Facts} items=${[
      ['Meaning', meaning ?? "The contract doesn't have this reason. Treat it as a decline like any other."],
      ['Likely cause', cause],
      ['Next step', action],
      ['Try again', retry && RETRIES[retry]],
      ['Acts first', acts && (acts === 'nobody' ? 'Nobody' : `The ${acts}`)],
      ['Decided by', by && `The ${by}`],
    ]} />
    ${
      limits.length > 0 &&
      html`<div><h3>Limits of the method, with what is used of them now</h3>
      <${Facts} items=${limits.map((limit) => [NAMES[limit.limit], html`<${Limit} limit=${limit} amount=${amount} currency=${currency} />`])} /></div>`
    }
  </section>`;
}

/** @param {{ limit: LimitUse, amount: number, currency: string }} props */
function Limit({ limit: { limit, amount: most, value, exceeded }, amount, currency }) {
  const ofCustomer = limit === 'per_day' || limit === 'per_month';
  const used = `${money(value, currency)} used + ${money(amount, currency)} of `;
  return html`<span class="number">${ofCustomer && used}${money(most, currency)}</span> ${exceeded && html`<${Status} value=${limit === 'min' ? 'below' : 'exceeded'} tone="bad" />`}`;
}
