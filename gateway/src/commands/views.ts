/** Formats results of the management API for a terminal. */
import type {
  ApiKey,
  Channel,
  ChannelCall,
  ChannelList,
  Difference,
  Exception,
  ExceptionalTransaction,
  FailingStep,
  FailingTransaction,
  Merchant,
  MerchantMethodList,
  Operator,
  OperatorKey,
  Pause,
  Proposal,
  SigningSecret,
  StoppedUrl,
  TransactionDetails,
  TransactionSummary,
  Wallet,
} from '../../../generated/management/types.ts';

/** Describes a list, one entry a line. */
export function listed<Entry>(describe: (entry: Entry) => string, none: string) {
  return ({ data }: { readonly data: readonly Entry[] }): string => data.map(describe).join('\n') || none;
}

export function describeMethods({ data }: MerchantMethodList): string {
  return data
    .map(({ kind, method, enabled, limits }) => {
      const { min, max, per_day: day, per_month: month } = limits;
      const allowed = `${min} to ${max}, per day ${day}, per month ${month}`;
      return `${kind.padEnd(7)}  ${method}  ${enabled ? allowed : 'disabled'}`;
    })
    .join('\n');
}

export function describeSummary(found: TransactionSummary): string {
  const { transaction_id: id, status, amount, currency, created_at: at, decline_reason: reason } = found;
  const ending = reason === undefined ? status : `${status} ${reason}`;
  return `${at}  ${id}  merchant ${found.merchant_id}  order ${found.merchant_order_id}  ${amount} ${currency}  ${ending}`;
}

export function describeTransaction(found: TransactionDetails): string {
  const { transaction_id: id, kind, status, amount, amount_paid: paid, currency, decline_reason: reason } = found;
  const sections: [string, readonly string[]][] = [
    ['personal data', Object.entries(found.personal_data ?? {}).map(([name, value]) => `${name}  ${value}`)],
    ['statuses', found.statuses.map(({ at, status: after, cause = '' }) => `${at}  ${after.padEnd(24)}${cause}`)],
    ['channel calls', (found.channel_calls ?? []).map(describeCall)],
    [
      'ledger',
      found.ledger_entries.map((entry) => `${entry.at}  ${entry.reason}  ${entry.amount}  ${entry.from} → ${entry.to}`),
    ],
    ['webhooks', found.events.flatMap(describeEvent)],
    ['exceptions', (found.exceptions ?? []).map((exception) => describeException(exception, found))],
    ['proposals', (found.proposals ?? []).map(describeProposal)],
  ];
  return [
    `${id}  ${status}${reason === undefined ? '' : `  ${reason}`}`,
    `${kind} of ${amount} ${currency}${paid === undefined ? '' : `, collected ${paid}`}, in minor units`,
    `merchant ${found.merchant_id}, order ${found.merchant_order_id}, customer ${found.customer_id}`,
    `method ${found.payment_method_type}, channel ${found.channel || 'none'}`,
    ...sections.flatMap(([name, lines]) => (lines.length > 0 ? [name, ...lines.map((line) => `  ${line}`)] : [])),
    describeNext(found),
  ].join('\n');
}

function describeCall({
  at,
  call,
  result = 'no result',
  duration_ms: ms,
  error,
  times,
  last_at: last,
}: ChannelCall): string {
  const took = ms === undefined ? '' : `  ${ms} ms`;
  const repeated = last === undefined ? '' : `  ${times} times, last ${last}`;
  return `${at}  ${call.padEnd(10)}${result}${took}${repeated}${error === undefined ? '' : `  ${error}`}`;
}

function describeEvent(event: TransactionDetails['events'][number]): string[] {
  const { id, status, state, url, deliveries, next_attempt_at: next } = event;
  const attempts = deliveries.map(
    (attempt) => `  ${attempt.at}  ${attempt.status ?? attempt.error ?? ''}  ${attempt.duration_ms} ms`,
  );
  return [`${id}  ${status}  ${state}  ${url}${next === undefined ? '' : `  next ${next}`}`, ...attempts];
}

function describeException(
  { at, result, amount, decline_reason: reason, resolution }: Exception,
  { currency }: { readonly currency: string },
): string {
  return `${at}  the channel says ${result}${reason === undefined ? '' : ` ${reason}`}, ${amount} ${currency}  ${resolution ?? 'open'}`;
}

function describeFailingStep({
  failures,
  error,
  channel_error: ofChannel,
  next_attempt_at: next,
}: FailingStep): string {
  const cause = ofChannel === undefined ? error : `${error}; the channel's last error: ${ofChannel}`;
  return `failed ${failures} times, next attempt ${next}: ${cause}`;
}

function describeNext({ failing, next_step_at: next }: TransactionDetails): string {
  if (failing) return describeFailingStep(failing);
  return next === undefined ? 'nothing is due' : `next step ${next}`;
}

export interface FailingTransactions {
  readonly failing: readonly FailingTransaction[];
  readonly exceptional: readonly ExceptionalTransaction[];
}

export function describeFailingTransactions({ failing, exceptional }: FailingTransactions): string {
  const lines = [...failing.map(describeFailing), ...exceptional.flatMap(describeExceptions)];
  return lines.join('\n') || 'no transaction is failing';
}

function describeFailing({ merchant_id: merchant, transaction_id: id, status, failing }: FailingTransaction): string {
  return `${merchant}  ${id}  ${status}  ${failing ? describeFailingStep(failing) : 'it has no next step'}`;
}

