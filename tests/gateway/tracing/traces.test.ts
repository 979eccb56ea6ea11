/** Traces lead from a request through steps and channel calls to webhooks, across processes. */
import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../gateway/src/channels/channel.ts';
import { CLAIM_MS } from '../../../gateway/src/transactions/services.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { paymentRequest, REDIRECT } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { everyChannel, openTestSqlite, SIMULATOR, startTestGateway } from '../harness.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';
import { collect, listAncestors, startTracer } from './traced.ts';

const CALLBACKS = { callbackAllow: ['127.0.0.0/8'] };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${CALLER}-01`;

describe('a trace', () => {
  const open = openTestSqlite;
  it("continues the request's trace in its steps, the channel call and the webhook", async () => {
    const collector = await collect();
    const tracer = await startTracer();
    const recording = recordingLog();
    const receiver = await startReceiver(status(500));
    const contexts: (CallContext | undefined)[] = [];
    const channels = everyChannel({
      initiate(payment, now, context) {
        contexts.push(context);
        return SIMULATOR.initiate(payment, now);
      },
    });
    const options = { store: await open(), channels, tracer, log: recording.log, ...CALLBACKS };
    const { call, gateway } = await startTestGateway(options);
    const body = paymentRequest({ callback_url: `${receiver.address}/secret-path` });
    const warned = recording.next(({ message }) => message === 'webhook not delivered');
    const { body: created, headers } = await call('POST', '/payments', body, { traceparent });
    const [line] = await Promise.all([warned, receiver.received(1)]);
    await gateway.idle();
    expect(await tracer.end(10_000)).toBe(true);

    const { spans } = collector;
    expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => TRACE));
    const byName = (name: string) => spans.find((span) => span.name === name) ?? expect.unreachable(name);
    const [server, channel, webhook] = [byName('POST /payments'), byName('channel initiate'), byName('send webhook')];
    expect(server).toMatchObject({
      parentSpanId: CALLER,
      kind: 2,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/payments',
        'url.path': '/payments',
        'http.response.status_code': 200,
        'payments.request.id': headers['x-request-id'],
        'payments.transaction.id': created.transaction_id,
      },
      resource: { 'service.name': 'payments-gateway' },
    });
    const work = ['advance payment', 'commit payment', 'POST /payments'];
    expect(listAncestors(spans, channel)).toEqual(['channel initiate', ...work]);
    expect(listAncestors(spans, webhook)).toEqual(['send webhook', 'commit payment', ...work]);
    expect(channel).toMatchObject({ kind: 3, attributes: { 'payments.channel.call': 'initiate' } });
    expect(contexts).toEqual([{ traceparent: `00-${TRACE}-${channel.spanId}-01` }]);
    expect(webhook).toMatchObject({ kind: 3, failed: true, attributes: { 'http.response.status_code': 500 } });
    expect(receiver.requests[0]?.headers['traceparent']).toBe(`00-${TRACE}-${webhook.spanId}-01`);
    const responded = recording.lines.find(({ operation }) => operation === 'createPayment');
    expect(responded).toMatchObject({ trace_id: TRACE, span_id: server.spanId });
    expect(line).toMatchObject({ trace_id: TRACE, span_id: webhook.spanId });
  });

  it('continues in the process that takes over, with its webhook', async () => {
    const collector = await collect();
    const store = await open();
    const receiver = await startReceiver();
    const [called, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const channels = everyChannel({
      async initiate(...call) {
        called.resolve();
        await gate.promise;
        return SIMULATOR.initiate(...call);
      },
    });
    const [first, second] = [await startTracer(), await startTracer()];
    const shared = { store, ...CALLBACKS };
    // Its clock is stopped, so it claims no further work.
    const hangs = { ...shared, tracer: first, channels, channelMsMax: 600_000 };
    const { call } = await startTestGateway(hangs);
    await call('POST', '/payments', paymentRequest({ callback_url: receiver.address }), { traceparent });
    await called.promise;
    const other = await startTestGateway({ ...shared, tracer: second });
    other.clock.advance(CLAIM_MS);
    await receiver.received(1);
    await other.gateway.idle();
    await second.end(10_000);
    gate.resolve();
    await first.end(10_000);

    const { spans } = collector;
    const webhook = spans.find(({ name }) => name === 'send webhook') ?? expect.unreachable('no webhook');
    expect(webhook.traceId).toBe(TRACE);
    expect(listAncestors(spans, webhook).slice(-3)).toEqual(['advance payment', 'commit payment', 'POST /payments']);
    const instances = ['POST /payments', 'send webhook'].map(
      (name) => spans.find((span) => span.name === name)?.resource['service.instance.id'],
    );
    expect(new Set(instances).size).toBe(2);
  });
});

describe('the trace of a request', () => {
  it("links a later request to the creation's trace, which later work continues", async () => {
    const collector = await collect();
    const tracer = await startTracer();
    const test = await startTestGateway({ tracer });
    const { body } = await test.call('POST', '/payments', paymentRequest(), { traceparent });
    const asked = await settled(test, test.call, body.transaction_id);
    const another = traceparent.replaceAll('4', '5');
    await test.call('POST', `/payments/${body.transaction_id}/confirm`, confirmation(asked), { traceparent: another });
    test.clock.advance(60_000);
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'SUCCESS' });
    await tracer.end(10_000);
    const { spans } = collector;
    const taken = spans.find(({ parentSpanId, name }) => {
      const parent = spans.find(({ spanId }) => spanId === parentSpanId);
      return name === 'commit payment' && parent?.attributes['http.route']?.toString().endsWith('/confirm');
    });
    expect(taken).toMatchObject({ traceId: another.split('-')[1], links: [TRACE] });
    expect(spans.find(({ name }) => name === 'channel verify')).toMatchObject({ traceId: TRACE, links: [] });
  });

  it.each([
    ['malformed', '00-4bf92f3577b34da6a3ce929d0e0e4736-01'],
    ['with an id of zeros', `00-${'0'.repeat(32)}-${CALLER}-01`],
    ['of an unknown version that is forbidden', `ff-${TRACE}-${CALLER}-01`],
    ['sent twice', `${traceparent}, ${traceparent}`],
  ])('is a new one if traceparent is %s', async (_what, given) => {
    const collector = await collect();
    const tracer = await startTracer();
    const { call } = await startTestGateway({ tracer });
    expect((await call('GET', '/merchant/balance', undefined, { traceparent: given })).status).toBe(200);
    await tracer.end(10_000);
    expect(collector.spans).toMatchObject([{ name: 'GET /merchant/balance', parentSpanId: '' }]);
    expect(collector.spans[0]?.traceId).not.toBe(TRACE);
  });

  it('has no keys, customer data or page tokens, and skips probes', async () => {
    const collector = await collect();
    const tracer = await startTracer();
    const receiver = await startReceiver();
    const { call, key, gateway } = await startTestGateway({ tracer, ...CALLBACKS });
    const request = paymentRequest({ callback_url: `${receiver.address}/endpoint-secret` }, REDIRECT);
    const { body } = await call('POST', '/payments', request);
    const page = new URL(body.redirect_url).pathname;
    await call('GET', page);
    await call('GET', '/health/live');
    await call('GET', `/payments/${key}`);
    await call('GET', `/${key}`);
    await call('GET', `/payments/${body.transaction_id}`);
    await call('GET', `/payments?merchant_order_id=${body.merchant_order_id}`);
    await gateway.idle();
    await tracer.end(10_000);
    const sent = JSON.stringify(collector.spans);
    const { id, name, phone } = request.customer;
    for (const secret of [key, page.split('/').at(-1), 'endpoint-secret', id, name, phone])
      expect(sent).not.toContain(secret);
    const servers = collector.spans.filter(({ kind }) => kind === 2);
    expect(servers.map(({ name: route, attributes }) => [route, attributes['url.path']])).toEqual([
      ['POST /payments', '/payments'],
      ['GET /checkout/{token}', '/checkout/{token}'],
      ['GET /payments/{transaction_id}', '/payments/{transaction_id}'],
      ['GET', undefined],
      ['GET /payments/{transaction_id}', `/payments/${body.transaction_id}`],
      ['GET /payments', '/payments'],
    ]);
  });
});
