/** Webhooks of every transaction of the run, to unusual addresses, and read on arrival. */
import { setTimeout as pause } from 'node:timers/promises';
import { readMember } from '../../../../contract/src/model.ts';
import { reachable } from '../../../../contract/src/reference-model.ts';
import type { Check, Context, CoveredPart } from '../../core/check.ts';
import { FINDINGS_MAX, type Finding, formatValue, NotReached } from '../../core/finding.ts';
import { type History, listHistories } from '../../core/history.ts';
import {
  findEvent,
  judgeEcho,
  knownFields,
  listEvents,
  OPERATION_NAMES,
  type ReportedStatus,
} from '../../core/transactions.ts';
import type { Contract } from '../../document/contract.ts';
import { ID_HEADER, TIMESTAMP_HEADER } from '../../receiver/signature.ts';
import { explainable, readString } from '../../service/exchange.ts';
import { deadlineIn } from '../../time/awake.ts';
import { longUrl } from '../customers/forms.ts';
import { claimedFlow, createGoal, KIND_LEVELS } from '../levels.ts';
import { deliveryClause, describeMissing, notArrived, receivedDeliveries, webhookCheck } from './delivery.ts';

const NOT_ASCII: CoveredPart = ['deliveries', 'with text outside ASCII'];
const POLL_MS = 100;
const QUERY = '?shop=7&next=%2Fa%20b&tag=a&tag=b&empty=';
/** Attempts within a shorter interval can have been signed in the same second. */
const APART_MS = 2_500;

/** Checks that make their own transactions. */
export function transactionWebhookChecks(contract: Contract): Check[] {
  return [
    webhookCheck('callback-query', 'A webhook comes with the query of its callback address', deliveryClause(contract), {
      covers: [['deliveries', 'to an address with a query']],
      run: (context) => judgeQuery(context, () => QUERY),
    }),
    webhookCheck(
      'long-callback',
      'A webhook comes to a callback address of 2,048 characters',
      contract.assumption('string-limits'),
      {
        covers: [['deliveries', 'to an address of 2,048 characters']],
        run: (context) => judgeQuery(context, (url) => longUrl(url).slice(url.length)),
      },
    ),
    ...listEvents(contract).map((event) => {
      const { operation, kind } = event;
      const title = `When ${operation.id} arrives, the ${kind} already has that status`;
      return webhookCheck(`on-arrival/${operation.id}`, title, deliveryClause(contract), {
        needs: KIND_LEVELS[kind],
        covers: [['deliveries', `${operation.id} read on arrival`]],
        run: (context) => judgeOnArrival(context, event),
      });
    }),
  ];
}

/** Checks that judge the whole run. */
export function completenessChecks(contract: Contract): Check[] {
  const check = (name: string, title: string, run: Check['run'], clause = deliveryClause(contract)) =>
    webhookCheck(name, title, clause, { phase: 'end', run });
  return [
    check('every-status', 'Every transaction of the run has its webhook for each status that it showed', judgeEvery),
    {
      ...check('echo', 'Every webhook shows what was sent to create its transaction', judgeSent),
      mayCover: [NOT_ASCII],
    },
    check('same-fields', 'Every webhook has the fields that the status endpoint returns, and no others', judgeFields),
    check(
      'retry-timestamp',
      'Every further attempt is signed at its own time',
      judgeTimes,
      contract.assumption('signature'),
    ),
  ];
}

async function judgeQuery(context: Context, queryFor: (url: string) => string): Promise<Finding[]> {
  const { contract, fixtures, receiver, settings } = context;
  const goal = { flow: claimedFlow(settings), until: 'FAILED' };
  const callbackQuery = queryFor(receiver.endpoint().url);
  const tracked = await fixtures.create('payment', fixtures.bodyFor(goal), { callbackQuery });
  await fixtures.drive(tracked, goal);
  const delivery = await fixtures.timeouts.webhook(tracked, 'FAILED');
  const clause = deliveryClause(contract);
  const at = 'webhook address';
  if (!delivery) {
    const expected = `a webhook at ${tracked.endpoint.url}${callbackQuery}`;
    return [{ at, expected, found: describeMissing(context, tracked, 'FAILED'), clause }];
  }
  if (delivery.query === callbackQuery) return [];
  return [{ at, expected: callbackQuery, found: delivery.query || 'no query', clause, delivery }];
}

async function judgeOnArrival(context: Context, { operation, kind, status }: ReportedStatus): Promise<Finding[]> {
  const { contract, fixtures, settings } = context;
  const goal = createGoal(kind, settings, status);
  const body = fixtures.bodyFor(goal);
  if (kind === 'payout') await fixtures.funded(String(body['currency']), Number(body['amount']));
  const tracked = await fixtures.create(kind, body);
  const driven = fixtures.drive(tracked, goal);
  driven.catch(() => undefined);
  const delivery = await context.fixtures.timeouts.webhook(tracked, status);
  if (!delivery) {
    await driven;
    throw notArrived(context, tracked, operation.id);
  }
  const read = await fixtures.read(tracked);
  await driven.catch(() => undefined);
  const found = readString(read.body, 'status') ?? '';
  if (reachable(contract.machines[kind], status).has(found)) return [];
  const expected = `${status}, as the webhook said before, or what it leads to`;
  return [{ at: 'body /status', expected, found, clause: deliveryClause(contract), delivery, exchange: read }];
}

