/** Service: appends each decision's event to the journal, folds it into the state, and schedules the next step. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as decide from './decide.js';
import { Problem } from './problem.js';
import { apply, emptyState, orderKey } from './state.js';
import { afterAttempt, attempt } from './webhooks.js';

const newPageToken = () => randomBytes(16).toString('base64url');

/** Appends events to the journal and folds them into the state. Returns the function that records an event. */
function createRecorder({ journal, merchants, state }) {
  const timers = new Map();

  /** Replaces the timer of the key. Every delay is short enough for `setTimeout`, which can wait for 24 days. */
  function schedule(key, at, action) {
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(action, Math.max(0, at - Date.now())));
  }

  function scheduleStep(transaction) {
    const step = decide.nextStep(transaction);
    clearTimeout(timers.get(transaction.id));
    if (step) schedule(transaction.id, step.at, () => record(transaction.id, step.event));
    else timers.delete(transaction.id);
  }

  function scheduleWebhook(webhook) {
    if (webhook) schedule(webhook.id, Date.parse(webhook.due_at), () => deliver(webhook));
  }

  async function deliver(webhook) {
    timers.delete(webhook.id);
    const merchant = merchants.find(({ id }) => id === webhook.snapshot.merchant);
    const status = await attempt(webhook, merchant.secrets);
    // The address can be gone since the attempt began.
    if (state.webhooks.has(webhook.id)) {
      append({ ...afterAttempt(webhook, status, Date.now(), Math.random()), webhook: webhook.id });
      scheduleWebhook(state.webhooks.get(webhook.id));
    }
  }

  function append(fact) {
    const event = { id: randomUUID(), at: new Date().toISOString(), ...fact };
    journal.append(event);
    apply(state, event);
    return event;
  }

  /** Records an event of a transaction. Returns the transaction after it. */
  function record(transactionId, decision) {
    const event = append({ ...decision, transaction: transactionId });
    const transaction = state.transactions.get(transactionId);
    scheduleStep(transaction);
    scheduleWebhook(state.webhooks.get(event.id));
    return transaction;
  }

  for (const event of journal.events) apply(state, event);
  for (const transaction of state.transactions.values()) scheduleStep(transaction);
  for (const webhook of state.webhooks.values()) scheduleWebhook(webhook);

  return record;
}

export function createService({ journal, merchants }) {
  const state = emptyState();
  const record = createRecorder({ journal, merchants, state });

  /** Returns the first state of the transaction, also to a request that is sent again. */
  function create(kind, merchant, request, decision) {
    const existing = state.creations.get(orderKey(merchant.id, kind, request.merchant_order_id));
    if (!existing) return record(`urn:uuid:${randomUUID()}`, decision());
    if (isDeepStrictEqual(existing.request, request)) return existing;
    throw new Problem('order-id-reused', 'The order ID was used with another body. Send the first request unchanged.');
  }

  function find(kind, merchant, id) {
    const transaction = state.transactions.get(id);
    if (transaction?.kind === kind && transaction.merchant === merchant.id) return transaction;
    throw new Problem('not-found', `No ${kind} has this ID. Send the ID exactly as it was returned.`);
  }

  return {
    createPayment: ({ merchant, body }) =>
      create('payment', merchant, body, () => decide.createPayment(merchant.id, body, newPageToken())),
    createPayout({ merchant, body }) {
      const { available = 0 } = state.wallets.get(merchant.id)?.balances[body.currency] ?? {};
      return create('payout', merchant, body, () => decide.createPayout(merchant.id, body, available));
    },
    clarifyPayment: ({ merchant, id, body }) => record(id, decide.clarifyPayment(find('payment', merchant, id), body)),
    confirmPayment: ({ merchant, id, body }) => record(id, decide.confirmPayment(find('payment', merchant, id), body)),
    getPayment: ({ merchant, id }) => find('payment', merchant, id),
    getPayout: ({ merchant, id }) => find('payout', merchant, id),
    findPayment({ merchant, query: { transaction_id: id, merchant_order_id: orderId } }) {
      return find('payment', merchant, id ?? state.creations.get(orderKey(merchant.id, 'payment', orderId))?.id);
    },
    getBalance: ({ merchant }) => ({ merchant, wallet: state.wallets.get(merchant.id) }),
    /** The payment of a payment page; undefined for an unknown token. */
    pagePayment: (token) => state.transactions.get(state.pages.get(token)),
    leavePage(payment, action) {
      const decision = decide.leavePage(payment, action);
      return decision ? record(payment.id, decision) : payment;
    },
    release({ merchant, id, query: { status } }) {
      const transaction = state.transactions.get(id);
      const decision = transaction?.merchant === merchant.id ? decide.release(transaction, status) : undefined;
      if (decision) record(id, decision);
    },
  };
}
