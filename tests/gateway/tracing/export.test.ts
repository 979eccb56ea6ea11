/** The export of traces: a slow or missing collector doesn't affect requests. */
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTracing } from '../../../gateway/src/monitoring/tracing/start-tracing.ts';
import { readTracingSettings } from '../../../gateway/src/monitoring/tracing/tracing-settings.ts';
import { startCollector } from '../../tools/collector.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, startTestGateway } from '../harness.ts';
import { collect, startTracer } from './traced.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Accepts connections, and never responds. */
async function startHangingCollector(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Stopwatch of a test. */
function stopwatch() {
  let now = 0;
  const advance = (ms: number) => {
    now += ms;
  };
  return { elapsed: () => now, advance };
}

const SPAN = { name: 'span', kind: 'internal' } as const;

describe('spans', () => {
  it('are sent to the endpoint, with the headers and attributes in the variables', async () => {
    const collector = await collect();
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=shop');
    vi.stubEnv('OTEL_SERVICE_NAME', 'payments-of-the-shop');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=staging');
    const tracer = await startTracer();
    tracer.start(SPAN).end();
    expect(await tracer.end(10_000)).toBe(true);
    expect(collector.requests).toMatchObject([
      { path: '/v1/traces', headers: { 'x-tenant': 'shop', 'content-type': 'application/x-protobuf' } },
    ]);
    expect(collector.spans[0]?.resource).toMatchObject({
      'service.name': 'payments-of-the-shop',
      'deployment.environment.name': 'staging',
      'service.version': expect.any(String),
    });
  });

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
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', await startHangingCollector());
    const timers = stopwatch();
    const { log, lines } = recordingLog();
    const tracer = await startTracer({ log, timers, waitingMax: 2 });
    const begin = (count: number) => {
      for (let n = 0; n < count; n++) tracer.start(SPAN).end();
    };
    begin(5);
    expect(tracer.dropped()).toEqual({ full: 3, failed: 0 });
    timers.advance(60_000);
    begin(1);
    const dropped = { level: 'warn', message: 'traces dropped', reason: 'the collector is too slow' };
    expect(lines).toEqual([
      { ...dropped, spans: 1 },
      { ...dropped, spans: 3 },
    ]);
    expect(await tracer.end(0)).toBe(false);
  });
});

describe('traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
  const byDefault = { sampler: 'parentbased_always_on', ratio: 1, propagates: true };

  it.each([
    ['without a variable', {}],
    ['with an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['with OTEL_SDK_DISABLED', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['with the exporter none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
    ['with settings that send nothing anywhere', { OTEL_SERVICE_NAME: 'gateway', OTEL_TRACES_SAMPLER: 'always_on' }],
  ])('are off %s', (_what, env) => {
    expect(readTracingSettings(env)).toEqual({ settings: undefined, warnings: [] });
  });

  it.each([
    ['with an endpoint', endpoint, byDefault],
    ['with one of their own', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }, byDefault],
    ['with the exporter alone', { OTEL_TRACES_EXPORTER: 'otlp' }, byDefault],
    [
      'with a part of them kept',
      { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      { ...byDefault, sampler: 'traceidratio', ratio: 0.1 },
    ],
    ['without propagation', { ...endpoint, OTEL_PROPAGATORS: 'none' }, { ...byDefault, propagates: false }],
    ['with further propagators', { ...endpoint, OTEL_PROPAGATORS: 'tracecontext,baggage' }, byDefault],
  ])('are on %s', (_what, env, settings) => {
    expect(readTracingSettings(env)).toEqual({ settings, warnings: [] });
  });

  it.each([
    ['an exporter', { OTEL_TRACES_EXPORTER: 'zipkin' }, undefined],
    ['a protocol', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, undefined],
    ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, undefined],
    ['a sampler', { OTEL_TRACES_SAMPLER: 'jaeger_remote' }, byDefault],
    ['an argument', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' }, { ratio: 1 }],
    ['propagators', { OTEL_PROPAGATORS: 'b3' }, { propagates: false }],
  ])('warn of the unknown %s', (_what, env, settings) => {
    const choice = readTracingSettings({ ...endpoint, ...env });
    if (settings) expect(choice.settings).toMatchObject(settings);
    else expect(choice.settings).toBeUndefined();
    expect(choice.warnings).toEqual([expect.stringContaining(Object.keys(env).at(-1) ?? '')]);
  });

  it('are off with a warning if they cannot be sent, and the gateway starts', async () => {
    const { url, close } = await startCollector();
    afterwards(close);
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
    vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc');
    const { log, lines } = recordingLog();
    expect(await startTracing({ log })).toBeUndefined();
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('port 4318') }]);
  });
});
