/** Rules that hold for every webhook of the run. */
import type { Json } from '../../../../contract/src/model.ts';
import { reachable } from '../../../../contract/src/reference-model.ts';
import type { Check, Context } from '../../core/check.ts';
import { FINDINGS_MAX, type Finding, formatValue, NotReached } from '../../core/finding.ts';
import { differingMembers, type History, listHistories, readObservation } from '../../core/history.ts';
import { findAction, findEvent, knownFields, OPERATION_NAMES } from '../../core/transactions.ts';
import { type Clause, type Contract, specified } from '../../document/contract.ts';
import {
  brandedHeader,
  ID_HEADER,
  knownMistake,
  signatureMistakes,
  TIMESTAMP_HEADER,
} from '../../receiver/signature.ts';
import { type ReceivedDelivery, readString } from '../../service/exchange.ts';
import { deliveryClause, judgeDelivery, receivedDeliveries, webhookCheck } from './delivery.ts';

const FRESH_MS = 300_000;
/** A webhook and the response of a status endpoint can cross on their way. */
const SETTLE_MS = 500;
/** Events arrive at least once, so up to this many repetitions are fine. */
const REPEATS_MAX = 3;
/** A webhook that took so long to arrive has a reply for which its sender may no longer wait. Its timestamp is in seconds. */
const LATE_MS = 2_000;
const SECOND_MS = 1_000;

interface Received {
  readonly delivery: ReceivedDelivery;
  readonly history: History | undefined;
}

interface RunRule {
  readonly name: string;
  readonly title: string;
  readonly clause: (contract: Contract) => Clause;
  readonly judge: (
    context: Context,
    delivery: ReceivedDelivery,
    history: History | undefined,
  ) => Finding[] | Promise<Finding[]>;
}

const signature = (contract: Contract) => contract.assumption('signature');

const RULES: readonly RunRule[] = [
  {
    name: 'shape',
    title: 'Every webhook has the fields of its event, in JSON, by POST',
    clause: deliveryClause,
    judge({ contract }, delivery, history) {
      const event = history && findEvent(contract, history.kind, readString(delivery.body, 'status'));
      return event ? judgeDelivery(contract, event, delivery) : [];
    },
  },
  {
    name: 'branded-signature',
    title: 'Every webhook has the header X-<BRAND>-Signature',
    clause: (contract) => specified('5', contract.webhooks[0]?.pointer ?? ''),
    judge({ contract }, delivery) {
      if (brandedHeader(delivery) !== undefined) return [];
      const clause = specified('5', contract.webhooks[0]?.pointer ?? '');
      return [{ at: 'webhook header X-<BRAND>-Signature', expected: 'present', found: 'nothing', clause, delivery }];
    },
  },
  {
    name: 'signature',
    title: "Every webhook's signature is right for its id, timestamp and body",
    clause: signature,
    judge: judgeSignature,
  },
  {
    name: 'timestamp',
    title: 'Every webhook is signed at the time of its delivery',
    clause: signature,
    judge({ contract }, delivery) {
      const text = delivery.headers[TIMESTAMP_HEADER];
      const clause = signature(contract);
      const at = `webhook header ${TIMESTAMP_HEADER}`;
      const sentAt = Number(text) * 1_000;
      // That it is missing is found by the rule about the signature.
      if (text === undefined) return [];
      if (/^\d{1,12}$/.test(text) && Math.abs(sentAt - delivery.receivedAt) <= FRESH_MS) return [];
      return [
        { at, expected: 'whole seconds since 1970, within 5 minutes', found: formatValue(text), clause, delivery },
      ];
    },
  },
  {
    name: 'same-as-status',
    title: 'Every webhook is the object that the status endpoint returns',
    clause: deliveryClause,
    judge: judgeSame,
  },
  {
    name: 'explained',
    title: 'Every webhook belongs to the transaction of its address, in a status that it reached',
    clause: deliveryClause,
    judge: judgeExplained,
  },
];

