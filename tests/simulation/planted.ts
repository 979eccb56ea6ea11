/**
 * Defects that the simulation must find: realistic mistakes in the gateway's code. Each replaces source text while a
 * worker loads it.
 */
import { CLOCK_DEFECTS } from './planted-clocks.ts';
import { one, type Planted } from './planted-edits.ts';

export type { Planted } from './planted-edits.ts';

const CREATE_PAYMENT = 'payments/payments.ts';
const COMMIT_STEP = 'transactions/commit-step.ts';

/** Part of a change is written in a second unit of work. */
const apart = (id: string, summary: string, imported: string, rest: string, part: string): Planted => ({
  id,
  summary,
  edits: [
    {
      file: COMMIT_STEP,
      find: "import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';",
      replace: `import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';\n${imported}`,
    },
    {
      file: COMMIT_STEP,
      find: 'return writeStep(db, decided,',
      replace: `return writeStep(db, decided.transaction.version > 1 ? { ...decided, ${rest} } : decided,`,
    },
    {
      file: COMMIT_STEP,
      find: 'return store.unit(work, { together });',
      replace: `return store.unit(work, { together }).then(async (result) => {
        const { transaction } = step;
        const { id, version, currency } = transaction;
        const now = timeOfChange(transaction, moment.now);
        if (version > 1 && !(result instanceof Rejection)) await store.unit(async (db) => { ${part} });
        return result;
      });`,
    },
  ],
});

