/** Traces of the installed gateway, through its bundled packages. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';
import { startCollector } from '../../tools/collector.ts';
import { startServer } from '../../tools/server.ts';
import { BIN } from './payment.ts';

/** Starts the installed gateway with a collector, and expects the span of a request there. */
export async function expectTraces(project: string, node: string): Promise<void> {
  const collector = await startCollector();
  afterwards(collector.close);
  const server = await startServer([join(project, BIN), '--port', '0'], {
    node,
    cwd: await temporaryFolder(),
    env: { LOG_LEVEL: 'warn', DATABASE_URL: '', DATABASE_FILE: '', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  afterwards(() => server.end());
  expect((await fetch(`${server.url}/merchant/balance`)).status).toBe(401);
  await server.end('SIGTERM');
  expect(collector.spans).toMatchObject([
    { name: 'GET /merchant/balance', resource: { 'service.name': 'payments-gateway' } },
  ]);
}
