/** docs/operations/monitoring.md: a gateway with traces, and a payment with the guide's trace. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { afterwards } from '../gateway/harness/afterwards.ts';
import { type CollectedSpan, startCollector } from '../tools/collector.ts';
import { freePort } from '../tools/loopback.ts';
import { GATEWAY } from '../tools/server.ts';
import { Document } from './tools/document.ts';
import { emptyFolder, Reader } from './tools/reader.ts';

const document = new Document('docs/operations/monitoring.md');

/** The spans of a drawn tree, each with its depth. */
function drawnSpans(tree: string): string[] {
  const lines = tree.trimEnd().split('\n');
  return lines.map((line) => {
    const [, branches = '', name = ''] = /^([ │├└─]*)(.*?)(?: {2,}.*)?$/.exec(line) ?? [];
    return `${branches.length / 3} ${name}`;
  });
}

function spansBelow(spans: readonly CollectedSpan[], parentSpanId: string, depth = 0): string[] {
  const children = spans.filter((span) => span.parentSpanId === parentSpanId);
  return children.flatMap(({ name, spanId }) => [`${depth} ${name}`, ...spansBelow(spans, spanId, depth + 1)]);
}

it('an operator enables traces, and finds a payment with all its effects', async () => {
  expect(document.take('docker run'), 'images of a registry are not run here').toContain(':4318:4318');
  const collector = await startCollector();
  afterwards(collector.close);
  const folder = await emptyFolder();
  const script = `#!/bin/sh\nexec '${process.execPath}' '${GATEWAY}' "$@"\n`;
  await writeFile(join(folder, 'payments-gateway'), script, { mode: 0o755 });
  const ports = { 4000: await freePort(), 4318: Number(new URL(collector.url).port) };
  const env = { PORT: String(ports[4000]), PATH: `${folder}:${process.env['PATH']}` };
  const reader = new Reader(folder, { env, ports, node: 'tests' });

  const [settings = '', start = ''] = document.take('export OTEL_EXPORTER_OTLP_ENDPOINT').trim().split('\n');
  await reader.run(settings);
  const gateway = reader.start(start);
  await gateway.until(/open the redirect_url\./);
  await reader.run(document.take('traceparent: 00-', 'sh'));
  await gateway.until(/PAY_CONFIRMATION_NEEDED/);
  expect(await gateway.end()).toBe(0);

  const traced = collector.spans.filter(({ traceId }) => traceId === '4bf92f3577b34da6a3ce929d0e0e4736');
  expect(spansBelow(traced, '00f067aa0ba902b7')).toEqual(drawnSpans(document.take('└─ advance payment')));
  expect(document.leftOut()).toEqual([]);
});
