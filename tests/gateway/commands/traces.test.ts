/** The command with traces: variables enable them, and the last spans are sent before it ends. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCollector } from '../../tools/collector.ts';
import { type Server, startGatewayProcess } from '../../tools/server.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

async function start(endpoint: string): Promise<Server> {
  const file = join(await temporaryFolder(), 'gateway.db');
  const server = await startGatewayProcess({
    ...{ PORT: '0', DATABASE_URL: '', DATABASE_FILE: file, LOG_LEVEL: 'silent', SANDBOX: 'false' },
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  });
  afterwards(() => server.end());
  return server;
}

it('sends the spans of its last requests before it ends', async () => {
  const collector = await startCollector();
  afterwards(collector.close);
  const server = await start(collector.url);
  expect((await fetch(`${server.url}/merchant/balance`)).status).toBe(401);
  await server.end('SIGTERM');
  expect(collector.spans).toMatchObject([
    { name: 'GET /merchant/balance', attributes: { 'http.response.status_code': 401 }, failed: false },
  ]);
});

it('ends even if its collector never responds', async () => {
  const connected = Promise.withResolvers<void>();
  const collector = createServer((socket) => {
    socket.on('error', () => undefined);
    connected.resolve();
  });
  const { port } = await new Promise<{ port: number }>((resolve) => {
    collector.listen(0, '127.0.0.1', () => resolve(collector.address() as { port: number }));
  });
  afterwards(async () => void collector.close());
  const server = await start(`http://127.0.0.1:${port}`);
  expect((await fetch(`${server.url}/merchant/balance`)).status).toBe(401);
  const began = performance.now();
  await Promise.all([server.end('SIGTERM'), connected.promise]);
  // The exporter's own timeout is ten seconds.
  expect(performance.now() - began).toBeLessThan(8_000);
});