function describeExceptions(transaction: ExceptionalTransaction): string[] {
  const { merchant_id: merchant, transaction_id: id, status, exceptions } = transaction;
  const open = exceptions.filter(({ resolution }) => resolution === undefined);
  return open.map(
    (exception) => `${merchant}  ${id}  ${status}  exception  ${describeException(exception, transaction)}`,
  );
}

/** A new proposal, with the command that approves it. */
export function describeProposed(proposal: Proposal): string {
  return `${describeProposal(proposal)}\nAnother operator approves it: payments-gateway proposal approve ${proposal.id}`;
}

export function describeProposal(proposal: Proposal): string {
  const { id, state, merchant_id: merchant, reference, reason, proposed_by: by, decision } = proposal;
  const decided = decision ? `, ${state} by ${decision.by.name} ${decision.at}` : '';
  return `${id}  ${state}  merchant ${merchant}  ${describeChange(proposal)}  (${reference}: ${reason}; ${by.name} ${proposal.proposed_at}${decided})`;
}

function describeChange(proposal: Proposal): string {
  const { type, direction, amount, currency, transaction_id: transaction, outcome } = proposal;
  if (type === 'correction') return `${direction} ${amount} ${currency}`;
  if (type === 'import') return `import ${transaction} of ${amount} ${currency}, order ${proposal.merchant_order_id}`;
  if (type === 'exception') return describeResolution(proposal);
  return `${transaction} ${outcome} ${proposal.amount_paid ?? proposal.decline_reason ?? ''}`.trimEnd();
}

function describeResolution({ transaction_id: transaction, resolution, direction, ...amounts }: Proposal): string {
  const { amount, currency, claimed_amount: claimed, booked_amount: booked } = amounts;
  const change = direction === undefined ? '' : `, ${direction} ${amount} ${currency}`;
  return `${transaction} ${resolution}${change}: the channel says ${claimed} ${currency}, the books have ${booked}`;
}

/** Channels, one a line, and the pause of payouts. */
export function describeChannels({ data, payouts_paused: payouts }: ChannelList): string {
  return [
    ...data.map(describeChannel),
    ...(payouts ? [`payouts of all channels  ${describePause(payouts)}`] : []),
  ].join('\n');
}

export function describeChannel({ name, methods, paused }: Channel): string {
  const carries = methods.join(', ') || 'no methods';
  return `${name}  ${carries}${paused === undefined ? '' : `  ${describePause(paused)}`}`;
}

function describePause({ by, at, reason }: Pause): string {
  return `paused${by === undefined ? '' : ` by ${by.name}`} ${at}${reason === undefined ? '' : `: ${reason}`}`;
}

/** A merchant with its wallets, amounts in minor units. */
export function describeMerchant({
  id,
  name,
  disabled_at: disabledAt,
  wallets,
}: Merchant & { readonly wallets: readonly Wallet[] }): string {
  return [
    `${id}  ${name}${disabledAt === undefined ? '' : `  disabled ${disabledAt}`}`,
    ...wallets.map(
      ({ currency, available, pending, reserved }) =>
        `       ${currency}  available ${available}, pending ${pending}, reserved ${reserved}`,
    ),
  ].join('\n');
}

/** An API key in a line, without the key itself. */
export function describeKey({ id, hint, created_at: at, revoked_at: end }: ApiKey): string {
  return `${id}  ${hint}  ${at}${end ? `  revoked ${end}` : ''}`;
}

/** A signing secret in a line, without the secret itself. */
export function describeSecret({
  id,
  created_at: at,
  expires_at: expiresAt,
  valid,
  encrypted_with: key,
}: SigningSecret): string {
  const validity = expiresAt === undefined ? 'valid' : `${valid ? 'valid until' : 'expired'} ${expiresAt}`;
  return `${id}  ${at}  ${validity}  ${key === undefined ? 'in the clear' : `encrypted with key ${key}`}`;
}

/** An operator in a line, with the role and the use of the keys. */
export function describeOperator({ id, name, role, created_at: at, keys }: Operator): string {
  return `${id}  ${at}  ${role.padEnd(7)}  ${name}  ${describeUse(keys)}`;
}

function describeUse(keys: readonly OperatorKey[]): string {
  const valid = keys.filter(({ revoked_at: revokedAt }) => revokedAt === undefined);
  if (valid.length === 0) return 'revoked';
  const [lastUse] = keys
    .flatMap(({ last_used_at: at }) => at ?? [])
    .toSorted()
    .toReversed();
  const expiry = valid
    .map(({ expires_at: at }) => at)
    .toSorted()
    .at(-1);
  return `${valid.length === 1 ? '1 key' : `${valid.length} keys`}, ${lastUse === undefined ? 'never used' : `last used ${lastUse}`}, expires ${expiry}`;
}

/** A stopped callback URL in a line, with the event that stopped it. */
export function describeStoppedUrl({
  merchant_id: merchant,
  stopped_at: at,
  event_id: event,
  url,
  stopped_by: by,
}: StoppedUrl): string {
  return [merchant, at, event, url, ...(by ? [`by ${by.name}`] : [])].join('  ');
}

export function describeDifference(found: Difference): string {
  const { id, state, found_at: at, channel, payment_method_type: method = 'unknown', transaction_id: about } = found;
  const ending = state === 'accepted' ? `  accepted by ${found.accepted_by}: ${found.reason}` : '';
  return `${id}  ${at}  ${channel}  ${method}  ${about}: ${found.difference}${ending}`;
}