/** Statuses that transactions have shown and no webhook has reported. */
function unreported(contract: Contract, histories: readonly History[]): [History, ReportedStatus][] {
  return histories.flatMap((history) =>
    [...new Set(history.responses.map(({ status }) => status))].flatMap((status): [History, ReportedStatus][] => {
      const event = findEvent(contract, history.kind, status);
      const isReported = history.deliveries.some(({ body }) => readString(body, 'status') === status);
      return event && !isReported ? [[history, event]] : [];
    }),
  );
}

/** This merchant's transactions, except where the receiver refused a webhook. */
function ownHistories({ journal, settings }: Context): History[] {
  const kept = new Set(explainable(journal).map(({ token }) => token));
  const refused = new Set(journal.deliveries.filter(({ reply }) => reply !== 204).map(({ token }) => token));
  return listHistories(journal).filter(({ creation, token, deliveries }) => {
    const { key } = creation.call;
    const isOwn = key === undefined || key === settings.key;
    return isOwn && token !== '' && !refused.has(token) && (deliveries.length === 0 || kept.has(token));
  });
}

async function judgeEvery(context: Context): Promise<Finding[]> {
  const { contract, receiver, settings, journal } = context;
  await receivedDeliveries(context);
  const deadline = deadlineIn(settings.timeoutMs);
  let lacking = unreported(contract, ownHistories(context));
  for (let count = journal.deliveries.length; lacking.length > 0 && !deadline.passed(); ) {
    await pause(POLL_MS);
    if (journal.deliveries.length === count) continue;
    count = journal.deliveries.length;
    lacking = unreported(contract, ownHistories(context));
  }
  return lacking.slice(0, FINDINGS_MAX).map(([{ id, token, creation, deliveries }, { operation, kind }]) => {
    const others = deliveries.map(({ body }) => readString(body, 'status')).join(', ');
    return {
      at: 'webhook',
      expected: `${operation.id} for the ${kind} ${id} at ${receiver.url}/${token}`,
      found: others === '' ? 'no webhook there' : `${others} there`,
      ...{ clause: deliveryClause(contract), exchange: creation },
    };
  });
}

async function judgeSent(context: Context): Promise<Finding[]> {
  await receivedDeliveries(context);
  const histories = ownHistories(context);
  const texts = histories.flatMap(({ deliveries }) => deliveries.map(({ body }) => JSON.stringify(body ?? null)));
  if (texts.some((text) => /[^\p{ASCII}]/u.test(text))) context.cover(...NOT_ASCII);
  const findings = histories.flatMap(({ kind, request, creation, deliveries }) =>
    deliveries.flatMap((delivery) =>
      judgeEcho(context.contract, kind, request, { ...creation, body: delivery.body ?? null }).map(
        ({ exchange: _creation, at, ...rest }): Finding => ({ ...rest, at: `webhook ${at}`, delivery }),
      ),
    ),
  );
  return findings.slice(0, FINDINGS_MAX);
}

/** Fields that the contract doesn't name are allowed on either side. */
async function judgeFields(context: Context): Promise<Finding[]> {
  const { contract } = context;
  await receivedDeliveries(context);
  const known = Object.keys(knownFields(contract));
  const findings = ownHistories(context).flatMap(({ kind, responses, deliveries }) =>
    deliveries.flatMap((delivery) => {
      const status = readString(delivery.body, 'status');
      const read = responses.findLast(
        (one) => one.status === status && one.exchange?.call.operation.id === OPERATION_NAMES[kind].read,
      );
      // The contract doesn't define other webhooks.
      if (!read?.exchange || !findEvent(contract, kind, status)) return [];
      const { exchange } = read;
      return known.flatMap((name): Finding[] => {
        const [shown, found] = [readMember(read.body, name), readMember(delivery.body, name)];
        if ((shown === undefined) === (found === undefined)) return [];
        const expected = `${formatValue(shown)}, as ${exchange.call.operation.id} returned it`;
        const evidence = { clause: deliveryClause(contract), delivery, exchange };
        return [{ at: `webhook body /${name}`, expected, found: formatValue(found), ...evidence }];
      });
    }),
  );
  return findings.slice(0, FINDINGS_MAX);
}

async function judgeTimes({ contract, journal }: Context): Promise<Finding[]> {
  const clause = contract.assumption('signature');
  const byId = Map.groupBy(explainable(journal), ({ headers }) => headers[ID_HEADER]);
  const pairs = [...byId].flatMap(([id, attempts]) => {
    const [first, ...later] = id === undefined ? [] : attempts;
    return first
      ? later.filter(({ receivedAt }) => receivedAt > first.receivedAt + APART_MS).map((next) => ({ first, next }))
      : [];
  });
  if (pairs.length === 0) throw new NotReached('no webhook came again later', 'run the checks of webhook/retry too');
  return (
    pairs
      // Attempts can arrive in another order than they were signed in, so only the same time proves anything.
      .filter(({ first, next }) => next.headers[TIMESTAMP_HEADER] === first.headers[TIMESTAMP_HEADER])
      .slice(0, FINDINGS_MAX)
      .map(({ first, next: delivery }) => ({
        at: `webhook header ${TIMESTAMP_HEADER}`,
        expected: `another one than ${first.headers[TIMESTAMP_HEADER]}, that of the first attempt`,
        ...{ found: formatValue(delivery.headers[TIMESTAMP_HEADER]), clause, delivery },
      }))
  );
}
