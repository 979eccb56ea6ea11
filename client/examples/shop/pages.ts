/** The pages. They work without scripts; everything that a customer or the API wrote is escaped by `html`. */
import { type Balance, describeDecline, type Payment, type Payout, type Problem, payerText } from 'payments-client';
import type { WebhookEvent } from 'payments-client/webhooks';
import type { Entries } from './calls.ts';
import { type Html, html } from './html.ts';
import type { Order } from './orders.ts';
import { FIELDS, type Field, input, money, problemBox, radio } from './pieces.ts';
import { transferForm } from './transfer.ts';

export const PRODUCTS = [
  { title: 'Tea from Assam, 250 g', amount: 49_900, currency: 'INR' },
  { title: 'Teapot for two', amount: 129_900, currency: 'INR' },
] as const;

const CUSTOMER_ID: Field = {
  label: 'Customer id',
  hint: 'In the sandbox it decides what happens: decline-BANK_REJECTED, decline-late-BANK_REJECTED, succeed-later …',
};

/** The products, and both ways to pay for them. */
export function shopPage(entries: Entries = {}, problem?: Problem): string {
  const chosen = entries['product'] ?? PRODUCTS[0].title;
  return page(
    'Tea shop',
    html`${problemBox(problem)}<form method="post" action="/orders">
<fieldset><legend>Product</legend>
${PRODUCTS.map(({ title, amount, currency }) => radio('product', title, title === chosen, html`${title} <b>${money(amount, currency)}</b>`))}
</fieldset>
<p class="hint">You may leave name and phone empty. A payment that needs them asks for them.</p>
${['name', 'phone'].map((name) => input(name, FIELDS[name], { value: entries[name], required: false }))}
<details${entries['customer_id'] !== undefined && problem && html` open`}><summary>Advanced</summary>
${input('customer_id', CUSTOMER_ID, { value: entries['customer_id'] ?? 'customer-1', required: false })}
</details>
<button name="flow" value="h2h">Pay with UPI here (H2H)</button>
<button name="flow" value="redirect" class="plain">Pay on the payment page (redirect)</button>
</form>`,
  );
}

interface OrderShown {
  order: Order;
  payment: Payment | undefined;
  problem: Problem | undefined;
  /** Time to pay from the payment's creation, in milliseconds, if the shop knows. */
  validityMs: number | undefined;
}

/** The state of an order, and the customer's next step. */
export function orderPage({ order, payment, problem, validityMs }: OrderShown): string {
  const { title, main, waiting = false } = orderState(order, payment, validityMs);
  return page(
    title,
    html`${problemBox(problem)}${main}
<dl><div><dt>Product</dt><dd>${order.title}</dd></div><div><dt>Price</dt><dd>${money(order.amount, order.currency)}</dd></div>
<div><dt>Order</dt><dd>${order.id}</dd></div></dl>`,
    waiting && !problem,
  );
}

interface OrderState {
  title: string;
  main: Html;
  /** True if the next state comes without the customer. */
  waiting?: boolean;
}

function orderState(order: Order, payment: Payment | undefined, validityMs: number | undefined): OrderState {
  switch (payment?.status) {
    case 'EXTRA_DATA_NEEDED': {
      const inputs = payment.clarify.map((name) => input(name, FIELDS[name]));
      return {
        title: 'A few details are missing',
        main: html`<form method="post" action="/orders/${order.id}/clarify">${inputs}<button>Continue</button></form>`,
      };
    }
    case 'PAY_CONFIRMATION_NEEDED':
      return { title: 'Transfer the money', main: transferForm({ orderId: order.id, payment, validityMs }) };
    case 'SUCCESS':
      return {
        title: 'Thank you',
        main: html`<p class="good">Paid: ${money(payment.amount_paid, payment.currency)}</p>`,
      };
    case 'FAILED':
      return {
        title: 'The payment was declined',
        main: html`${payerBox(payment.decline_reason)}<p><a class="button" href="/">Back to the shop</a></p>`,
      };
    case 'CREATED':
      if (order.redirectUrl) {
        const main = html`<p><a class="button" href="${order.redirectUrl}">Go to the payment page</a></p>`;
        return { title: 'Not paid yet', main };
      }
  }
  return {
    title: 'One moment',
    main: html`<p role="status">Your payment is being processed. This page reloads automatically.</p>`,
    waiting: true,
  };
}

