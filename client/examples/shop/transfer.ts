/** The step of the H2H flow in which the payer transfers the money: by QR code, in a UPI app, or by hand. */
import { formatMoney, type PaymentConfirmationNeeded } from 'payments-client';
import { renderSVG } from 'uqr';
import { Html, html } from './html.ts';
import { FIELDS, input, money } from './pieces.ts';

interface Transfer {
  orderId: string;
  payment: PaymentConfirmationNeeded;
  /** Time to pay from the payment's creation, in milliseconds, if the shop knows. */
  validityMs: number | undefined;
}

/** Name of the receiver in UPI apps. */
const PAYEE = 'Tea shop';

/** The ways to transfer, the remaining time, and the form for the requested data. */
export function transferForm({ orderId, payment, validityMs }: Transfer): Html {
  const { confirm } = payment;
  const asksAmount = confirm.includes('amount');
  const items = confirm.filter((name) => name !== 'amount');
  return html`${validityMs && countdown(Date.parse(payment.created_at) + validityMs - Date.now())}
<form method="post" action="/orders/${orderId}/confirm">
${waysToPay(payment, asksAmount)}
<h2>Then tell us</h2>
${items.map((name) => input(name, FIELDS[name]))}
<button>I have paid</button></form>`;
}

/** One way for each amount. Only the way for the chosen amount is shown, which takes no script. */
function waysToPay(payment: PaymentConfirmationNeeded, asksAmount: boolean): Html {
  const { pay_data, amount, currency } = payment;
  const { available_amounts: amounts = [amount], receiver_account = '' } = pay_data;
  // If the API does not ask which amount was paid, it expects the requested one.
  const offered = asksAmount ? amounts : [amount];
  return html`<fieldset><legend>Amount</legend>
${offered.map((one, index) => {
  const way = isUpi(payment) && payByUpi(upiLink(payment, one), money(one, currency));
  const choice = html`<input type="radio" id="amount-${index}"${asksAmount && html` name="amount" value="${one}"`}${index === 0 && html` checked`}>`;
  return html`<div class="way">${choice}<label for="amount-${index}">${money(one, currency)}</label>${way}</div>`;
})}
</fieldset>
<p class="account">Pay to <b id="account">${receiver_account}</b>
<button type="button" class="plain" data-copy="account" hidden>Copy</button> <span role="status"></span></p>`;
}

function payByUpi(link: string, amount: string): Html {
  // An element with the role of an image has one name for everything in it.
  const svg = renderSVG(link, { ecc: 'M', border: 4 }).replace('<svg', '<svg aria-hidden="true"');
  return html`<figure><a class="button" href="${link}">Pay ${amount} in a UPI app</a>
<figcaption>or scan this with a UPI app on your phone</figcaption>
<div class="qr" role="img" aria-label="QR code to pay ${amount}">${new Html(svg)}</div></figure>`;
}

function isUpi({ currency, pay_data }: PaymentConfirmationNeeded): boolean {
  return currency === 'INR' && /^[\w.-]+@\w+([.-]\w+)*$/.test(pay_data.receiver_account ?? '');
}

/** A link that UPI apps open, by NPCI's specification: receiver, its name, reference, amount and currency. */
export function upiLink({ pay_data, transaction_id, currency }: PaymentConfirmationNeeded, amount: number): string {
  const decimal = formatMoney(amount, currency, { locale: 'en', style: 'decimal', useGrouping: false });
  const values = { pa: pay_data.receiver_account ?? '', pn: PAYEE, tid: transaction_id, am: decimal, cu: currency };
  // Not by URLSearchParams: UPI apps show its plus signs, and not all of them decode the address.
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&').replaceAll('%40', '@')}`;
}

/** Minutes in words; the script counts the seconds. */
function countdown(leftMs: number): Html {
  if (leftMs <= 0)
    return html`<p class="bad" role="status">The time to pay is over. If you have paid, tell us now.</p>`;
  const minutes = Math.ceil(leftMs / 60_000);
  const words = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return html`<p role="timer" data-seconds="${Math.ceil(leftMs / 1_000)}">Time left to pay: <b>${words}</b></p>`;
}
