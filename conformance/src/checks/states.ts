/** Statuses: each is reached and returned, actions are allowed in one status only, and each decline has its reason. */

import type { JsonObject } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { foundStatus, judgeResponse, settled, valueAt } from '../core/judge.ts';
import type { Level } from '../core/settings.ts';
import {
  actions,
  askedItems,
  declineReasons,
  findAction,
  judgeEcho,
  KINDS,
  knownFields,
  lastSeen,
  OPERATION_NAMES,
  readCall,
  readOrderId,
  readStatus,
  type TrackedTransaction,
  unlistedReasons,
} from '../core/transactions.ts';
import { type Clause, type Contract, findSuccess, specified } from '../document/contract.ts';
import { type Goal, goalKind, type PaymentGoal } from '../drivers/driver.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import { judgeRejection } from './bad-input.ts';
import { findByOrder } from './customers/round-trip.ts';
import { claimedFlow, KIND_LEVELS } from './levels.ts';
import { leavingChecks, noReturnCheck, pageCheck } from './payment-page.ts';

/** A payment can rush through these, so that no read finds it there. */
const PASSING = new Set(['CREATED', 'VERIFYING', 'PROCESSING']);

export function stateChecks(contract: Contract): Check[] {
  return [
    ...reachGoals(contract).map((goal) => reachCheck(contract, goal)),
    clarifiedCheck(contract),
    pageCheck(contract),
    noReturnCheck(contract),
    ...leavingChecks(contract),
    ...KINDS.flatMap((kind) => transitionChecks(contract, kind)),
    ...openingChecks(contract),
    ...illegalChecks(contract),
    clarifiedAgainCheck(contract),
    ...actions().map(([status]) => incompleteCheck(contract, status)),
    ...KINDS.flatMap((kind) =>
      [...declineReasons(contract, kind), ...unlistedReasons(contract, kind)].map((reason) =>
        declineCheck(contract, kind, reason),
      ),
    ),
    waysCheck(contract),
  ];
}

/** The goal of each state, for each flow. */
function reachGoals({ machines: { payment, payout } }: Contract): Goal[] {
  const redirect = Object.entries(payment.states).filter(([, { flows }]) => flows?.includes('redirect'));
  return [
    ...Object.keys(payment.states).map((until): Goal => ({ flow: 'h2h', until })),
    ...redirect.map(([until]): Goal => ({ flow: 'redirect', until })),
    ...Object.keys(payout.states).map((until): Goal => ({ until })),
  ];
}

/** The goals without which a level isn't shown. */
export function requiredGoals(contract: Contract): { level: Level; goal: Goal }[] {
  const required = reachGoals(contract).filter(({ until }) => !PASSING.has(until));
  return required.map((goal) => ({ level: findLevel(goal), goal }));
}

function findLevel(goal: Goal): Level {
  if (!('flow' in goal)) return 'payouts';
  return goal.flow === 'h2h' ? 'payments-h2h' : 'payments-redirect';
}

function reachCheck(contract: Contract, goal: Goal): Check {
  const kind = goalKind(goal);
  const name = 'flow' in goal ? `payment/${goal.flow}` : 'payout';
  const level = findLevel(goal);
  return {
    id: `state/${name}/${goal.until}`,
    title: `A ${name.replace('/', ' by ')} reaches ${goal.until} and is read there`,
    clause: contract.clause(toPointer('x-state-machines', kind, 'states', goal.until)),
    ...{ phase: 'parallel', operation: OPERATION_NAMES[kind].read },
    levels: PASSING.has(goal.until) ? [] : [level],
    partOf: [level],
    async run(context) {
      const tracked = await context.fixtures.reach(goal);
      return judgeReads(contract, tracked);
    },
  };
}

/** Each move between two statuses that the service makes. Where a customer makes it, by redirect, other checks do. */
function transitionChecks(contract: Contract, kind: TransactionKind): Check[] {
  return contract.machines[kind].transitions.flatMap(({ from, to, by, tolerated }, index): Check[] => {
    if (from === null || by === 'customer' || tolerated) return [];
    const goal: Goal = kind === 'payment' ? { flow: 'h2h', from, until: to } : { from, until: to };
    return [
      {
        ...reachCheck(contract, goal),
        id: `transition/${kind}/${from}-${to}`,
        title: `A ${kind} moves from ${from} to ${to}, and reads show both`,
        clause: contract.clause(toPointer('x-state-machines', kind, 'transitions', index)),
        levels: [],
        async run(context) {
          if (context.driver.move) return judgeReads(contract, await context.fixtures.reach(goal));
          throw new NotReached(
            'the driver has no `move`',
            'add `move` to the driver, if your service can be simulated',
          );
        },
      },
    ];
  });
}