export const PLANTED: readonly Planted[] = [
  apart(
    'event-outside-unit',
    'The webhook is written in a separate unit, after the change',
    "import { appendEvent } from '../webhooks/outbox.ts';",
    'notify: false',
    `const eventId = ids.newId('evt', now, id, version);
     const event = { id: eventId, transaction, body: webhookBody(step)!, now, toStoreTime: moment.toStoreTime };
     if (step.notify) await appendEvent(db, event);`,
  ),
  apart(
    'entries-outside-unit',
    'The ledger is written in a separate unit, after the change',
    "import { postEntry } from '../ledger/wallets.ts';",
    'entries: []',
    `for (const [index, entry] of step.entries.entries())
       await postEntry(db, entry, { id: ids.newId('led', now, id, version, index), merchantId, currency, transactionId: id, now });`,
  ),
  one(
    'no-version-check',
    'A stale write replaces a newer one',
    'transactions/rows.ts',
    'and transactions.version = ',
    'and 0 <= ',
  ),
  one(
    'late-effects',
    'A change that loses a race leaves its ledger entries and its webhook',
    'transactions/write-step.ts',
    'if (!updated.value) return conflict();',
    '',
  ),
  one(
    'acknowledged-before-commit',
    'A creation is acknowledged before it is committed',
    CREATE_PAYMENT,
    'const created = await commitStep(services, opened, { withCall });',
    `commitStep(services, opened, { withCall }).catch(() => undefined);
     const created = { transaction: opened.transaction };`,
  ),
  one(
    'failed-commit-acknowledged',
    'Units of a failed commit are acknowledged',
    'database/sqlite/store-on-connections.ts',
    'for (const unit of units) unit.reject(unavailable);',
    'for (const unit of units) unit.resolve(unavailable && undefined);',
  ),
  one(
    'repeat-posts-twice',
    'A repeated creation reserves the amount again',
    'transactions/write-step.ts',
    'if (!inserted) return conflict();',
    'void inserted;',
  ),
  one(
    'repeat-shows-present',
    'A repeated creation gets the current status instead of the first response',
    CREATE_PAYMENT,
    'created?.transaction ?? (await createdBefore(store, opened.transaction, body));',
    `created?.transaction ?? (await createdBefore(store, opened.transaction, body));
    if (!created) return viewCreation({ ...payment, openedAs: payment.status }, checkoutUrl);`,
  ),
  one(
    'repeat-not-compared',
    'A creation with another body and the same order id gets the first response',
    'transactions/orders.ts',
    'if (differences.length > 0) throw',
    'if (differences.length > 0 && existing.id === "") throw',
  ),
  {
    id: 'lease-ignored',
    summary: 'A worker claims transactions claimed by another',
    edits: [
      {
        file: 'transactions/rows.ts',
        find: '(select id from transactions where next_attempt_at <= ? order by',
        replace: '(select id from transactions where next_attempt_at <= ? + 8000 order by',
      },
      {
        file: 'transactions/rows.ts',
        find: 'where id in (select id from due) and next_attempt_at <= ?',
        replace: 'where id in (select id from due) and next_attempt_at <= ? + 8000',
      },
    ],
  },
  one(
    'delivery-lease-ignored',
    'A process claims webhooks claimed by another',
    'webhooks/outbox.ts',
    'and next_at <= ? for update skip locked)\n         and next_at <= ?',
    'and next_at <= ? + 5000 for update skip locked)\n         and next_at <= ? + 5000',
  ),
  one(
    'usage-not-returned',
    'A failed payment keeps its share of the limits',
    'domain/payment.ts',
    "if (status === 'FAILED') return settleUsage(step, 0);",
    "if (status === 'FAILED') return step;",
  ),
  one(
    'usage-of-offer',
    'The offered amount counts against the limits, instead of the collected one',
    'domain/payment.ts',
    "return settleUsage({ ...step, entries: [createEntry('collected', amountPaid)] }, amountPaid);",
    "return { ...step, entries: [createEntry('collected', amountPaid)] };",
  ),
  one(
    'limits-not-enforced',
    'A reservation may exceed the limits',
    'transactions/customer-usage.ts',
    'where customer_usage.amount <= ',
    'where 1 = 1 or customer_usage.amount <= ',
  ),
  one(
    'smallest-reserved',
    'The smallest of the offered amounts is reserved',
    'domain/payment.ts',
    'return reserveUsage(methods, offer(amounts), largest,',
    'return reserveUsage(methods, offer(amounts), Math.min(...amounts),',
  ),
  one(
    'double-release',
    'A declined payout is released twice',
    'domain/payout.ts',
    "const entries = payout.fundsHold === 'held' ? [ending] : [];",
    `const made = payout.fundsHold === 'held' ? [ending] : [];
     const entries = event.type === 'declined' ? [...made, ...made] : made;`,
  ),
  one(
    'never-released',
    'A declined payout keeps its reservation',
    'domain/payout.ts',
    "const entries = payout.fundsHold === 'held' ? [ending] : [];",
    "const entries = event.type === 'succeeded' ? [ending] : [];",
  ),
  one(
    'cover-read-before',
    'The available balance is read before the unit that reserves it',
    'payouts/payouts.ts',
    'const fundsHold = await checkFunds(db, merchant.id, order.currency, order.amount);',
    'const fundsHold = await checkFunds(services.store.read, merchant.id, order.currency, order.amount);',
  ),
  one(
    'settled-twice',
    'A settled payment stays due',
    'domain/payment.ts',
    'return createStep({ ...payment, ...settled }, DONE,',
    'return createStep({ ...payment, ...settled }, due(now),',
  ),
  one(
    'settled-requested-amount',
    'The requested amount is settled instead of the collected one',
    'domain/payment.ts',
    "createEntry('settled', payment.amountPaid ?? 0)",
    "createEntry('settled', payment.amount)",
  ),
  one(
    'settled-early',
    'Collected money is settled without the delay',
    'domain/payment.ts',
    "due((finalizedAt ?? now) + (findMethod(methods, 'payment', method)?.settlementMs ?? 0))",
    'due(finalizedAt ?? now)',
  ),
  one(
    'unknown-outcome-guessed',
    'A first call whose outcome is unknown counts as refused',
    'transactions/next-step.ts',
    "return first && isUnavailable\n      ? { ...decide(methods, failed, { type: 'declined', reason: error.reason },",
    "return first\n      ? { ...decide(methods, failed, { type: 'declined', reason: 'CHANNEL_DOWN' },",
  ),
  one(
    'late-refusal-believed',
    'A refusal declines, although an earlier call may have had an effect',
    'transactions/next-step.ts',
    'return first && isUnavailable',
    'return isUnavailable',
  ),
  one(
    'repeat-counts-as-first',
    'A call repeated after a crash counts as the first',
    'transactions/advance.ts',
    'await decideNextStep(transaction, around)',
    'await decideNextStep(transaction, around, true)',
  ),
  one(
    'expired-without-cancel',
    'An expired payment is declined without asking its channel to cancel it',
    'transactions/next-step.ts',
    `if (payment.usageAmount === undefined)
    return decline(payment, around, reason, around.time.at(payment.merchantId).now);`,
    'return decline(payment, around, reason, around.time.at(payment.merchantId).now);',
  ),
  one(
    'found-paid-ignored',
    'A payment that its channel finds paid is declined',
    'transactions/next-step.ts',
    `event.type === 'cancelled'
        ? decline(called, around, reason, now)`,
    'event.type\n        ? decline(called, around, reason, now)',
  ),
  one(
    'verification-not-due',
    'A payment in VERIFYING has no due time',
    'domain/payment.ts',
    "if (status === 'VERIFYING') return due(now);",
    "if (status === 'VERIFYING') return DONE;",
  ),
  one(
    'wait-without-time',
    'The time at which a channel wants to be asked again is forgotten',
    'domain/schedule.ts',
    'dueAt === undefined ? DONE : due(dueAt)',
    'DONE',
  ),
  {
    id: 'call-without-lease',
    summary: 'A recorded call has no due time, so it is never repeated after a crash',
    edits: [
      { file: 'domain/schedule.ts', find: 'attempts: 0, dueAt: next.at', replace: 'attempts: 0, dueAt: undefined' },
      { file: COMMIT_STEP, find: "next.type === 'call' ? CALL_LEASE_MS :", replace: '' },
      {
        file: 'transactions/advance.ts',
        find: 'commitResult(services, step, callUntil)',
        replace: 'commitResult(services, step, undefined)',
      },
    ],
  },
  one(
    'notification-lost',
    'A notification is acknowledged although its change lost a race',
    'transactions/channel-notifications.ts',
    'return commitStep<Transaction>(services, askNow(transaction, time.at(transaction.merchantId).now));',
    'await commitStep<Transaction>(services, askNow(transaction, time.at(transaction.merchantId).now)); return { transaction };',
  ),
  one(
    'late-result-dropped',
    'A notification about a final transaction is acknowledged, and the channel is not asked',
    'transactions/channel-notifications.ts',
    'await checkFinal(services, transaction);',
    '',
  ),
  one(
    'exception-repeated',
    'Each repetition of a contradicting result is another exception',
    'domain/exceptions.ts',
    '!== describeContradiction(transaction).claimed',
    '!== decidedAmount(transaction)',
  ),
  one(
    'failed-payout-silent',
    'No event reports that a payout has failed',
    'domain/payout.ts',
    'notify: NOTIFIED.has(status) }',
    "notify: status === 'SUCCESS' }",
  ),
  one(
    'expired-still-open',
    'A payment can be confirmed after its session has ended',
    'domain/payment.ts',
    'return cancelReason === undefined && clarifying === undefined && now < expiresAt;',
    'return clarifying === undefined;',
  ),
  one(
    'error-counts-as-delivered',
    'A response of 500 counts as a delivery',
    'webhooks/retries.ts',
    'result.status >= 200 && result.status < 300',
    'result.status >= 200 && result.status < 600',
  ),
  one(
    'no-second-attempt',
    'A webhook is abandoned after one failure',
    'webhooks/retries.ts',
    'const delay = RETRY_DELAYS_MS[made - 1];',
    'const delay = RETRY_DELAYS_MS[made + 9];',
  ),
  one(
    'stop-takes-neighbors',
    'A URL that returns 410 stops the other URLs of its address',
    'webhooks/stopped-urls.ts',
    'where address = ? and next_at is not null and merchant_id = ? and url = ?`',
    'where address = ? and next_at is not null and merchant_id = ? and url <> ?`',
  ),
  one(
    'delivery-undone',
    'A process that lost its claim undoes the delivery of another',
    'webhooks/outbox.ts',
    'and events.claim = $',
    'and 0 < $',
  ),
  one(
    'page-takes-no-lease',
    "The payment page calls a channel during a worker's call, whose refusal declines the payment",
    'checkout/act-on-page.ts',
    'if (!isCalling(payment)) return advanceTransaction(services, payment);',
    'if (payment.id) return advanceTransaction(services, payment);',
  ),
  {
    id: 'dispatched-before-commit',
    summary: 'A webhook is dispatched before the commit',
    edits: [
      {
        file: COMMIT_STEP,
        find: 'toStoreTime, now, claimedUntil });',
        replace: `toStoreTime, now, claimedUntil }).then((result) => {
          if (!(result instanceof Rejection) && result.event) capacity.delivery?.start(result.event);
          return result;
        });`,
      },
      {
        file: COMMIT_STEP,
        find: 'if (event && capacity.delivery) capacity.delivery.start(event);',
        replace: 'if (event && capacity.delivery) ;',
      },
    ],
  },
  one(
    'dispatched-without-lease',
    'A dispatched transaction is written without its lease',
    'transactions/write-step.ts',
    'insertTransaction(db, transaction, attemptAt)',
    'insertTransaction(db, transaction)',
  ),
  one(
    'webhook-dispatched-without-lease',
    'A dispatched webhook is written without its lease',
    'webhooks/outbox.ts',
    'leaseUntil ?? dueAt ?? toStoreTime(now)',
    'dueAt ?? toStoreTime(now)',
  ),
  one(
    'capacity-lost-on-rejection',
    'A rejected step keeps its capacity of the worker',
    COMMIT_STEP,
    'if (!written || written instanceof Rejection)',
    'if (!written)',
  ),
  one(
    'capacity-lost-on-failure',
    'A failed step keeps its capacity of the worker',
    COMMIT_STEP,
    'if (!written || written instanceof Rejection)',
    'if (written instanceof Rejection)',
  ),
  one(
    'stop-overlooked',
    'A webhook is sent to a URL that was stopped while it was written',
    'webhooks/leases.ts',
    '!known.has(stop) && hasSameUrl(stop, delivery)',
    '!known.has(stop) && known.has(stop)',
  ),
  ...CLOCK_DEFECTS,
];
