/** The pages of a payment: the form, the wait for the confirmation, and how it ended. */
import { paymentDeclineReasons } from '../../../generated/decline-reasons.ts';
import { type Html, html } from '../http/html.ts';
import { CANCELLED, type PageView } from '../operations/act-on-page.ts';
import type { Entry, Field } from './fields.ts';
import { formatAmount } from './money.ts';
import type { Page } from './page.ts';
import { returnAddress } from './return-address.ts';
import { duration, moment } from './time.ts';

interface Ending {
  readonly look: keyof typeof ICONS;
  readonly title: string;
  readonly text: string;
  readonly facts?: readonly Fact[];
}

type Fact = readonly [term: string, value: string | Html];

/** Without a script the page looks again after this many seconds. */
const LOOK_AGAIN_S = 4;

const ICONS = {
  good: html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`,
  bad: html`<path d="M7 7l10 10M17 7L7 17"/>`,
  wait: html`<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>`,
};

/** The form, with what is wrong in it once it was sent. */
export function formPage(shown: PageView, fields: readonly Field[], entry?: Entry): Page {
  const { payment, merchant } = shown;
  const amount = formatAmount(payment.amount, payment.currency);
  const errors = entry?.errors ?? {};
  const wrong = fields.filter(({ name }) => errors[name] !== undefined);
  const title = `Pay ${amount} to ${merchant}`;
  return {
    title: wrong.length > 0 ? `Error: ${title}` : title,
    merchant,
    footer: reference(shown),
    main: html`<main>
${wrong.length > 0 && errorSummary(wrong, errors)}
<h1>Pay ${merchant}</h1>
<p class="amount">${amount}</p>
${factList(shown, [['Time left', timeLeft(shown)]])}
<form method="post" novalidate>
${fields.map((field) => fieldInput(field, entry))}
<button name="action" value="pay">Pay ${amount}</button>
<button name="action" value="cancel" class="plain">Cancel and return to ${merchant}</button>
</form>
</main>`,
  };
}

/**
 * The payment after the customer has acted, or without a chance to. `returning` is true right after the customer
 * acted: then the page redirects to the shop, unless there is something to read.
 */
export function statePage(shown: PageView, returning: boolean): Page {
  const { payment, merchant } = shown;
  const { look, title, text, facts = [] } = endingOf(shown);
  const address = returnAddress(payment);
  const goOn = returning && address !== undefined && (look === 'good' || payment.declineReason === CANCELLED);
  return {
    title: `${title} – ${merchant}`,
    merchant,
    footer: reference(shown),
    ...(look === 'wait' && { next: { lookAgainAfter: LOOK_AGAIN_S } }),
    ...(goOn && { next: { goTo: address } }),
    main: html`<main class="result"${look === 'wait' && html` data-waiting="${payment.status}"`}>
<div class="state ${look}" aria-hidden="true"><svg viewBox="0 0 24 24">${ICONS[look]}</svg></div>
<h1>${title}</h1>
<p>${text}</p>
${factList(shown, [['Amount', formatAmount(payment.amountPaid ?? payment.amount, payment.currency)], ...facts])}
${
  address === undefined
    ? html`<p>You can close this page.</p>`
    : html`<a class="button${look === 'wait' && ' plain'}" href="${address}">Return to ${merchant}</a>`
}
</main>`,
  };
}

function endingOf({ payment, merchant, now }: PageView): Ending {
  const { status, declineReason, cancelReason, expiresAt } = payment;
  if (status === 'SUCCESS') {
    return { look: 'good', title: 'Payment complete', text: `Your payment to ${merchant} went through.` };
  }
  if (status === 'VERIFYING') {
    const text = `This can take a moment. You may stay here or return to ${merchant}, which will be notified of the result.`;
    return { look: 'wait', title: 'We are confirming your payment', text };
  }
  if (status !== 'FAILED' && (cancelReason !== undefined || now >= expiresAt)) {
    const title = cancelReason === undefined ? 'This payment has expired' : 'We are cancelling your payment';
    const text = `We are making sure that nothing is charged. You may stay here or return to ${merchant}, which will be notified of the result.`;
    return { look: 'wait', title, text };
  }
  if (status !== 'FAILED') {
    return { look: 'wait', title: 'This payment is under way', text: `${merchant} tells you what comes next.` };
  }
  if (declineReason === CANCELLED) {
    return { look: 'bad', title: 'Payment cancelled', text: 'You cancelled this payment. Nothing was charged.' };
  }
  if (declineReason === 'TIMEOUT_EXPIRED') {
    const text = `The time to pay is over. Return to ${merchant} to start a new payment.`;
    return { look: 'bad', title: 'This payment has expired', text };
  }
  const text = `The payment was declined. Return to ${merchant} to choose how to continue.`;
  return { look: 'bad', title: 'Payment not completed', text, facts: reasonFacts(declineReason) };
}

/** The meaning of the decline reason in the contract's table. Codes outside the table mean nothing to a customer. */
function reasonFacts(reason: string | undefined): Fact[] {
  const known = Object.entries(paymentDeclineReasons).find(([code]) => code === reason)?.[1];
  return known ? [['Reason', known.meaning]] : [];
}

function factList({ payment, method }: PageView, more: readonly Fact[]): Html {
  const facts: Fact[] = [['Method', method], ['Order', payment.orderId], ...more];
  return html`<dl class="facts">
${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function timeLeft({ payment: { expiresAt }, now }: PageView): Html {
  const left = expiresAt - now;
  const iso = new Date(expiresAt).toISOString();
  return html`<time datetime="${iso}" data-left="${Math.ceil(left / 1_000)}">${duration(left)} (until ${moment(expiresAt, now)})</time>`;
}

function errorSummary(wrong: readonly Field[], errors: Entry['errors']): Html {
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
<h2 id="summary-title">${wrong.length === 1 ? 'Check this entry' : 'Check these entries'}</h2>
<ul>
${wrong.map(({ name }) => html`<li><a href="#${name}">${errors[name]}</a></li>`)}
</ul>
</div>`;
}

function fieldInput({ name, label, hint, type, autocomplete }: Field, entry: Entry | undefined): Html {
  const error = entry?.errors[name];
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error && html`<span class="error" id="${name}-error"><span class="unseen">Error: </span>${error}</span>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${entry?.texts[name] ?? ''}" maxlength="255" required${
    type === 'text' && autocomplete === 'off' && html` autocapitalize="none" spellcheck="false"`
  }${described !== '' && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}>
</div>
`;
}

function reference({ payment, sandbox }: PageView): string {
  return `${sandbox ? 'Sandbox: no money moves. ' : ''}Payment reference ${payment.id}`;
}