/** Each status in which a payment can be created. */
function openingChecks(contract: Contract): Check[] {
  return contract.machines.payment.transitions.flatMap(({ from, to, tolerated }, index): Check[] => {
    if (from !== null || tolerated) return [];
    const goal: PaymentGoal = { flow: 'h2h', until: to, opensIn: to };
    return [
      {
        ...reachCheck(contract, goal),
        id: `opening/payment/${to}`,
        title: `The response to createPayment shows the status ${to}`,
        clause: contract.clause(toPointer('x-state-machines', 'payment', 'transitions', index)),
        levels: [],
        async run(context) {
          const tracked = await context.fixtures.reach(goal);
          const opened = readString(tracked.creation.body, 'status');
          if (opened !== to) throw new NotReached(`the payment was created in ${opened}`, 'let the driver create one');
          const { operation } = tracked.creation.call;
          return [
            ...judgeResponse(contract, tracked.creation, findSuccess(operation).status),
            ...judgeReads(contract, tracked),
          ];
        },
      },
    ];
  });
}

/** A payment through EXTRA_DATA_NEEDED to SUCCESS. */
function clarifiedCheck(contract: Contract): Check {
  const goal: PaymentGoal = { flow: 'h2h', until: 'SUCCESS', asks: true };
  return {
    ...reachCheck(contract, goal),
    id: 'state/payment/h2h/SUCCESS-after-clarify',
    title: 'A payment by h2h reaches SUCCESS by way of EXTRA_DATA_NEEDED',
    async run(context) {
      const tracked = await context.fixtures.reach(goal);
      if (!tracked.actions.some(({ call }) => call.operation.id === 'clarifyPayment')) {
        throw new NotReached('the payment asked for no data', 'let the driver create one that asks for data');
      }
      return judgeReads(contract, tracked);
    },
  };
}

/** Every read of the transaction so far, and every response to an action. */
function judgeReads(contract: Contract, tracked: TrackedTransaction): Finding[] {
  return [...tracked.reads, ...tracked.actions].flatMap((exchange) => [
    ...judgeResponse(
      contract,
      exchange,
      isDeclinedFirst(tracked, exchange) ? 409 : findSuccess(exchange.call.operation).status,
    ),
    ...judgeEcho(contract, tracked.kind, tracked.call.body, exchange),
  ]);
}

/** Whether the payment had been declined when the action arrived, so that 409 is right. */
function isDeclinedFirst({ reads }: TrackedTransaction, { status, endedAt }: Exchange): boolean {
  const next = reads.find(({ startedAt }) => startedAt >= endedAt);
  return status === 409 && readString(next?.body, 'status') === 'FAILED';
}

/** Each action in each status but its own. */
function illegalChecks(contract: Contract): Check[] {
  return actions().flatMap(([legal, { operation: id }]) =>
    Object.keys(contract.machines.payment.states)
      .filter((status) => status !== legal)
      .map(
        (status): Check => ({
          id: `state/illegal/${id}/${status}`,
          title: `${id} returns 409 for a payment in ${status}, which stays there`,
          clause: contract.assumption('transitions'),
          ...{ phase: 'parallel', operation: id, levels: [], partOf: ['payments-h2h'] },
          run: (context) => judgeIllegal(context, id, status),
        }),
      ),
  );
}

/** A payment with data already supplied. Others in the status may never have needed any. */
function clarifiedAgainCheck(contract: Contract): Check {
  const id = 'clarifyPayment';
  return {
    id: `state/illegal/${id}/again`,
    title: `${id} returns 409 without effect once the payment has its data`,
    clause: contract.assumption('transitions'),
    ...{ phase: 'parallel', operation: id, levels: [], partOf: ['payments-h2h'] },
    run: (context) => judgeIllegal(context, id, 'PAY_CONFIRMATION_NEEDED', true),
  };
}

async function judgeIllegal(context: Context, id: string, status: string, asks = false): Promise<Finding[]> {
  const { contract, driver, fixtures, send } = context;
  const tracked = await fixtures.reachNew({ flow: 'h2h', until: status, ...(asks && { asks }) });
  const operation = contract.operation(id);
  const example = operation.request?.examples[0]?.value as JsonObject;
  const [field = ''] = Object.keys(example);
  const body = { [field]: { ...driver.items(Object.keys(example[field] as JsonObject), lastSeen(tracked) ?? null) } };
  const exchange = await send({ operation, path: { transaction_id: tracked.id }, body });
  const clause = contract.assumption('transitions');
  const findings = judgeResponse(contract, exchange, 409, clause);
  const read = await fixtures.read(tracked);
  const found = readStatus(tracked);
  if (found === status) return findings;
  // A completed or declined payment is finished (source 2.2, 3).
  const isFinal = contract.machines.payment.states[status]?.final;
  const finality = specified('3', toPointer('x-state-machines', 'payment', 'states', status));
  return [
    ...findings,
    { at: 'body /status', expected: `still ${status}`, found, clause: isFinal ? finality : clause, exchange: read },
  ];
}