/** A check for each rule, judged when everything else is done. */
export function deliveryChecks(contract: Contract): Check[] {
  const rules = RULES.map(({ name, title, clause, judge }) =>
    webhookCheck(name, title, clause(contract), {
      phase: 'end',
      levels: clause(contract).basis === 'specified' ? ['webhooks'] : [],
      async run(context) {
        const deliveries = await receivedWithHistory(context);
        if (name === 'signature' && context.settings.secret === undefined) {
          throw new NotReached('it needs the signing secret', 'set --secret');
        }
        const findings = await Promise.all(
          deliveries.map(({ delivery, history }) => judge(context, delivery, history)),
        );
        return findings.flat().slice(0, FINDINGS_MAX);
      },
    }),
  );
  const identity = webhookCheck(
    'identity',
    'All attempts of an event have the same webhook-id, and no two events share one',
    contract.assumption('retries'),
    { phase: 'end', run: async (context) => judgeIdentity(contract, await receivedWithHistory(context)) },
  );
  return [...rules, identity];
}

/** Several transactions have one address where a repeated creation is another transaction. */
function findHistory(histories: readonly History[] = [], delivery: ReceivedDelivery): History | undefined {
  const id = readString(delivery.body, 'transaction_id');
  return histories.find((history) => history.id === id) ?? histories[0];
}

async function receivedWithHistory(context: Context): Promise<Received[]> {
  const deliveries = await receivedDeliveries(context);
  const histories = Map.groupBy(listHistories(context.journal), ({ token }) => token);
  return deliveries.map((delivery) => ({ delivery, history: findHistory(histories.get(delivery.token), delivery) }));
}

async function judgeSignature({ contract, settings }: Context, delivery: ReceivedDelivery): Promise<Finding[]> {
  const clause = signature(contract);
  const { secret = '' } = settings;
  const mistakes = await signatureMistakes(delivery, secret);
  return mistakes.map(({ header, expected, found }) => {
    const known = found && knownMistake(contract.bundle, delivery, secret, found);
    return {
      at: `webhook header ${header}`,
      ...{ expected, found: [formatValue(found), known].filter(Boolean).join('. '), clause, delivery },
    };
  });
}

function judgeSame({ contract }: Context, delivery: ReceivedDelivery, history: History | undefined): Finding[] {
  const status = readString(delivery.body, 'status');
  const read = history?.responses.findLast(
    ({ status: shown, exchange }) =>
      shown === status && exchange?.call.operation.id === OPERATION_NAMES[history.kind].read,
  );
  if (!read || delivery.body === undefined) return [];
  const clause = deliveryClause(contract);
  // The data that the service asks for differ from round to round.
  const asked = asksAgain(history, status) ? findAction(status ?? '')?.list : undefined;
  const names = Object.keys(knownFields(contract)).filter((name) => name !== asked);
  return differingMembers(read.body, delivery.body, names).map((name) => ({
    at: `webhook body /${name}`,
    expected: `${formatValue((read.body as Record<string, Json>)[name])}, as ${read.exchange?.call.operation.id} returned it`,
    found: formatValue((delivery.body as Record<string, Json>)[name]),
    ...{ clause, delivery, exchange: read.exchange },
  }));
}

function asksAgain(history: History | undefined, status = ''): boolean {
  const action = findAction(status);
  return (history?.responses ?? []).some(
    (one) => action && one.status === status && one.exchange?.call.operation.id === action.operation,
  );
}

function judgeExplained({ contract }: Context, delivery: ReceivedDelivery, history: History | undefined): Finding[] {
  const clause = deliveryClause(contract);
  const observation = readObservation(delivery);
  const at = 'webhook body';
  if (!history || !observation) {
    const expected = history ? 'transaction_id and status' : 'a webhook of a transaction of this run';
    return [{ at, expected, found: formatValue(delivery.body), clause, delivery }];
  }
  const id = readString(delivery.body, 'transaction_id');
  if (id !== history.id) {
    return [{ at: 'webhook body /transaction_id', expected: history.id, found: formatValue(id), clause, delivery }];
  }
  const { states } = contract.machines[history.kind];
  const evidence = { at: 'webhook body /status', found: observation.status, delivery };
  if (!states[observation.status]) {
    return [{ ...evidence, expected: `one of ${Object.keys(states).join(', ')}`, clause }];
  }
  if (!findEvent(contract, history.kind, observation.status)) {
    const other = contract.assumption('other-webhooks');
    return [{ ...evidence, expected: 'a status that the contract notifies about', clause: other }];
  }
  return judgeReached(contract, history, observation.status, delivery);
}

