/** Rules over the whole run: all responses and webhooks about a transaction are consistent. */
import { isObject, type Json, readMember } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import { reachable, type TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Context } from '../core/check.ts';
import { FINDINGS_MAX, type Finding, formatValue, NotReached } from '../core/finding.ts';
import { differingMembers, type History, listBodies, listHistories, type Observation } from '../core/history.ts';
import { CLOCK_MS, describeOffset, foundStatus, readClock, readTime } from '../core/judge.ts';
import {
  declineReasons,
  fieldClause,
  isSuccess,
  judgeEcho,
  knownFields,
  OPERATION_NAMES,
  readCall,
} from '../core/transactions.ts';
import { type Clause, type Contract, specified } from '../document/contract.ts';
import { readString } from '../service/exchange.ts';
import { KIND_LEVELS, reachEachState } from './levels.ts';

interface Rule {
  readonly name: string;
  readonly title: string;
  readonly clause: (contract: Contract, kind: TransactionKind) => Clause;
  /** Defaults to both. */
  readonly kinds?: readonly TransactionKind[];
  /** Judges the history of one transaction. */
  readonly judge: (contract: Contract, history: History) => Finding[];
}

const FINAL_FIELDS = ['status', 'finalized_at', 'decline_reason', 'amount_paid'];

const RULES: readonly Rule[] = [
  {
    name: 'echo',
    title: 'shows the values of its creation in every response',
    clause: (contract, kind) => fieldClause(contract, kind, 'merchant_order_id'),
    judge: (contract, { kind, request, responses }) =>
      responses.flatMap(({ exchange }) => (exchange ? judgeEcho(contract, kind, request, exchange) : [])),
  },
  {
    name: 'created_at',
    title: 'never changes its created_at',
    clause: (contract, kind) => fieldClause(contract, kind, 'created_at'),
    judge: (contract, history) => judgeStable(contract, history, 'created_at'),
  },
  {
    name: 'clock',
    title: 'is created and finished when its times say so, in UTC',
    clause: (contract, kind) => fieldClause(contract, kind, 'created_at'),
    judge: judgeClock,
  },
  {
    name: 'final',
    title: 'never changes once it is SUCCESS or FAILED',
    clause: (_contract, kind) => specified('3', toPointer('x-state-machines', kind, 'states', 'SUCCESS')),
    judge: judgeFinal,
  },
  {
    name: 'order',
    title: 'moves only as the state machine allows, and never back',
    clause: (contract) => contract.assumption('transitions'),
    judge: judgeOrder,
  },
  {
    name: 'same',
    title: 'shows the same values in every response while it stays in a status',
    clause: (contract, kind) => fieldClause(contract, kind, 'status'),
    judge: judgeUnchanged,
  },
  {
    name: 'finalized_at',
    title: 'has finalized_at once it is finished, and not before it was created',
    clause: (contract, kind) => fieldClause(contract, kind, 'finalized_at'),
    judge: judgeFinalizedAt,
  },
  {
    name: 'decline_reason',
    title: 'has a decline reason only if it failed, and none of the other kind',
    clause: (contract, kind) => fieldClause(contract, kind, 'decline_reason'),
    judge: judgeDeclineReason,
  },
  {
    name: 'asks',
    title: 'names the data that it asks for',
    clause: (_contract, kind) => specified('3', toPointer('x-state-machines', kind, 'states')),
    judge: judgeAsks,
    kinds: ['payment'],
  },
  {
    name: 'kind',
    title: 'has the fields of its own kind',
    clause: (contract, kind) => fieldClause(contract, kind, 'transaction_id'),
    judge: judgeKind,
  },
];

/** A check for each rule and kind, judged when everything else is done. */
export function consistencyChecks(contract: Contract): Check[] {
  const kinds = ['payment', 'payout'] as const;
  const again = kinds.map((kind) => readAgainCheck(contract, kind));
  const rules = kinds.flatMap((kind) =>
    RULES.filter(({ kinds: own = kinds }) => own.includes(kind)).map(
      ({ name, title, clause, judge }): Check => ({
        id: `consistency/${kind}/${name}`,
        title: `A ${kind} ${title}`,
        clause: clause(contract, kind),
        ...{ phase: 'end', levels: [], partOf: KIND_LEVELS[kind] },
        async run(context) {
          const histories = await ownHistories(context, kind);
          return histories.flatMap((history) => judge(contract, history)).slice(0, FINDINGS_MAX);
        },
      }),
    ),
  );
  return [...again, ...rules];
}

