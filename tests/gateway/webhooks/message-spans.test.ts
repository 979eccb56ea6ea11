/** Spans of webhooks end with their attempts. */
import { expect, it } from 'vitest';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import type { Tracer } from '../../../gateway/src/platform/tracing.ts';
import { createMessageSender } from '../../../gateway/src/webhooks/message.ts';
import type { SendResult } from '../../../gateway/src/webhooks/retries.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';

const MESSAGE = { id: 'evt_1', merchantId: 1, url: 'https://shop.example/hook', body: '{}' };

/** Sends a webhook. Returns the errors of its spans, and the sent headers. */
async function send(result: SendResult | Error) {
  const ended: (string | undefined)[] = [];
  const sent: Readonly<Record<string, string>>[] = [];
  const tracer: Pick<Tracer, 'start'> = {
    start: () => ({
      ...{ traceparent: '00-a-b-01', passedOn: '00-a-b-01', fields: { trace_id: 'a', span_id: 'b' } },
      set: () => undefined,
      end: (error) => void ended.push(error),
    }),
  };
  const sign = async () => {
    if (result instanceof Error) throw result;
    return { 'webhook-id': 'evt_1' };
  };
  const services = { time: storeTime(new ManualClock(START)), tracer: tracer as Tracer };
  const sender = createMessageSender(services, { sign } as never, async (_url, headers) => {
    sent.push(headers);
    return result as SendResult;
  });
  await sender.send(MESSAGE).catch(() => undefined);
  return { ended, sent };
}

it.each<[string, SendResult | Error, string | undefined]>([
  ['a success after 204', { status: 204 }, undefined],
  ['a failure after a redirect, which is not followed', { status: 302 }, '302'],
  ['a failure without a response', { failure: 'connection refused' }, 'connection refused'],
  ['a failure if it could not be signed', new TypeError('no keys'), 'TypeError'],
])('is %s', async (_what, result, error) => {
  const { ended, sent } = await send(result);
  expect(ended).toEqual([error]);
  expect(sent).toEqual(result instanceof Error ? [] : [{ 'webhook-id': 'evt_1', traceparent: '00-a-b-01' }]);
});
