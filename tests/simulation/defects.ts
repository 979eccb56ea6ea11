/**
 * Defects that the simulation must find: realistic mistakes in the gateway's code. Each replaces source text while a
 * worker loads it.
 */
interface Edit {
  /** In `gateway/src/`. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export interface Defect {
  readonly id: string;
  readonly summary: string;
  readonly edits: readonly Edit[];
}

/** `#` begins a defect, `@` changes the file of the following edits, and each edit replaces `-` lines by `+` lines. */
function readDefects(text: string): Defect[] {
  let file = '';
  return text
    .split(/^# /m)
    .slice(1)
    .map((defect) => {
      const [, id = '', summary = '', rest = ''] = /^([\w-]+): ([^\n]*)\n(.*)/s.exec(defect) ?? [];
      const edits = [...rest.matchAll(/(?:^@ (.*)\n)?((?:^- .*\n)+)((?:^\+ .*\n)*)/gm)].map(([, to, find, replace]) => {
        file = to ?? file;
        return { file, find: unmark(find), replace: unmark(replace) };
      });
      return { id, summary, edits };
    });
}

function unmark(lines = ''): string {
  return lines.replaceAll(/^[-+] /gm, '').trimEnd();
}

export const DEFECTS = readDefects(`
# event-outside-unit: The webhook is written in a separate unit, after the change
@ transactions/commit-step.ts
- import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';
+ import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';
+ import { appendEvent } from '../webhooks/outbox.ts';
- writeStep(db, decided,
+ writeStep(db, decided.transaction.version > 1 ? { ...decided, notify: false } : decided,
- return store.unit(work, { together });
+ return store.unit(work, { together }).then(async (result) => {
+   const { transaction } = step;
+   const now = timeOfChange(transaction, reading.now);
+   const id = ids.newId('evt', now, transaction.id, transaction.version);
+   const event = { id, transaction, body: webhookBody(step)!, now, toStoreTime: reading.toStoreTime };
+   if (transaction.version > 1 && !(result instanceof Rejection) && step.notify)
+     await store.unit((db) => appendEvent(db, event));
+   return result;
+ });
# entries-outside-unit: The ledger is written in a separate unit, after the change
- import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';
+ import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';
+ import { postEntry } from '../ledger/wallets.ts';
- writeStep(db, decided,
+ writeStep(db, decided.transaction.version > 1 ? { ...decided, entries: [] } : decided,
- return store.unit(work, { together });
+ return store.unit(work, { together }).then(async (result) => {
+   const { id, version, currency } = step.transaction;
+   const posting = { merchantId, currency, transactionId: id, now: timeOfChange(step.transaction, reading.now) };
+   if (version > 1 && !(result instanceof Rejection)) await store.unit(async (db) => {
+     for (const [index, entry] of step.entries.entries())
+       await postEntry(db, entry, { id: ids.newId('led', posting.now, id, version, index), ...posting });
+   });
+   return result;
+ });
# no-version-check: A stale write replaces a newer one
@ transactions/rows.ts
- and transactions.version =
+ and 0 <=
# late-effects: A change that loses a race leaves its ledger entries and its webhook
@ transactions/write-step.ts
- if (!updated.value) return conflict();
# acknowledged-before-commit: A creation is acknowledged before it is committed
@ payments/payments.ts
- const created = await commitStep(services, opened, { withCall });
+ commitStep(services, opened, { withCall }).catch(() => undefined);
+      const created = { transaction: opened.transaction };
# failed-commit-acknowledged: Units of a failed commit are acknowledged
@ database/sqlite/store-on-connections.ts
- for (const unit of units) unit.reject(unavailable);
+ for (const unit of units) unit.resolve(unavailable && undefined);
# repeat-posts-twice: A repeated creation reserves the amount again
@ transactions/write-step.ts
- if (!inserted) return conflict();
+ void inserted;
# repeat-shows-present: A repeated creation gets the current status instead of the first response
@ payments/payments.ts
- created?.transaction ?? (await createdBefore(store, opened.transaction, body));
+ created?.transaction ?? (await createdBefore(store, opened.transaction, body));
+     if (!created) return viewCreation({ ...payment, openedAs: payment.status }, checkoutUrl);
# repeat-not-compared: A creation with another body and the same order id gets the first response
@ transactions/orders.ts
- if (differences.length > 0) throw
+ if (differences.length > 0 && existing.id === "") throw
# lease-ignored: A worker claims transactions claimed by another
@ transactions/rows.ts
- next_attempt_at >= ? and next_attempt_at <= ?
+ next_attempt_at >= ? and next_attempt_at <= ? + 8000
- where id in (select id from due) and \${withoutIndex('next_attempt_at')} <= ?
+ where id in (select id from due) and \${withoutIndex('next_attempt_at')} <= ? + 8000
# delivery-lease-ignored: A process claims webhooks claimed by another
@ webhooks/outbox.ts
- const IS_DUE = \`\${withoutIndex('next_at')} <= ?\`;
+ const IS_DUE = \`\${withoutIndex('next_at')} <= ? + 5000\`;
# usage-not-returned: A failed payment keeps its share of the limits
@ domain/payment.ts
- if (status === 'FAILED') return settleUsage(step, 0);
+ if (status === 'FAILED') return step;
# limits-not-enforced: A reservation may exceed the limits
@ transactions/customer-usage.ts
- where customer_usage.amount <=
+ where 1 = 1 or customer_usage.amount <=
# smallest-reserved: The smallest of the offered amounts is reserved
@ domain/payment.ts
- return reserveUsage(methods, offer(amounts), largest,
+ return reserveUsage(methods, offer(amounts), Math.min(...amounts),
# never-released: A declined payout keeps its reservation
@ domain/payout.ts
- const entries = payout.fundsHold === 'held' ? [ending] : [];
+ const entries = event.type === 'succeeded' ? [ending] : [];
# funds-read-before-unit: The available balance is read before the unit that reserves it
@ payouts/payouts.ts
- const created = await commitStep(services, held, {
+ const fundsHold = await checkFunds(services.store.read, wallet, order.amount);
+   const created = await commitStep(services, held, {
- async decide(db, step) {
-       const fundsHold = await checkFunds(db, wallet, order.amount);
+ async decide(_db, step) {
# settled-twice: A credit becomes available again each time a wallet is settled
@ ledger/wallets.ts
- e.available_at > 
+ 0 < 
# settled-early: Collected money is available without the delay
@ domain/payment.ts
- finalizedAt + (findMethod(methods, 'payment', method)?.settlementMs ?? 0)
+ finalizedAt
# unknown-outcome-guessed: A first call whose outcome is unknown counts as refused
@ transactions/next-step.ts
- return first && isUnavailable
-       ? { ...decide(methods, failed, { type: 'declined', reason: error.reason },
+ return first
+       ? { ...decide(methods, failed, { type: 'declined', reason: 'CHANNEL_DOWN' },
# repeat-counts-as-first: A call repeated after a crash counts as the first
@ transactions/advance.ts
- await decideNextStep(transaction, timed)
+ await decideNextStep(transaction, timed, true)
# expired-without-cancel: An expired payment is declined without asking its channel to cancel it
@ transactions/next-step.ts
- if (payment.usageAmount === undefined)
-     return decline(payment, services, reason, services.time.at(payment.merchantId).now);
+ return decline(payment, services, reason, services.time.at(payment.merchantId).now);
# found-paid-ignored: A payment that its channel finds paid is declined
- event.type === 'cancelled'
-         ? decline(called, services, reason, now)
+ event.type
+         ? decline(called, services, reason, now)
# call-without-lease: A recorded call has no due time, so it is never repeated after a crash
@ domain/schedule.ts
- attempts: 0, dueAt: next.at
+ attempts: 0, dueAt: undefined
@ transactions/commit-step.ts
- next.type === 'call' ? CALL_LEASE_MS :
@ transactions/advance.ts
- commitResult(services, step, callUntil)
+ commitResult(services, step, undefined)
# notification-lost: A notification is acknowledged although its change lost a race
@ transactions/channel-notifications.ts
- return commitStep<Transaction>(services, askNow(transaction, time.at(transaction.merchantId).now));
+ await commitStep<Transaction>(services, askNow(transaction, time.at(transaction.merchantId).now)); return { transaction };
# late-result-dropped: A notification about a final transaction is acknowledged, and the channel is not asked
- await checkFinal(services, transaction);
# exception-repeated: Each repetition of a contradicting result is another exception
@ domain/exceptions.ts
- !== describeContradiction(transaction).claimed
+ !== decidedAmount(transaction)
# expired-still-open: A payment can be confirmed after its session has ended
@ domain/payment.ts
- return cancelReason === undefined && clarifying === undefined && now < expiresAt;
+ return clarifying === undefined;
# error-counts-as-delivered: A response of 500 counts as a delivery
@ webhooks/retries.ts
- result.status >= 200 && result.status < 300
+ result.status >= 200 && result.status < 600
# stop-takes-neighbors: A URL that returns 410 stops the other URLs of its address
@ webhooks/stopped-urls.ts
- update events set next_at = null, claim = null, last_result = ?
-      where address = ? and next_at is not null and merchant_id = ? and url = ?
+ update events set next_at = null, claim = null, last_result = ?
+      where address = ? and next_at is not null and merchant_id = ? and url <> ?
# delivery-undone: A process that lost its claim undoes the delivery of another
@ webhooks/outbox.ts
- and events.claim = $
+ and 0 < $
# page-takes-no-lease: The payment page calls a channel during a worker's call, whose refusal declines the payment
@ checkout/act-on-page.ts
- if (!isCalling(payment)) return advanceTransaction(services, payment);
+ if (payment.id) return advanceTransaction(services, payment);
# dispatched-before-commit: A webhook is dispatched before the commit
@ transactions/commit-step.ts
- toStoreTime, now, claimedUntil });
+ toStoreTime, now, claimedUntil }).then((result) => {
+           if (!(result instanceof Rejection) && result.event) capacity.delivery?.start(result.event);
+           return result;
+         });
- if (event && capacity.delivery) capacity.delivery.start(event);
+ if (event && capacity.delivery) ;
# dispatched-without-lease: A dispatched transaction is written without its lease
@ transactions/write-step.ts
- insertTransaction(db, transaction, attemptAt)
+ insertTransaction(db, transaction)
# webhook-dispatched-without-lease: A dispatched webhook is written without its lease
@ webhooks/outbox.ts
- leaseUntil ?? dueAt ?? toStoreTime(now)
+ dueAt ?? toStoreTime(now)
# capacity-lost-on-rejection: A rejected step keeps its capacity of the worker
@ transactions/commit-step.ts
- if (!written || written instanceof Rejection)
+ if (!written)
# capacity-lost-on-failure: A failed step keeps its capacity of the worker
- if (!written || written instanceof Rejection)
+ if (written instanceof Rejection)
# stop-overlooked: A webhook is sent to a URL that was stopped while it was written
@ webhooks/leases.ts
- !known.has(stop) && hasSameUrl(stop, delivery)
+ !known.has(stop) && known.has(stop)
# clock-before-unit: A step converts times by the clock that its merchant had when it began to wait for the commit
@ transactions/commit-step.ts
- const convert = conversionOf(merchantId);
+ const convert = reading.toStoreTime;
# clock-not-held: A clock moves while a unit of work writes times by it
@ sandbox/sandbox-state.ts
- await Promise.all(this.#writes.get(merchantId) ?? []);
# clock-forgotten: A clock change with an unknown outcome counts as not made
- if (!(error instanceof ProblemError)) this.#unsure.add(merchantId);
# clock-set-late: A clock is frozen where it was before the unit of work
@ sandbox/merchant-clocks.ts
- await sandboxState.change(merchantId, async (settings, db) => {
+ const asked = sandboxState.storeNow(); await sandboxState.change(merchantId, async (settings, db) => {
- const { now } = readClock(settings.clock, sandboxState.storeNow());
+ const { now } = readClock(settings.clock, asked);
# clock-hurries: An advance continues before due work is done
- if (!(await hasDueBefore(store.read, merchantId, FROZEN_OFFSET_MS, withEvents))) return true;
+ return true;
- if (await hasDueBefore(db, merchantId, FROZEN_OFFSET_MS, withEvents)) return clock;
# history-goes-back: A change after a release is earlier than the one before it
@ domain/history.ts
- return Math.max(now, createdAt + (history.at(-1)?.[1] ?? 0));
+ return now;
`);