/** Reads the run's transactions again, so that the rules see their final state. */
function readAgainCheck(contract: Contract, kind: TransactionKind): Check {
  const operation = contract.operation(OPERATION_NAMES[kind].read);
  const clause = specified(kind === 'payment' ? '4.4' : '4.7', operation.pointer);
  return {
    id: `consistency/${kind}/read-again`,
    title: `Every ${kind} of the run can be read at its end`,
    ...{ clause, phase: 'end', operation: operation.id, levels: [], partOf: KIND_LEVELS[kind] },
    async run(context) {
      const ids = (await ownHistories(context, kind)).map(({ id }) => id).slice(-READ_AGAIN_MAX);
      const exchanges = await Promise.all(ids.map((id) => context.send(readCall(contract, { kind, id }))));
      return exchanges
        .filter((exchange) => !isSuccess(operation, exchange))
        .map((exchange) => ({ at: 'status', expected: '200', found: foundStatus(exchange), clause, exchange }))
        .slice(0, FINDINGS_MAX);
    },
  };
}

const READ_AGAIN_MAX = 150;

async function ownHistories(context: Context, kind: TransactionKind): Promise<History[]> {
  await reachEachState(context, kind);
  const histories = listHistories(context.journal).filter(
    (history) => history.kind === kind && history.responses.length > 1,
  );
  if (histories.length === 0) throw new NotReached(`no ${kind} was created and read`, `correct what replay reports`);
  return histories;
}

function judgeStable(contract: Contract, { kind, responses }: History, field: string): Finding[] {
  const shown = responses.filter(({ body }) => readMember(body, field) !== undefined);
  const [first, ...rest] = shown;
  if (!first) return [];
  return rest
    .filter(({ body }) => readMember(body, field) !== readMember(first.body, field))
    .slice(0, 1)
    .map((other) => changeFinding(contract, kind, field, [first, other]));
}

/** Compares times with the service's clock, as shown by its Date header at the creation and the first read. */
function judgeClock(contract: Contract, { kind, creation, responses }: History): Finding[] {
  const finished = responses.find(({ body }) => readMember(body, 'finalized_at') !== undefined)?.exchange;
  const shown = [
    { name: 'created_at', exchange: creation, since: creation.startedAt },
    ...(finished ? [{ name: 'finalized_at', exchange: finished, since: creation.startedAt }] : []),
  ];
  return shown
    .flatMap(({ name, exchange, since }): Finding[] => {
      const time = readTime(readString(exchange.body, name) ?? '');
      const ahead = readClock(exchange) - exchange.endedAt;
      const [first, last] = [since + ahead - CLOCK_MS, exchange.endedAt + ahead + CLOCK_MS];
      if (Number.isNaN(time) || (time >= first && time <= last)) return [];
      const expected = `a time in UTC between ${new Date(since + ahead).toISOString()} and ${new Date(exchange.endedAt + ahead).toISOString()}`;
      const found = `${formatValue(readMember(exchange.body, name))}, ${describeOffset(time < first ? time - since - ahead : time - exchange.endedAt - ahead)}`;
      return [{ at: `body /${name}`, expected, found, clause: fieldClause(contract, kind, name), exchange }];
    })
    .slice(0, 1);
}

function judgeFinal(contract: Contract, { kind, responses }: History): Finding[] {
  const states = contract.machines[kind].states;
  const final = responses.find(({ status }) => states[status]?.final);
  if (!final) return [];
  const clause = specified('3', toPointer('x-state-machines', kind, 'states', final.status));
  return responses
    .filter(({ startedAt }) => startedAt >= final.endedAt)
    .flatMap((later) =>
      differingMembers(final.body, later.body, FINAL_FIELDS).map((field) =>
        changeFinding(contract, kind, field, [final, later], clause),
      ),
    )
    .slice(0, 1);
}

function judgeOrder(contract: Contract, { kind, responses }: History): Finding[] {
  const clause = contract.assumption('transitions');
  const { states } = contract.machines[kind];
  return responses
    .flatMap((later, index) =>
      responses
        .slice(0, index)
        .filter((one) => one.endedAt <= later.startedAt && !states[one.status]?.final)
        .filter((one) => states[later.status] && !reachable(contract.machines[kind], one.status).has(later.status))
        .map((one) => changeFinding(contract, kind, 'status', [one, later], clause)),
    )
    .slice(0, 1);
}

function judgeFinalizedAt(contract: Contract, { kind, responses }: History): Finding[] {
  const { states } = contract.machines[kind];
  const clause = fieldClause(contract, kind, 'finalized_at');
  return responses
    .flatMap(({ status, body, exchange }): Finding[] => {
      const finalized = readMember(body, 'finalized_at');
      const evidence = { clause, exchange };
      const at = 'body /finalized_at';
      if (finalized === undefined || finalized === null) return [];
      if (states[status] && !states[status].final) {
        return [{ at, expected: `absent in ${status}`, found: formatValue(finalized), ...evidence }];
      }
      const [created, ended] = [Date.parse(String(readMember(body, 'created_at'))), Date.parse(String(finalized))];
      // A service can round one of them to seconds.
      if (!(ended + ROUNDED_MS < created)) return [];
      const expected = `not before created_at ${formatValue(readMember(body, 'created_at'))}`;
      return [{ at, expected, found: formatValue(finalized), ...evidence }];
    })
    .slice(0, 1);
}

