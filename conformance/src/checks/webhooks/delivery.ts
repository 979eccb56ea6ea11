/** Shared parts of the webhook checks: waiting for a delivery, and judging it. */

import type { Check, Context } from '../../core/check.ts';
import type { Event } from '../../core/events.ts';
import { type Finding, NotReached, show } from '../../core/finding.ts';
import { judgeValue } from '../../core/judge.ts';
import type { Tracked } from '../../core/tracked.ts';
import { type Clause, specified } from '../../document/basis.ts';
import type { Contract } from '../../document/contract.ts';
import { textOf } from '../../service/exchange.ts';
import type { Delivery } from '../../service/journal.ts';

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

/** The first delivery with the status; undefined if none comes in time. */
export function arrived({ settings }: Context, { endpoint }: Tracked, status: string): Promise<Delivery | undefined> {
  return endpoint.find((delivery) => textOf(delivery.body, 'status') === status, settings.timeoutMs);
}

/** Describes a missing webhook. Throws NotReached if none came at all, since the service may not reach the kit. */
export function missing({ journal, settings, receiver }: Context): string {
  const waited = `nothing within ${settings.timeoutMs} ms`;
  if (journal.deliveries.length > 0 || isLocal(settings.baseUrl)) return waited;
  throw new NotReached(`no webhook has arrived at ${receiver.url}`, CALLBACK);
}

function isLocal(url: string): boolean {
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
