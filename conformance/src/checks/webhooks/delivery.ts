/** Shared parts of the webhook checks: waiting for a delivery, and judging it. */

import type { Check, Context } from '../../core/check.ts';
import type { Event } from '../../core/events.ts';
import { type Finding, NotReached, show } from '../../core/finding.ts';
import { judgeValue } from '../../core/judge.ts';
import type { Tracked } from '../../core/tracked.ts';
import { type Clause, specified } from '../../document/basis.ts';
import type { Contract } from '../../document/contract.ts';
import { textOf } from '../../service/exchange.ts';
import { type Delivery, explainable } from '../../service/journal.ts';
import { events } from '../traffic.ts';

/** The remedy if no webhook arrives. */
export const CALLBACK =
  'the callback address has to be reachable; see --webhook-host, --webhook-port and --webhook-url';

/** A check of webhooks. */
export function webhookCheck(
  id: string,
  title: string,
  clause: Clause,
  rest: Pick<Check, 'run'> & Partial<Check>,
): Check {
  return { ...{ id: `webhook/${id}`, title, clause, phase: 'parallel', levels: [], partOf: ['webhooks'] }, ...rest };
}

/** The clause that webhooks rest on: events are sent to the callback address (source 6). */
export function sent({ webhooks }: Contract): Clause {
  return specified('6', webhooks[0]?.pointer ?? '');
}

/** Every webhook of the run, once there has been each event. Throws NotReached if none has arrived. */
export async function received(context: Context): Promise<readonly Delivery[]> {
  const { journal, receiver, settings } = context;
  await events(context, 'payment');
  if (settings.levels.includes('payouts')) await events(context, 'payout');
  const deliveries = explainable(journal);
  if (deliveries.length > 0) return deliveries;
  throw new NotReached(`no webhook has arrived at ${receiver.url}`, CALLBACK);
}

/** The first delivery with the status; undefined if none comes in time. */
export function arrived({ fixtures }: Context, tracked: Tracked, status: string): Promise<Delivery | undefined> {
  return fixtures.patience.webhook(tracked, status);
}

/** Says what came instead of a webhook. Throws NotReached if none came at all, since the service may not reach the kit. */
export function missing({ journal, settings, receiver }: Context, { id, endpoint }: Tracked, status: string): string {
  const { deliveries } = journal;
  if (deliveries.length === 0) {
    if (isLocal(settings.baseUrl)) return 'no webhook at all in this run';
    throw new NotReached(`no webhook has arrived at ${receiver.url}`, CALLBACK);
  }
  const isIt = ({ body }: Delivery) => textOf(body, 'transaction_id') === id && textOf(body, 'status') === status;
  if (deliveries.some(isIt)) return 'it came to the address of another transaction';
  return whatCame(endpoint);
}

/** The statuses of the webhooks that came to the address. */
export function whatCame({ deliveries }: Tracked['endpoint']): string {
  const came = deliveries.map(({ body }) => textOf(body, 'status') ?? 'one without a status');
  const count = came.length === 1 ? '1 webhook came' : `${came.length} webhooks came`;
  return came.length === 0 ? 'no webhook came here' : `${count} here: ${came.join(', ')}`;
}

export function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

/** Method, media type and fields of a delivery. */
export function judgeDelivery(contract: Contract, { operation, schema }: Event, delivery: Delivery): Finding[] {
  const post: Finding[] =
    delivery.method === 'POST'
      ? []
      : [{ at: 'webhook method', expected: 'POST', found: delivery.method, clause: specified('6', operation.pointer) }];
  if (delivery.body === undefined) {
    const clause = specified('6', operation.pointer);
    return [
      ...post,
      { at: 'webhook body', expected: 'JSON', found: show(delivery.text.slice(0, 100)), clause, delivery },
    ];
  }
  const shape = judgeValue(contract, schema, delivery.body, 'webhook body');
  return [...post, ...shape].map((finding) => ({ ...finding, delivery }));
}