const ROUNDED_MS = 1_000;

/** Codes outside of the tables are tolerated (source 7.3); a code of the other table is of the wrong kind. */
function judgeDeclineReason(contract: Contract, history: History): Finding[] {
  const { kind } = history;
  const other: TransactionKind = kind === 'payment' ? 'payout' : 'payment';
  const own = declineReasons(contract, kind);
  const foreign = declineReasons(contract, other).filter((reason) => !own.includes(reason));
  const clause = specified('7.3', fieldClause(contract, kind, 'decline_reason').pointer);
  const open = contract.assumption('enums-open');
  return listBodies(history)
    .flatMap(({ body, exchange, delivery }): Finding[] => {
      const evidence = { exchange, delivery };
      const reason = readString(body, 'decline_reason');
      const status = readString(body, 'status');
      const at = 'body /decline_reason';
      if (reason === undefined) return [];
      if (foreign.includes(reason)) {
        return [
          { at, expected: `a reason for a ${kind}`, found: `${reason}, a reason for a ${other}`, clause, ...evidence },
        ];
      }
      if (status === 'FAILED' && !own.includes(reason)) {
        const meant = own.find((one) => one === reason.toUpperCase().replaceAll(/[^A-Z]+/g, '_'));
        return meant === undefined ? [] : [{ at, expected: meant, found: reason, clause: open, ...evidence }];
      }
      if (status === 'FAILED') return [];
      return [
        { at, expected: `absent in ${status}`, found: reason, clause: specified('2.2', clause.pointer), ...evidence },
      ];
    })
    .slice(0, 1);
}

/** More data is required, and `clarify` names it (source 3). */
function judgeAsks(_contract: Contract, { kind, responses }: History): Finding[] {
  const clause = specified('3', toPointer('x-state-machines', kind, 'states', 'EXTRA_DATA_NEEDED'));
  return responses
    .flatMap(({ status, body, exchange }): Finding[] => {
      const names = readMember(body, 'clarify');
      if (status !== 'EXTRA_DATA_NEEDED' || !Array.isArray(names) || names.length > 0) return [];
      const evidence = { clause, exchange };
      return [{ at: 'body /clarify', expected: 'the names of the items', found: '[]', ...evidence }];
    })
    .slice(0, 1);
}

const METHOD_FIELDS = ['payment_method', 'payment_method_type'];

/** A payout has no payment method (source 2.3), which is how a receiver tells it from a payment. */
function judgeKind(contract: Contract, history: History): Finding[] {
  if (history.kind === 'payment') return [];
  const clause = specified('2.3', fieldClause(contract, 'payout', 'transaction_id').pointer);
  return listBodies(history)
    .flatMap(({ body, exchange, delivery }) =>
      METHOD_FIELDS.filter((field) => readMember(body, field) !== undefined).map((field): Finding => {
        const found = formatValue(readMember(body, field));
        return { at: `body /${field}`, expected: 'absent from a payout', found, clause, exchange, delivery };
      }),
    )
    .slice(0, 1);
}

const FIND = 'findPayment';

/** Compares each response with the one before it in the same status, unless an action came between. */
export function judgeUnchanged(contract: Contract, { kind, responses }: History): Finding[] {
  const names = Object.keys(knownFields(contract));
  return responses
    .flatMap((later, index): Finding[] => {
      const before = responses[index - 1];
      if (!before || before.status !== later.status || before.endedAt > later.startedAt || isAction(later)) return [];
      const isLookup = [before, later].some(({ exchange }) => exchange?.call.operation.id === FIND);
      return names
        .filter((name) => !agree(readMember(before.body, name), readMember(later.body, name)))
        .map((name) => {
          const clause = isLookup
            ? specified('4.4', contract.operation(FIND).pointer)
            : fieldClause(contract, kind, name);
          return changeFinding(contract, kind, name, [before, later], clause);
        });
    })
    .slice(0, 1);
}

/** An action can make the service ask for other data in the same status. */
function isAction({ exchange }: Observation): boolean {
  return exchange?.call.operation.method !== 'get';
}

/** Whether the values are equal, or objects whose common members agree. They may differ in members that only one of them has. */
function agree(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  return Object.keys(one).every((name) => agree(one[name], other[name]));
}

/** Names the field, the values, and the two responses that disagree. */
export function changeFinding(
  contract: Contract,
  kind: TransactionKind,
  field: string,
  [one, other]: readonly [Observation, Observation],
  clause: Clause = fieldClause(contract, kind, field),
): Finding {
  const before = `${formatValue(readMember(one.body, field))}, as ${one.exchange?.call.operation.id ?? 'before'} returned it`;
  return {
    ...{ at: `body /${field}`, expected: before, found: formatValue(readMember(other.body, field)), clause },
    exchange: other.exchange,
  };
}