/** A webhook reports a final status that the transaction doesn't get, or a status that later reads don't know yet. */
function judgeReached(
  contract: Contract,
  { kind, responses }: History,
  status: string,
  delivery: ReceivedDelivery,
): Finding[] {
  const machine = contract.machines[kind];
  const isFinal = (name: string) => machine.states[name]?.final === true;
  const ended = responses.findLast((read) => isFinal(read.status));
  const contradicting = isFinal(status) && ended?.status !== status ? ended : undefined;
  const behind = responses.find(
    (read) =>
      read.startedAt > delivery.receivedAt + SETTLE_MS &&
      read.exchange?.call.operation.id === OPERATION_NAMES[kind].read &&
      machine.states[read.status] &&
      !reachable(machine, status).has(read.status),
  );
  const read = contradicting ?? behind;
  if (!read) return [];
  const { exchange } = read;
  // A finished transaction stays finished (source 3). Of other statuses, the source doesn't say which can follow.
  const clause = isFinal(status) ? deliveryClause(contract) : contract.assumption('transitions');
  const expected = `${read.status}, as ${exchange?.call.operation.id} returned it`;
  return [{ at: 'webhook body /status', expected, found: status, clause, delivery, exchange }];
}

/** By webhook-id; and by address, with the status if it is final, else with the body. */
function judgeIdentity(contract: Contract, deliveries: readonly Received[]): Finding[] {
  const clause = contract.assumption('retries');
  const at = `webhook header ${ID_HEADER}`;
  const byId = new Map<string, ReceivedDelivery>();
  const accepted = new Map<string, number>();
  const byEvent = new Map<string, ReceivedDelivery>();
  const soonestMs = Math.min(...deliveries.map(({ delivery }) => travelMs(delivery)));
  return deliveries.flatMap(({ delivery, history }): Finding[] => {
    const id = delivery.headers[ID_HEADER];
    if (id === undefined) return [];
    const first = byId.get(id) ?? delivery;
    byId.set(id, first);
    if (first.text !== delivery.text || first.token !== delivery.token) {
      return [{ at, expected: 'another id for another event', found: id, clause, delivery }];
    }
    const status = readString(delivery.body, 'status') ?? '';
    const isFinal = Object.values(contract.machines).some(({ states }) => states[status]?.final);
    const event = `${delivery.token} ${isFinal ? status : delivery.text}`;
    const before = byEvent.get(event) ?? delivery;
    byEvent.set(event, before);
    // A service that asks for the same data twice sends two events with one body.
    if (before.headers[ID_HEADER] !== id && !asksAgain(history, status)) {
      return [{ at, expected: `${before.headers[ID_HEADER]}, as the first attempt had`, found: id, clause, delivery }];
    }
    const times = accepted.get(id) ?? 0;
    const isLate = travelMs(delivery) - soonestMs > LATE_MS;
    if (typeof delivery.reply === 'number' && delivery.reply < 300 && !isLate) accepted.set(id, times + 1);
    if (times !== REPEATS_MAX) return [];
    const expected = `no more attempts after a 2xx, of which ${REPEATS_MAX} are allowed`;
    return [{ at: 'webhook', expected, found: `${times + 1} deliveries of ${id}`, clause, delivery }];
  });
}

/** Milliseconds from the sending of a webhook to its arrival, by two clocks. */
function travelMs({ headers, receivedAt }: ReceivedDelivery): number {
  const sentAt = Number(headers[TIMESTAMP_HEADER]) * SECOND_MS;
  return Number.isNaN(sentAt) ? 0 : receivedAt - sentAt;
}
