/** Shared parts of the webhook checks: wait for a delivery, and validate it. */

import type { Operation } from '../../../../contract/src/model.ts';
import type { Check, Context } from '../../core/check.ts';
import { type Finding, formatValue, NotReached } from '../../core/finding.ts';
import { judgeValue } from '../../core/judge.ts';
import type { ReportedStatus, TrackedTransaction } from '../../core/transactions.ts';
import { type Clause, type Contract, specified } from '../../document/contract.ts';
import {
  explainable,
  JSON_MEDIA_TYPE,
  parseMediaType,
  type ReceivedDelivery,
  readString,
} from '../../service/exchange.ts';
import { awaitEvents } from '../levels.ts';

export function webhookCheck(
  id: string,
  title: string,
  clause: Clause,
  rest: Pick<Check, 'run'> & Partial<Check>,
): Check {
  return { ...{ id: `webhook/${id}`, title, clause, phase: 'parallel', levels: [], partOf: ['webhooks'] }, ...rest };
}

/** The clause that webhooks rest on: events are sent to the callback address (source 6). */
export function deliveryClause({ webhooks }: Contract): Clause {
  return specified('6', webhooks[0]?.pointer ?? '');
}

/** Every webhook of the run, once there has been each event. Throws NotReached if none has arrived. */
export async function receivedDeliveries(context: Context): Promise<readonly ReceivedDelivery[]> {
  const { journal, settings } = context;
  await awaitEvents(context, 'payment');
  if (settings.levels.includes('payouts')) await awaitEvents(context, 'payout');
  const deliveries = explainable(journal);
  if (deliveries.length > 0) return deliveries;
  throw nothingArrived(context);
}

/** The reason if no webhook has arrived at all, so the service may not reach the kit. Recorded traffic has no receiver. */
function nothingArrived({ receiver, settings }: Context): NotReached {
  if (!URL.canParse(receiver.url)) return new NotReached('no webhook was recorded', 'record webhooks too');
  const service = new URL(settings.baseUrl).hostname;
  const remedy =
    isLocal(receiver.url) && !isLocal(settings.baseUrl)
      ? `${service} can't reach it: use --webhook-host 0.0.0.0, and --webhook-url with this machine's address or a tunnel`
      : 'let the service send a POST there; if it runs in a container, use --webhook-host 0.0.0.0 --webhook-port 8080 --webhook-url http://host.docker.internal:8080';
  return new NotReached(`no webhook has arrived at ${receiver.url}`, remedy);
}

/** Describes the received webhooks. Throws NotReached if there are none, since the kit may be unreachable. */
export function describeMissing(context: Context, tracked: TrackedTransaction, status: string): string {
  const { id, endpoint } = tracked;
  const { deliveries } = context.journal;
  if (deliveries.length === 0) {
    if (isLocal(context.settings.baseUrl)) return 'no webhook at all in this run';
    throw notArrived(context, tracked, status);
  }
  const isIt = ({ body }: ReceivedDelivery) =>
    readString(body, 'transaction_id') === id && readString(body, 'status') === status;
  if (deliveries.some(isIt)) return 'it came to the address of another transaction';
  return describeReceived(endpoint);
}

/** The reason if a webhook that a check needs has not arrived in time. Once others have, the address is reachable. */
export function notArrived(context: Context, { endpoint }: TrackedTransaction, name: string): NotReached {
  if (context.journal.deliveries.length === 0) return nothingArrived(context);
  const remedy = 'send it sooner after the change, or raise --timeout';
  return new NotReached(`${name} has not arrived in time: ${describeReceived(endpoint)}`, remedy);
}

/** The statuses of the webhooks that came to the address. */
export function describeReceived({ deliveries }: TrackedTransaction['endpoint']): string {
  const came = deliveries.map(({ body }) => readString(body, 'status') ?? 'one without a status');
  const count = came.length === 1 ? '1 webhook came' : `${came.length} webhooks came`;
  return came.length === 0 ? 'no webhook came here' : `${count} here: ${came.join(', ')}`;
}

function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

/** Method, media type and fields of a delivery. */
export function judgeDelivery(
  contract: Contract,
  { operation, schema }: ReportedStatus,
  delivery: ReceivedDelivery,
): Finding[] {
  const post: Finding[] =
    delivery.method === 'POST'
      ? []
      : [{ at: 'webhook method', expected: 'POST', found: delivery.method, clause: specified('6', operation.pointer) }];
  if (delivery.body === undefined) {
    const clause = specified('6', operation.pointer);
    return [
      ...post,
      { at: 'webhook body', expected: 'JSON', found: formatValue(delivery.text.slice(0, 100)), clause, delivery },
    ];
  }
  const shape = judgeValue(contract, schema, delivery.body, 'webhook body');
  return [...post, ...judgeType(contract, operation, delivery), ...shape].map((finding) => ({ ...finding, delivery }));
}

/** Frameworks of receivers parse a body only if its header declares JSON. */
function judgeType(contract: Contract, { request }: Operation, { headers }: ReceivedDelivery): Finding[] {
  const type = parseMediaType(headers['content-type'] ?? '');
  if (!request || JSON_MEDIA_TYPE.test(type)) return [];
  const expected = request.mediaType;
  // Standard Webhooks says so. The source says only that bodies are JSON (4).
  return [
    { at: 'webhook header content-type', expected, found: type || 'nothing', clause: contract.assumption('signature') },
  ];
}
