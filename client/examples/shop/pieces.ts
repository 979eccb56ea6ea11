/** Pieces that several pages consist of: fields, choices, amounts, and what the API has against a call. */
import { type Currency, formatMoney, type Problem } from 'payments-client';
import { type Html, html } from './html.ts';

export interface Field {
  label: string;
  hint?: string;
  type?: string;
  autocomplete?: string;
}

/** Labels of items. Other items are labeled with their names. */
export const FIELDS: Readonly<Record<string, Field>> = {
  name: { label: 'Full name', autocomplete: 'name' },
  phone: { label: 'Phone number', hint: 'With country code, such as +919812345671', type: 'tel', autocomplete: 'tel' },
  email: { label: 'E-mail address', type: 'email', autocomplete: 'email' },
  account_number: { label: 'Account', hint: 'Such as asha@upi' },
  tid: { label: 'Reference of the transfer', hint: 'Your bank shows it after the transfer (UTR)' },
};

export function input(
  name: string,
  field: Field = { label: name },
  { value = '', required = true }: { value?: string | undefined; required?: boolean } = {},
): Html {
  const { label, hint, type = 'text', autocomplete = 'off' } = field;
  return html`<div class="field"><label for="${name}">${label}</label>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"${required && html` required`}${hint && html` aria-describedby="${name}-hint"`}></div>`;
}

export function radio(name: string, value: string, checked: boolean, label: Html): Html {
  return html`<label class="choice"><input type="radio" name="${name}" value="${value}"${checked && html` checked`} required> ${label}</label>`;
}

export function money(amount: number, currency: Currency): string {
  return formatMoney(amount, currency, { locale: 'en-IN' });
}

/** The problem with a call, in the API's words. */
export function problemBox(problem: Problem | undefined): Html | undefined {
  if (!problem) return undefined;
  const { title, detail, violations = [], request_id } = problem;
  return html`<div class="bad" role="alert"><h2>${title}</h2>${detail && html`<p>${detail}</p>`}
<ul>${violations.map(({ pointer, message }) => html`<li><code>${pointer}</code> ${message}</li>`)}</ul>
${request_id && html`<p class="hint">Request ${request_id}</p>`}</div>`;
}
