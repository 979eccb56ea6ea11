/**
 * Defects that the simulation has to find: realistic mistakes in the gateway's own code. Each replaces text of a source
 * file while it is loaded, in a worker of its own.
 */

export interface Edit {
  /** In `gateway/src/`. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

export interface Planted {
  readonly id: string;
  readonly summary: string;
  readonly edits: readonly Edit[];
}

const one = (id: string, summary: string, file: string, find: string, replace: string): Planted => ({
  id,
  summary,
  edits: [{ file, find, replace }],
});

const CARRY_OUT = 'operations/carry-out.ts';
const CREATE_PAYMENT = 'operations/create-payment.ts';
const WRITE_STEP = 'operations/write-step.ts';
const RECORD = `async (db, options) => (await recordChange(db, step, { ...change, ...options })) ?? step,
  );`;

/** A part of a step is written in a unit of its own, after the rest. */
const apart = (id: string, summary: string, imported: string, rest: string, part: string): Planted => ({
  id,
  summary,
  edits: [
    {
      file: CARRY_OUT,
      find: "import { advance } from './advance.ts';",
      replace: `import { advance } from './advance.ts';\n${imported}`,
    },
    {
      file: CARRY_OUT,
      find: RECORD,
      replace: `async (db, options) =>
          (await recordChange(db, { ...step, ${rest} }, { ...change, ...options })) ?? step,
        );
        const { ids, store } = services;
        if (!(recorded instanceof Rejection)) await store.unit(async (db) => { ${part} });`,
    },
  ],
});

export const PLANTED: readonly Planted[] = [
  apart(
    'event-outside-unit',
    'The webhook is written in a unit of its own, after the change',
    "import { appendEvent } from '../store/outbox.ts';",
    'notify: false',
    `const { transaction, notify } = step;
     const id = ids.newId('evt', change.now, transaction.id, transaction.version);
     const event = { id, transaction, body: change.webhook!, now: change.now, stored: moment.stored };
     if (notify) await appendEvent(db, event);`,
  ),
  apart(
    'entries-outside-unit',
    'The ledger is written in a unit of its own, after the change',
    "import { postEntry } from '../store/wallets.ts';",
    'entries: []',
    `const { now } = change;
     const { id, version, merchantId, currency } = step.transaction;
     for (const [index, entry] of step.entries.entries())
       await postEntry(db, entry, { id: ids.newId('led', now, id, version, index), merchantId, currency, transactionId: id, now });`,
  ),
  one(
    'no-version-check',
    'A stale write replaces a newer one',
    'store/transactions.ts',
    'and transactions.version = ',
    'and 0 <= ',
  ),
  one(
    'late-effects',
    'A change that another writer was faster than leaves its ledger entries and its webhook',
    'store/record.ts',
    "if (!updated.value) return new Rejection('version_conflict');",
    '',
  ),
  one(
    'acknowledged-before-commit',
    'A creation is acknowledged before it is committed',
    CREATE_PAYMENT,
    'let written = await write(step);',
    `write(step).catch(() => undefined);
     let written: Awaited<ReturnType<typeof write>> = { transaction: step.transaction, due: undefined };`,
  ),
  one(
    'failed-commit-acknowledged',
    'Units of a commit that failed are acknowledged',
    'store/sqlite/group-commit.ts',
    'for (const unit of units) unit.reject(unavailable);',
    'for (const unit of units) unit.resolve(unavailable && undefined);',
  ),
  one(
    'repeat-posts-twice',
    'A repeated creation reserves the amount again',
    'store/record.ts',
    "if (!(await insertTransaction(db, transaction, { stored, leaseUntil }))) return new Rejection('order_id_taken');",
    'await insertTransaction(db, transaction, { stored, leaseUntil });',
  ),
  one(
    'repeat-shows-present',
    'A repeated creation gets the present status instead of the first response',
    CREATE_PAYMENT,
    'written instanceof Rejection ? await repeated(store, step.transaction, body) : written.transaction;',
    `written instanceof Rejection ? await repeated(store, step.transaction, body) : written.transaction;
    if (written instanceof Rejection) return viewCreation({ ...payment, openedAs: payment.status }, checkoutUrl);`,
  ),
  one(
    'repeat-not-compared',
    'A creation with another body and the same order id gets the first response',
    'operations/repeat.ts',
    'if (!isDeepStrictEqual(requestOf(existing), request)) {',
    'if (!isDeepStrictEqual(requestOf(existing), request) && existing.id === "") {',
  ),
  one(
    'lease-ignored',
    'A worker claims transactions that another has claimed',
    'store/transactions.ts',
    '(select id from transactions where next_attempt_at <= ? order by',
    '(select id from transactions where next_attempt_at <= ? + 8000 order by',
  ),
  one(
    'delivery-lease-ignored',
    'A process claims webhooks that another has claimed',
    'store/outbox.ts',
    'and next_at <= ? for update skip locked)',
    'and next_at <= ? + 5000 for update skip locked)',
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
    'What was offered counts against the limits, instead of what was collected',
    'domain/payment.ts',
    'return settleUsage({ ...step, entries }, amountPaid);',
    'return { ...step, entries };',
  ),
  one(
    'limits-not-enforced',
    'A reservation may exceed the limits',
    'store/customer-usage.ts',
    'where customer_usage.amount <= ',
    'where 1 = 1 or customer_usage.amount <= ',
  ),
  one(
    'smallest-reserved',
    'The smallest of the offered amounts is reserved',
    'domain/payment.ts',
    'return reserveUsage(offer(amounts), largest,',
    'return reserveUsage(offer(amounts), Math.min(...amounts),',
  ),
  one(
    'double-release',
    'A declined payout is released twice',
    'domain/payout.ts',
    "const entries = payout.cover === 'held' ? [ending(payout.amount, event)] : [];",
    `const made = payout.cover === 'held' ? [ending(payout.amount, event)] : [];
     const entries = event.type === 'declined' ? [...made, ...made] : made;`,
  ),
  one(
    'never-released',
    'A declined payout keeps its reservation',
    'domain/payout.ts',
    "const entries = payout.cover === 'held' ? [ending(payout.amount, event)] : [];",
    "const entries = event.type === 'succeeded' ? [ending(payout.amount, event)] : [];",
  ),
  one(
    'cover-read-before',
    'What is available is read before the unit that reserves it',
    'operations/payouts.ts',
    `const written = await writeStep(services, { moment, dueAt: now, rows }, async (db, options) => {
    const cover = await coverFor(db, merchant.id, body.currency, body.amount);`,
    `const cover = await coverFor(store.read, merchant.id, body.currency, body.amount);
    const written = await writeStep(services, { moment, dueAt: now, rows }, async (db, options) => {`,
  ),
  one(
    'settled-twice',
    'A settled payment stays due',
    'domain/payment.ts',
    'const { dueAt: _, ...settled } = payment;',
    'const settled = payment;',
  ),
  one(
    'settled-requested-amount',
    'The requested amount is settled instead of the collected one',
    'domain/payment.ts',
    'amount: payment.amountPaid ?? 0',
    'amount: payment.amount',
  ),
  one(
    'settled-early',
    'Collected money is settled without the delay',
    'domain/payment.ts',
    "dueAt: now + (findMethod('payment', payment.method)?.settlementMs ?? 0)",
    'dueAt: now',
  ),
  one(
    'unknown-outcome-guessed',
    'A first call whose outcome is unknown counts as refused',
    'operations/advance.ts',
    'if (first && error instanceof ChannelUnavailable) return decline(transaction, error.reason, now(),',
    "if (first) return decline(transaction, 'CHANNEL_DOWN', now(),",
  ),
  one(
    'late-refusal-believed',
    'A refusal declines, although an earlier call may have had an effect',
    'operations/advance.ts',
    'if (first && error instanceof ChannelUnavailable)',
    'if (error instanceof ChannelUnavailable)',
  ),
  one(
    'repeat-counts-as-first',
    'A call that is repeated after a crash counts as the first',
    CARRY_OUT,
    'const step = (await advance(transaction, services)) as Step<T>;',
    'const step = (await advance(transaction, services, true)) as Step<T>;',
  ),
  one(
    'expired-without-cancel',
    'An expired payment is declined without asking its channel to cancel it',
    'operations/advance.ts',
    'if (payment.counted === undefined) return decline(payment, reason, around.time.at(payment.merchantId).now);',
    'return decline(payment, reason, around.time.at(payment.merchantId).now);',
  ),
  one(
    'found-paid-ignored',
    'A payment that its channel finds paid is declined',
    'operations/advance.ts',
    "event.type === 'cancelled' ? decline(payment, reason, now)",
    'event.type ? decline(payment, reason, now)',
  ),
  one(
    'verification-not-due',
    'A payment in VERIFYING has no due time',
    'domain/payment.ts',
    "if (status === 'VERIFYING') return { ...rest, dueAt: now };",
    "if (status === 'VERIFYING') return rest;",
  ),
  one(
    'wait-without-time',
    'The time at which a channel wants to be asked again is forgotten',
    'domain/schedule.ts',
    '...(dueAt !== undefined && { dueAt }) } as T',
    '} as T',
  ),
  one(
    'call-without-lease',
    'A call that is about to be made has no due time, so that nobody repeats it after a crash',
    'domain/schedule.ts',
    'return stepTo({ ...transaction, attempts: 0, dueAt: now + CALL_LEASE_MS });',
    'const { dueAt: _, ...rest } = transaction; return stepTo({ ...rest, attempts: 0 } as T);',
  ),
  one(
    'notification-lost',
    'A notification is acknowledged although another writer was faster',
    'operations/take-notification.ts',
    'if (await record(services, askNow(transaction, time.at(transaction.merchantId).now))) return;',
    'await record(services, askNow(transaction, time.at(transaction.merchantId).now)); return;',
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
    'reply.status >= 200 && reply.status < 300',
    'reply.status >= 200 && reply.status < 600',
  ),
  one(
    'no-second-attempt',
    'A webhook that fails once is abandoned',
    'webhooks/retries.ts',
    'const delay = RETRY_DELAYS_MS[made - 1];',
    'const delay = RETRY_DELAYS_MS[made + 9];',
  ),
  one(
    'stop-takes-neighbors',
    'A URL that returns 410 stops the other URLs of its address',
    'store/outbox.ts',
    'where address = ? and next_at is not null and merchant_id = ? and url = ?`',
    'where address = ? and next_at is not null and merchant_id = ? and url <> ?`',
  ),
  one(
    'delivery-undone',
    'A process whose claim has passed to another undoes its delivery',
    'store/outbox.ts',
    'from ended where events.id = ended.id and events.next_at is not null`',
    'from ended where events.id = ended.id`',
  ),
  one(
    'page-takes-no-lease',
    'The payment page calls a channel that a worker is calling, whose refusal then declines the payment',
    'operations/act-on-page.ts',
    'if (payment.attempts !== 0) return moveOn(services, payment);',
    'if (payment.id) return moveOn(services, payment);',
  ),
  {
    id: 'handed-over-before-commit',
    summary: 'A webhook is handed over when it is written, before the commit',
    edits: [
      { file: WRITE_STEP, find: 'event = written;', replace: 'event = written; slot?.start(written);' },
      { file: WRITE_STEP, find: 'if (event && slot) slot.start(event);', replace: 'if (event && slot) ;' },
    ],
  },
  one(
    'handed-over-unclaimed',
    'A transaction is handed over that was written without its lease',
    'store/transactions.ts',
    'leaseUntil ?? storedDue(transaction, stored),',
    'storedDue(transaction, stored),',
  ),
  one(
    'webhook-handed-over-unclaimed',
    'A webhook is handed over that was written without its lease',
    'store/outbox.ts',
    'leaseUntil ?? stored(now)',
    'stored(now)',
  ),
  {
    id: 'other-lease-end',
    summary: 'A transaction is handed over with the lease that it would have had before it waited for the commit',
    edits: [
      { file: WRITE_STEP, find: 'let claimedUntil = 0;', replace: 'let claimedUntil = clock.now() + CLAIM_MS;' },
      {
        file: WRITE_STEP,
        find: '(() => (claimedUntil = clock.now() + CLAIM_MS))',
        replace: '(() => clock.now() + CLAIM_MS)',
      },
    ],
  },
  one(
    'place-lost-on-rejection',
    'A step that is rejected keeps its place in the worker',
    WRITE_STEP,
    'if (!result || result instanceof Rejection) {',
    'if (!result) {',
  ),
  one(
    'place-lost-on-failure',
    'A step that could not be written keeps its place in the worker',
    WRITE_STEP,
    'if (!result || result instanceof Rejection) {',
    'if (result instanceof Rejection) {',
  ),
  one(
    'stop-overlooked',
    'A webhook is sent whose URL was stopped while it was written',
    'webhooks/claims.ts',
    'return !this.#stops.some((stop) => isOfUrl(stop.delivery, delivery));',
    'return true;',
  ),
];
