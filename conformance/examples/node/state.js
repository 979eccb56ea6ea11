/**
 * State: a fold over the events of the journal. An event of a transaction is `{ id, at, type, transaction, changes }`,
 * and an event of a webhook `{ id, at, type, webhook, due_at }`. Transactions are never changed in place, so that a
 * reference to one is a snapshot.
 */
const NOTIFIED = ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'SUCCESS', 'FAILED'];

export const isFinal = (status) => status === 'SUCCESS' || status === 'FAILED';

export const emptyState = () => ({
  /** By ID, as they are now. */
  transactions: new Map(),
  /** By merchant, kind and order ID, as they were created: the response to a repeated creation. */
  creations: new Map(),
  /** IDs of payments, by the token of their payment page. */
  pages: new Map(),
  /** By merchant. */
  wallets: new Map(),
  /** Pending webhooks by ID. */
  webhooks: new Map(),
  /** Callback addresses that replied 410. */
  goneAddresses: new Set(),
});

export const orderKey = (merchant, kind, orderId) => JSON.stringify([merchant, kind, orderId]);

export function apply(state, event) {
  if (event.webhook) applyToWebhooks(state, event);
  else applyToTransactions(state, event);
}

function applyToTransactions(state, { id, at, transaction: transactionId, changes }) {
  const before = state.transactions.get(transactionId);
  const after = {
    ...before,
    id: transactionId,
    created_at: before?.created_at ?? at,
    updated_at: at,
    ...changes,
    ...(isFinal(changes.status) && { finalized_at: at }),
  };
  state.transactions.set(transactionId, after);
  if (!before) {
    state.creations.set(orderKey(after.merchant, after.kind, after.request.merchant_order_id), after);
    if (after.page) state.pages.set(after.page, transactionId);
  }
  post(state.wallets, after, postings(before, after), at);
  const url = after.request.callback_url;
  if (NOTIFIED.includes(changes.status) && !state.goneAddresses.has(url)) {
    state.webhooks.set(id, { id, snapshot: after, url, attempts: 0, isDelivered: false, due_at: at });
  }
}

/** The amounts that an event adds to a wallet. Money held for a pending payout is in neither figure. */
function postings(before, after) {
  const { kind, status, amount_paid: paid, request } = after;
  if (kind === 'payment') {
    if (after.settled && !before.settled) return { pending: -paid, available: paid };
    if (status === 'SUCCESS' && before?.status !== 'SUCCESS') return { pending: paid, available: 0 };
    return undefined;
  }
  if (!before && status === 'PROCESSING') return { pending: 0, available: -request.amount };
  if (before?.status === 'PROCESSING' && status === 'FAILED') return { pending: 0, available: request.amount };
  return undefined;
}

function post(wallets, { merchant, request: { currency } }, amounts, at) {
  if (!amounts) return;
  const wallet = wallets.get(merchant) ?? { balances: {} };
  const { available = 0, pending = 0 } = wallet.balances[currency] ?? {};
  const balance = { available: available + amounts.available, pending: pending + amounts.pending };
  wallets.set(merchant, { balances: { ...wallet.balances, [currency]: balance }, updated_at: at });
}

/** An attempt with `due_at` is followed by another one. */
function applyToWebhooks({ webhooks, goneAddresses }, { type, webhook: id, due_at }) {
  const webhook = webhooks.get(id);
  if (type === 'webhook.gone') {
    goneAddresses.add(webhook.url);
    for (const other of webhooks.values()) if (other.url === webhook.url) webhooks.delete(other.id);
  } else if (due_at) {
    const isDelivered = type === 'webhook.delivered';
    webhooks.set(id, { ...webhook, attempts: webhook.attempts + 1, isDelivered, due_at });
  } else {
    webhooks.delete(id);
  }
}