/** An action without one of the items that the payment names. */
function incompleteCheck(contract: Contract, status: string): Check {
  const { operation: id = '', list = '', field = '' } = findAction(status) ?? {};
  const isConfirm = id === 'confirmPayment';
  const clause: Clause = isConfirm
    ? specified('4.3', contract.operation(id).pointer)
    : contract.assumption('clarify-response');
  return {
    id: `state/incomplete/${id}`,
    title: `${id} rejects a request without an item that ${list} names`,
    ...{ clause, phase: 'parallel', operation: id, levels: [], partOf: ['payments-h2h'] },
    async run(context) {
      const { driver, fixtures, send } = context;
      const tracked = await fixtures.reachNew({ flow: 'h2h', until: status });
      const [missing, ...rest] = askedItems(tracked);
      if (missing === undefined) throw new NotReached(`${list} names no item`, '');
      // An object without items is another mistake.
      const others =
        rest.length > 0 ? driver.items(rest, lastSeen(tracked) ?? null) : { item_unknown_to_the_service: 'x' };
      const call = {
        operation: contract.operation(id),
        path: { transaction_id: tracked.id },
        body: { [field]: others },
      };
      const exchange = await send(call);
      const pointer = toPointer(field, missing);
      return judgeRejection(context, exchange, { clause, pointer, title: `${missing} is missing` }, async () => {
        const read = await fixtures.read(tracked);
        const found = readStatus(tracked);
        if (found !== status) {
          return [{ at: 'body /status', expected: `still ${status}`, found, clause, exchange: read }];
        }
        if (rest.length === 0) return [];
        // The items of the rejected request must not be kept.
        const items = driver.items([missing], lastSeen(tracked) ?? null);
        const again = await send({ ...call, body: { [field]: items } });
        if (again.status >= 400) return [];
        const expected = `a rejection, since ${rest.join(', ')} is missing`;
        return [{ at: 'status', expected, found: foundStatus(again), clause, exchange: again }];
      });
    },
  };
}

function declineCheck(contract: Contract, kind: TransactionKind, reason: string): Check {
  const level: Level = kind === 'payment' ? 'payments-h2h' : 'payouts';
  const [table, schema] = kind === 'payment' ? ['7.1', 'PaymentDeclineReason'] : ['7.2', 'PayoutDeclineReason'];
  const clause = declineReasons(contract, kind).includes(reason)
    ? specified(table, `/components/schemas/${schema}/anyOf/0/x-decline-reasons/${reason}`)
    : specified('7.3', `/components/schemas/${schema}`);
  return {
    id: `decline/${kind}/${reason}`,
    title: `A ${kind} is declined with ${reason}`,
    clause,
    ...{ phase: 'parallel', operation: OPERATION_NAMES[kind].read, levels: [], partOf: [level] },
    async run(context) {
      const goal = { until: 'FAILED', reason };
      const tracked = await context.fixtures.reach(kind === 'payment' ? { flow: 'h2h', ...goal } : goal);
      return judgeReads(contract, tracked);
    },
  };
}

/** The three ways to read a payment. */
function waysCheck(contract: Contract): Check {
  const operation = contract.operation('findPayment');
  return {
    id: 'lookup/three-ways',
    title: 'The three ways to read a payment return the same',
    clause: specified('4.4', operation.pointer),
    ...{ phase: 'parallel', operation: operation.id, levels: [], partOf: KIND_LEVELS.payment },
    async run(context) {
      const { fixtures, send, settings } = context;
      const tracked = await fixtures.reach({ flow: claimedFlow(settings), until: 'FAILED' });
      const read = async () => {
        const byId = await send(readCall(contract, tracked));
        const byQuery = await send({ operation, query: { transaction_id: tracked.id } });
        const byOrder = await findByOrder(context, readOrderId(tracked));
        return [byQuery, byOrder].flatMap((other) => judgeAgreement(contract, byId, other));
      };
      return settled(read);
    },
  };
}

function judgeAgreement(contract: Contract, one: Exchange, other: Exchange): Finding[] {
  const clause = specified('4.4', other.call.operation.pointer);
  if (one.status !== other.status) {
    return [{ at: 'status', expected: String(one.status), found: foundStatus(other), clause, exchange: other }];
  }
  const names = Object.keys((one.body ?? {}) as JsonObject).filter((name) => name in knownFields(contract));
  return names.flatMap((name): Finding[] => {
    const [expected, found] = [one, other].map(({ body }) => formatValue(valueAt(body, toPointer(name))));
    if (expected === found) return [];
    const as = `${expected}, as getPayment returns it`;
    return [{ at: `body ${toPointer(name)}`, expected: as, found: String(found), clause, exchange: other }];
  });
}
