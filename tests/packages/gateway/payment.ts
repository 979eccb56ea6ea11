/** A payment with the installed gateway. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';
import { startServer } from '../../tools/server.ts';

/** Runs the installed command in the project's folder. */
export const BIN = 'node_modules/payments-gateway/dist/payments-gateway.js';
/** Not a secret: the demo merchant's key. */
const DEMO_KEY = 'sk_test_demo_0123456789abcdefghijklmnopqrstuv';

/** Starts the installed gateway in an empty folder, and expects its documents, its console, a payment and the payment's page. */
export async function expectPayment(project: string, node: string): Promise<void> {
  const server = await startServer([join(project, BIN), '--port', '0'], {
    node,
    cwd: await temporaryFolder(),
    env: { LOG_LEVEL: 'warn', DATABASE_URL: '', DATABASE_FILE: '' },
  });
  afterwards(() => server.end('SIGTERM'));
  expect(await (await fetch(`${server.url}/docs`)).text()).toContain('Downloads');
  expect(await (await fetch(`${server.url}/docs/sandbox`)).text()).toContain('Test payments');
  expect(await (await fetch(`${server.url}/openapi.json`)).json()).toEqual(readBundle());
  await expectConsole(server.url);
  expect((await fetch(`${server.url}/console/sandbox.json`)).status).toBe(200);
  const { body } = requestExamples.createPayment['redirect-upi'];
  const created = await fetch(`${server.url}/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { redirect_url } = (await created.json()) as { redirect_url: string };
  const page = await fetch(redirect_url);
  expect(await page.text()).toContain('<style>');
}

/** All files referenced by the console's page exist. */
async function expectConsole(url: string): Promise<void> {
  const page = await (await fetch(`${url}/console`)).text();
  const files = [...page.matchAll(/(?:href|src)="(console\/[^"]+)"/g)].map(([, address = '']) => address);
  expect(files.length).toBeGreaterThan(20);
  const statuses = await Promise.all(
    files.map(async (address) => (await fetch(new URL(address, `${url}/console`))).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
}
