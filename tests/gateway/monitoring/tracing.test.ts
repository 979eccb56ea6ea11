/** Traces lead from a request through steps and channel calls to webhooks, and never impede them. */
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallContext } from '../../../gateway/src/channels/channel.ts';
import { startTracing, type TracingOptions } from '../../../gateway/src/monitoring/tracing/start-tracing.ts';
import { readTracingSettings } from '../../../gateway/src/monitoring/tracing/tracing-settings.ts';
import { type CollectedSpan, startCollector } from '../../tools/collector.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { paymentRequest, REDIRECT } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, everyChannel, openTestSqlite, SIMULATOR, startTestGateway } from '../harness.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';

const CALLBACKS = { callbackAllow: ['127.0.0.0/8'] };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${CALLER}-01`;

afterEach(() => void vi.unstubAllEnvs());

/** Starts the collector of all the test's tracers, which responds with the status. */
async function collect(status?: number) {
  const collector = await startCollector(status);
  afterwards(collector.close);
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  return collector;
}

/** A tracer configured by the environment. */
async function startTracer(options: TracingOptions = {}) {
  const tracer = (await startTracing(options)) ?? expect.unreachable('traces are off');
  afterwards(() => tracer.end(0));
  return tracer;
}

/** The names of a span and its ancestors, up to the first uncollected one. */
function listAncestors(spans: readonly CollectedSpan[], span: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? listAncestors(spans, parent) : [])];
}

describe('a trace', () => {
  it("continues the request's trace in its steps, the channel call, the webhook and its retry", async () => {
    const collector = await collect();
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=shop');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=staging');
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
    const options = { store: await openTestSqlite(), channels, tracer, log: recording.log, ...CALLBACKS };
    const { call, gateway, clock } = await startTestGateway(options);
    const body = paymentRequest({ callback_url: `${receiver.address}/secret-path` });
    const warned = recording.next(({ message }) => message === 'webhook not delivered');
    const { body: created, headers } = await call('POST', '/payments', body, { traceparent });
    const [line] = await Promise.all([warned, receiver.received(1)]);
    await gateway.idle();
    clock.advance(60_000);
    await receiver.received(2);
    await gateway.idle();
    expect(await tracer.end(10_000)).toBe(true);

    const { spans, requests } = collector;
    expect(requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'shop' } });
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
      resource: { 'service.name': 'payments-gateway', 'deployment.environment.name': 'staging' },
    });
    const work = ['advance payment', 'commit payment', 'POST /payments'];
    expect(listAncestors(spans, channel)).toEqual(['channel initiate', ...work]);
    expect(listAncestors(spans, webhook)).toEqual(['send webhook', 'commit payment', ...work]);
    expect(channel).toMatchObject({ kind: 3, attributes: { 'payments.channel.call': 'initiate' } });
    expect(contexts).toEqual([{ traceparent: `00-${TRACE}-${channel.spanId}-01` }]);
    expect(webhook).toMatchObject({ kind: 3, failed: true, attributes: { 'http.response.status_code': 500 } });
    expect(receiver.requests[0]?.headers['traceparent']).toBe(`00-${TRACE}-${webhook.spanId}-01`);
    expect(receiver.requests[1]?.headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-`));
    const responded = recording.lines.find(({ operation }) => operation === 'createPayment');
    expect(responded).toMatchObject({ trace_id: TRACE, span_id: server.spanId });
    expect(line).toMatchObject({ trace_id: TRACE, span_id: webhook.spanId });
  });

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
    // A malformed parent is ignored.
    await call('GET', `/payments?merchant_order_id=${body.merchant_order_id}`, undefined, {
      traceparent: `${traceparent}x`,
    });
    await gateway.idle();
    await tracer.end(10_000);
    const sent = JSON.stringify(collector.spans);
    const { id, name, phone } = request.customer;
    for (const secret of [key, page.split('/').at(-1), 'endpoint-secret', id, name, phone])
      expect(sent).not.toContain(secret);
    const servers = collector.spans.filter(({ kind }) => kind === 2);
    expect(servers.at(-1)?.traceId).not.toBe(TRACE);
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

describe('spans', () => {
  it('are counted and logged if refused by a collector, and requests succeed', async () => {
    await collect(400);
    const recording = recordingLog();
    const tracer = await startTracer({ log: recording.log, delayMs: 0 });
    const dropped = recording.next(({ message }) => message === 'traces dropped');
    const { call } = await startTestGateway({ tracer });
    expect((await call('GET', '/merchant/balance')).status).toBe(200);
    expect(await dropped).toMatchObject({ level: 'warn', spans: 1 });
    const { text } = await call('GET', '/metrics');
    expect(text).toMatch(/^gateway_spans_dropped_total\{reason="failed"\} 1$/m);
    expect(text).toMatch(/^gateway_spans_dropped_total\{reason="full"\} 0$/m);
  });

  it('are dropped above a limit, with one log line a minute', async () => {
    const hanging = await listenOnLoopback(createServer(() => undefined));
    afterwards(hanging.close);
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', hanging.url);
    let elapsed = 0;
    const timers = { elapsed: () => elapsed };
    const { log, lines } = recordingLog();
    const tracer = await startTracer({ log, timers, waitingMax: 2 });
    const begin = (count: number) => {
      for (let n = 0; n < count; n++) tracer.start({ name: 'span', kind: 'internal' }).end();
    };
    begin(5);
    expect(tracer.dropped()).toEqual({ full: 3, failed: 0 });
    elapsed = 60_000;
    begin(1);
    const dropped = { level: 'warn', message: 'traces dropped', reason: 'the collector is too slow' };
    expect(lines).toEqual([
      { ...dropped, spans: 1 },
      { ...dropped, spans: 3 },
    ]);
    expect(await tracer.end(0)).toBe(false);
  });
});

describe('the settings of traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
  const byDefault = { sampler: 'parentbased_always_on', ratio: 1, propagates: true };
  const ratio = { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };

  it.each([
    ['off without a destination', { OTEL_SERVICE_NAME: 'gateway', OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    ['off with OTEL_SDK_DISABLED', { ...endpoint, OTEL_SDK_DISABLED: 'true' }, undefined],
    ['on with an endpoint', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }, byDefault],
    ['sampled', ratio, { ...byDefault, sampler: 'traceidratio', ratio: 0.1 }],
    ['not propagated', { ...endpoint, OTEL_PROPAGATORS: 'none' }, { ...byDefault, propagates: false }],
  ])('are %s', (_what, env, settings) => {
    expect(readTracingSettings(env)).toEqual({ settings, warnings: [] });
  });

  it.each([
    ['a protocol', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, undefined],
    ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, undefined],
    ['a sampler', { OTEL_TRACES_SAMPLER: 'jaeger_remote' }, byDefault],
    ['an argument', { ...ratio, OTEL_TRACES_SAMPLER_ARG: '10%' }, { ...byDefault, sampler: 'traceidratio' }],
  ])('warn of the unknown %s', (_what, env, settings) => {
    const warnings = [expect.stringContaining(Object.keys(env).at(-1) ?? '')];
    expect(readTracingSettings({ ...endpoint, ...env })).toEqual({ settings, warnings });
  });

  it('log their warnings', async () => {
    await collect();
    vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc');
    const { log, lines } = recordingLog();
    expect(await startTracing({ log })).toBeUndefined();
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('port 4318') }]);
  });
});