/** Orders as webhooks reported them, the wallet, and the form for payouts with the result of the last one. */
export function adminPage({
  orders,
  balance,
  payout,
  entries,
  problem,
}: {
  orders: readonly Order[];
  balance: Balance | undefined;
  payout: Payout | undefined;
  problem: Problem | undefined;
  entries: Entries;
}): string {
  return page(
    'Admin',
    html`${problemBox(problem)}${payout && payoutResult(payout)}
<h2>Wallet</h2>
<dl>${balance?.balances.map(
      ({ available, pending, currency }) =>
        html`<div><dt>${currency}</dt><dd>${money(available, currency)} available, ${money(pending, currency)} pending</dd></div>`,
    )}</dl>
<h2>Pay out</h2>
<form method="post" action="/admin/payouts"><input type="hidden" name="order_id" value="${entries['order_id']}">
${input('amount', { label: 'Amount in INR', hint: 'Such as 250.00' }, { value: entries['amount'] })}
${input('account_number', { label: 'Account number' }, { value: entries['account_number'] })}
${input('bank_code', { label: 'Bank code', hint: 'IFSC, such as HDFC0000123' }, { value: entries['bank_code'] })}
<details><summary>Advanced</summary>${input('customer_id', CUSTOMER_ID, { value: entries['customer_id'] ?? 'customer-1', required: false })}</details>
<button>Pay out</button></form>
<h2>Orders</h2>
${orders.length === 0 && html`<p>There are none yet.</p>`}
<ul class="orders">${[...orders].reverse().map(orderItem)}</ul>`,
  );
}

function orderItem({ id, kind, title, amount, currency, transactionId, problem, event }: Order): Html {
  const state = event ? `${event.status}, reported by a verified webhook` : transactionId ? 'No webhook yet' : problem;
  const name = kind === 'payment' && transactionId ? html`<a href="/orders/${id}">${title}</a>` : html`<b>${title}</b>`;
  return html`<li>${name} ${money(amount, currency)}
<span class="${event?.status === 'SUCCESS' ? 'good' : 'hint'}">${state}</span>${event && event.status === 'FAILED' && declineHint(event)}
<span class="hint">${transactionId ?? id}</span></li>`;
}

function declineHint({ kind, data }: Extract<WebhookEvent, { status: 'FAILED' }>): Html {
  const { meaning, suggested_action } = describeDecline(kind, data.decline_reason);
  return html`<span class="hint">${meaning}. ${suggested_action}</span>`;
}

function payoutResult(payout: Payout): Html {
  if (payout.status === 'FAILED') return declineBox('payout', payout.decline_reason);
  const amount = money(payout.amount, payout.currency);
  return payout.status === 'SUCCESS'
    ? html`<p class="good" role="status">Paid out: ${amount}</p>`
    : html`<p role="status">The payout of ${amount} is being processed. Reload to see how it ends.</p>`;
}

/** A page with only a message. */
export function messagePage(title: string): string {
  return page(title, html`<p><a href="/">Back to the shop</a></p>`);
}

/** For payers, with a code for the support team. */
function payerBox(reason: string): Html {
  const { title, advice } = payerText(reason);
  return html`<div class="bad" role="alert"><h2>${title}</h2><p>${advice}</p></div>
<p>If money has left your account, contact us and name your order. <span class="hint">Code for our support: ${reason}</span></p>`;
}

/** For the merchant. */
function declineBox(kind: 'payment' | 'payout', reason: string): Html {
  const { meaning, likely_cause, suggested_action } = describeDecline(kind, reason);
  return html`<div class="bad" role="alert"><h2>${meaning}</h2><p>${likely_cause}</p><p>${suggested_action}</p><p class="hint">${reason}</p></div>`;
}

function page(title: string, main: Html, lookAgain = false): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="/shop.css"><link rel="icon" href="data:,">
<script type="module" src="/shop.js"></script>
${lookAgain && html`<meta http-equiv="refresh" content="2">`}</head>
<body><nav aria-label="Pages"><a href="/">Shop</a> <a href="/admin">Admin</a></nav>
<main><h1>${title}</h1>
${main}</main></body></html>`.text;
}
