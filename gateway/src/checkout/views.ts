/** The pages of a payment: the form, the wait for the confirmation, and the outcome. */

import { renderSVG } from 'uqr';
import { toDecimal } from '../../../contract/src/amounts.ts';
import { payerText } from '../../../contract/src/customer-texts.ts';
import { minorUnits as decimalsOf, minorUnits } from '../../../generated/currencies.ts';
import type { Currency } from '../../../generated/types.ts';
import { CANCELLED } from '../domain/payment.ts';
import type { Payment } from '../domain/transaction.ts';
import { type Html, html, trustedHtml } from '../http/html.ts';
import type { PageView } from './act-on-page.ts';
import { type Field, type FormInput, isAccount } from './fields.ts';
import { interpolate, type Language, selectLocale } from './language.ts';
import type { Page } from './page.ts';
import type { EndingName } from './texts/text.ts';

interface Ending {
  readonly icon: keyof typeof ICONS;
  readonly title: string;
  readonly texts: readonly string[];
}

type Fact = readonly [term: string, value: string | Html];

/** Reload interval without a script, in seconds. */
const RELOAD_S = 4;

const ICONS = {
  good: html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`,
  bad: html`<path d="M7 7l10 10M17 7L7 17"/>`,
  wait: html`<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>`,
};

const ICON_NAMES: Readonly<Record<EndingName, Ending['icon']>> = {
  success: 'good',
  verifying: 'wait',
  expiring: 'wait',
  cancelling: 'wait',
  under_way: 'wait',
  cancelled: 'bad',
  expired: 'bad',
};

/** The form, with its errors after a submission. */
export function formPage(shown: PageView, language: Language, fields: readonly Field[], entry?: FormInput): Page {
  const { merchant } = shown;
  const { texts } = language;
  const amount = showAmount(shown, language);
  const say = (text: string) => interpolate(language, text, { amount, merchant });
  const errors = entry?.errors ?? {};
  const wrong = fields.filter(({ name }) => errors[name] !== undefined);
  const title = say(texts.title);
  const link = upiLink(shown);
  const input = (field: Field) => fieldInput(language, field, entry);
  const others = fields.filter((field) => !isAccount(field));
  const app = link === undefined ? [] : [payInApp(say, language, link)];
  const inputs = [...others.map(input), ...app, ...fields.filter(isAccount).map(input)];
  return {
    title: wrong.length > 0 ? `${texts.error}: ${title}` : title,
    language,
    merchant,
    footer: reference(shown, language),
    main: html`<main data-state="${pageState(shown)}">
${wrong.length > 0 && errorSummary(language, wrong, errors)}
<h1>${say(texts.heading)}</h1>
<p class="amount">${amount}</p>
${factList(shown, language, [[texts.timeLeft, timeLeft(shown, language)]])}
<form method="post" novalidate>
${inputs}
<button name="action" value="pay">${say(texts.pay)}</button>
<button name="action" value="cancel" class="plain">${say(texts.cancel)}</button>
</form>
</main>`,
  };
}

/** A link for UPI apps on this phone, and a QR code for another phone. The style sheet selects the order. */
function payInApp(say: (text: string) => string, { texts }: Language, link: string): Html {
  // The browser presses the first button on Enter.
  return html`<button name="action" value="pay" class="unseen" tabindex="-1" aria-hidden="true"></button>
<section class="app" aria-labelledby="app"><h2 id="app">${texts.inApp}</h2>
<a class="button phone-only" href="${link}">${texts.openApp}</a>
${qrCode(link, say(texts.qrCode))}
<button name="action" value="paid" class="plain">${texts.paidInApp}</button></section>
<h2>${texts.fromAccount}</h2>`;
}

/** Changes whenever the page would icon different. The page's script polls for it in the header `x-page-state`. */
export function pageState({ open, payment }: PageView): string {
  return open ? 'open' : payment.status;
}

/**
 * The payment after the customer has acted, or without a chance to. `returning` is true right after the customer
 * acted: then the page redirects to the shop, unless there is something to read.
 */
export function statePage(shown: PageView, language: Language, returning: boolean): Page {
  const { payment, merchant } = shown;
  const { texts } = language;
  const { icon, title, texts: paragraphs } = describeEnding(shown, language);
  const address = returnAddress(payment);
  const goOn = returning && address !== undefined && (icon === 'good' || payment.declineReason === CANCELLED);
  return {
    title: `${title} – ${merchant}`,
    language,
    merchant,
    footer: reference(shown, language),
    ...(icon === 'wait' && { next: { reloadAfter: RELOAD_S } }),
    ...(goOn && { next: { goTo: address } }),
    main: html`<main class="result"${icon === 'wait' && html` data-state="${pageState(shown)}"`}>
<div class="state ${icon}" aria-hidden="true"><svg viewBox="0 0 24 24">${ICONS[icon]}</svg></div>
<h1>${title}</h1>
${paragraphs.map((text) => html`<p>${text}</p>\n`)}
${factList(shown, language, [[texts.amount, showAmount(shown, language)]])}
${
  address === undefined
    ? html`<p>${texts.closePage}</p>`
    : html`<a class="button${icon === 'wait' && ' plain'}" href="${address}">${interpolate(language, texts.backTo, { merchant })}</a>`
}
</main>`,
  };
}

function describeEnding(shown: PageView, language: Language): Ending {
  const { merchant, payment } = shown;
  const name = endingName(shown);
  if (name !== undefined) {
    const { title, text } = language.texts.endings[name];
    return { icon: ICON_NAMES[name], title, texts: [interpolate(language, text, { merchant })] };
  }
  const { title, advice } = payerText(payment.declineReason ?? '', language.code);
  return { icon: 'bad', title: language.texts.declined, texts: [title, advice] };
}

/** Undefined for a payment with another decline reason. */
function endingName({ payment, now }: PageView): EndingName | undefined {
  const { status, declineReason, cancelReason, expiresAt } = payment;
  if (status === 'SUCCESS') return 'success';
  if (status === 'VERIFYING') return 'verifying';
  if (status === 'FAILED' && declineReason === CANCELLED) return 'cancelled';
  if (status === 'FAILED') return declineReason === 'TIMEOUT_EXPIRED' ? 'expired' : undefined;
  if (cancelReason !== undefined) return 'cancelling';
  return now >= expiresAt ? 'expiring' : 'under_way';
}

function showAmount({ payment: { amount, amountPaid, currency } }: PageView, language: Language): string {
  return formatAmount(amountPaid ?? amount, currency, selectLocale(language, currency));
}

function factList({ payment, method }: PageView, { texts }: Language, more: readonly Fact[]): Html {
  const title = texts.methods[payment.method] ?? method;
  const facts: Fact[] = [[texts.method, title], [texts.order, payment.orderId], ...more];
  return html`<dl class="facts">
${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function timeLeft({ payment: { expiresAt, currency }, now }: PageView, language: Language): Html {
  const { until } = language.texts;
  const left = expiresAt - now;
  const iso = new Date(expiresAt).toISOString();
  const locale = selectLocale(language, currency);
  const values = { left: formatDuration(left, locale), time: formatTime(expiresAt, now, locale) };
  return html`<time datetime="${iso}" data-locale="${locale}" data-until="${until}" data-left="${Math.ceil(left / 1_000)}">${interpolate(language, until, values)}</time>`;
}

function errorSummary({ texts }: Language, wrong: readonly Field[], errors: FormInput['errors']): Html {
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
<h2 id="summary-title">${wrong.length === 1 ? texts.checkEntry : texts.checkEntries}</h2>
<ul>
${wrong.map(({ name }) => html`<li><a href="#${name}">${errors[name]}</a></li>`)}
</ul>
</div>`;
}

function fieldInput(
  { texts, direction: ownDirection }: Language,
  { name, label, hint, type, autocomplete }: Field,
  entry: FormInput | undefined,
): Html {
  const error = entry?.errors[name];
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error && html`<span class="error" id="${name}-error"><span class="unseen">${texts.error}: </span>${error}</span>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${entry?.texts[name] ?? ''}" maxlength="255" required${
    type === 'text' && autocomplete === 'off' && html` autocapitalize="none" spellcheck="false"`
  }${described !== '' && html` aria-describedby="${described}"`}${ownDirection === 'rtl' && html` dir="${name === 'name' ? 'auto' : 'ltr'}"`}${error && html` aria-invalid="true"`}>
</div>
`;
}

function reference({ payment, sandbox }: PageView, language: Language): string {
  const { texts } = language;
  return `${sandbox ? `${texts.sandbox} ` : ''}${interpolate(language, texts.reference, { id: payment.id })}`;
}

/** An amount of minor units in a locale's format, such as `₹4,99,000.00`. */
export function formatAmount(
  minorUnits: number,
  currency: Currency,
  locale: Intl.UnicodeBCP47LocaleIdentifier,
): string {
  const decimals = decimalsOf[currency];
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(toDecimal(minorUnits, decimals));
}

/** Formats times for browsers without scripts. With scripts, the page counts down and uses local time. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A duration in words, rounded up, such as `15 minutes`. */
export function formatDuration(ms: number, locale: Intl.UnicodeBCP47LocaleIdentifier): string {
  const [count, unit] = ms <= 90 * MINUTE ? [Math.ceil(ms / MINUTE), 'minute'] : [Math.ceil(ms / HOUR), 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A time of day in UTC, with the date if far away. */
export function formatTime(time: number, now: number, locale: Intl.UnicodeBCP47LocaleIdentifier): string {
  const date = time - now > 12 * HOUR ? ({ day: 'numeric', month: 'long' } as const) : {};
  return new Intl.DateTimeFormat(locale, {
    ...date,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
}

/**
 * Returns the payment's return_url with its identifiers and status, which replace parameters of the same names. The rest
 * of the query stays byte for byte. The status is a hint for the shop's page only: anyone can forge it, so the shop
 * requests getPayment. Returns undefined without a usable URL.
 */
export function returnAddress({ returnUrl, id, orderId, status }: Payment): string | undefined {
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return undefined;
  const url = new URL(returnUrl);
  // The contract rejects other protocols. A `javascript:` URL here would run on the payment page.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const added = new URLSearchParams({ transaction_id: id, merchant_order_id: orderId, status });
  const isKept = (parameter: string) => ![...new URLSearchParams(parameter).keys()].some((name) => added.has(name));
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && isKept(parameter));
  url.search = [...kept, String(added)].join('&');
  return url.href;
}

const UPI_ADDRESS = /^[\w.-]+@\w+([.-]\w+)*$/;

/** Link for UPI apps, by NPCI's specification; undefined unless the payment goes to a UPI address. */
function upiLink({ payment, merchant, receiver = '' }: PageView): string | undefined {
  const { amount, currency, id } = payment;
  if (currency !== 'INR' || !UPI_ADDRESS.test(receiver)) return undefined;
  const values = { pa: receiver, pn: merchant, tr: id, am: toDecimal(amount, minorUnits[currency]), cu: currency };
  // URLSearchParams writes plus signs, which UPI apps show, and encodes the address, which not all apps decode.
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&').replaceAll('%40', '@')}`;
}

/** The link as a QR code, dark on light even in dark mode, as cameras expect. */
function qrCode(link: string, label: string): Html {
  // An image has one accessible name for all of its contents.
  const svg = renderSVG(link, { ecc: 'M', border: 4, pixelSize: 1 }).replace('<svg', '<svg aria-hidden="true"');
  return html`<div class="qr" role="img" aria-label="${label}">${trustedHtml(svg)}</div>`;
}
