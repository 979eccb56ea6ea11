/** The full form: the first command installs the dependencies, and every test runs. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Document } from './tools/document.ts';
import type { Running } from './tools/reader.ts';
import { STARTED, STEP_MS, type Started, startInClone } from './tools/start.ts';

const TEST_MS = 900_000;
/** The stages of `npm test` that it runs while the gateway runs. */
const STAGES = 'lint,stale,types,console,style,imports,prose,unused,tests';

describe('a newcomer in a clone without dependencies', { timeout: STEP_MS }, () => {
  const readme = new Document('README.md');
  const sandbox = new Document('docs/sandbox.md');
  let started: Started;
  let address: string;
  let transactionId: string;

  beforeAll(async () => {
    started = await startInClone(readme.take('npm start'), { installed: false, ports: [4010] });
    address = started.reader.adapt('http://localhost:4000');
  }, STEP_MS);

  it('npm start prints curl lines that create a payment, and then its webhooks', async () => {
    const { reader, gateway } = started;
    const [create = '', confirm = ''] = gateway.printed().match(/^curl .*\\\n.*$/gm) ?? [];
    const created = JSON.parse((await reader.run(create)).out);
    transactionId = created.transaction_id;
    await gateway.until(/PAY_CONFIRMATION_NEEDED/);
    await reader.run(confirm.replace('TRANSACTION_ID', transactionId));
    await gateway.until(/\bSUCCESS\b/);
  });

  // The reference is built after the start.
  it.each(['console', 'health', 'reference'])('npm start prints the address of the %s', async (label) => {
    await expect.poll(() => status(started.printedAt(label)), { timeout: STEP_MS }).toBe(200);
  });

  describe('README.md', () => {
    it('has a first request that works', async () => {
      const { out } = await started.reader.run(readme.take('/demo/webhooks'));
      expect(JSON.parse(out)).toMatchObject({ merchant_order_id: 'order-1' });
    });

    it('starts a mock that responds with the requested example', async () => {
      const { reader } = started;
      const port = new URL(reader.adapt('http://localhost:4010')).port;
      const mock = reader.start(`${readme.take('npm run mock').trim()} -- --port ${port}`);
      await mock.until(/http:\/\/\S+/);
      const { out } = await reader.run(readme.take('Prefer: example=declined'));
      expect(JSON.parse(out)).toMatchObject({ status: 'FAILED' });
      await mock.end();
    });

    it('has npm run verify, which conforms', async () => {
      const { reader, printedAt } = started;
      await reader.run(readme.take('npm run verify').replace('whsec_…', `'${printedAt('signing secret')}'`));
      expect(await readFile(join(reader.folder, 'report.html'), 'utf8')).toContain(' conforms</title>');
    });
  });

  describe('docs/sandbox.md', () => {
    it('has requests that decline a payment and move the clock', async () => {
      const { out } = await started.reader.run(sandbox.take('clock advance'));
      expect(out).toContain('"decline_reason": "LIMIT_EXCEEDED"');
    });

    it('has commands that forward a webhook', async () => {
      const { reader } = started;
      const listening = reader.start(sandbox.take('listen --forward-to').trim());
      await listening.until(/^listening to .*localhost:3000/m);
      await reader.run(sandbox.take('trigger paymentSucceeded'));
      // A reader's own app can listen there.
      await listening.until(/paymentSucceeded {2}→ (no response: ECONNREFUSED|\d{3})/);
      await listening.end();
      expect(sandbox.leftOut()).toEqual([]);
    });
  });

  describe('afterwards', () => {
    it('npm test passes while the gateway runs with its data', { timeout: TEST_MS }, async () => {
      const { out } = await started.reader.run(`npm test -- --only ${STAGES}`, { limitMs: TEST_MS });
      expect(out).toContain('all checks passed');
    });

    it('the gateway stops with npm, and its port is free', async () => {
      await started.gateway.end('SIGTERM');
      await untilFree(address);
    });

    it('npm start keeps existing data', async () => {
      const again = started.reader.start('npm start');
      await again.until(STARTED);
      const headers = { authorization: `Bearer ${started.printedAt('API key')}` };
      const found = await fetch(`${address}/payments/${transactionId}`, { headers });
      expect([found.status, await found.json()]).toEqual([200, expect.objectContaining({ status: 'SUCCESS' })]);
      await stop(again);
    });

    it("the operators' commands of README.md work in order", async () => {
      const commands = readme.take('npm run gateway -- migrate').trim().split('\n');
      const start = commands.pop()?.replace(/ *#.*/, '') ?? '';
      expect((await started.reader.run(commands.join('\n'))).out).toMatch(/sk_test_\S+/);
      const gateway = started.reader.start(start);
      await gateway.until(/"listening"/);
      await stop(gateway);
    });

    it('leaves no block of README.md untested', () => {
      // The packed client's tests run it.
      readme.take("from 'payments-client'");
      expect(readme.leftOut()).toEqual([]);
    });
  });

  async function stop(running: Running): Promise<void> {
    await running.end('SIGTERM');
    await untilFree(address);
  }
});

/**
 * Waits for the port to be free. Requests a short path, since Node's fetch fails an assertion when a long body is cut.
 */
async function untilFree(address: string): Promise<void> {
  await expect.poll(() => status(`${address}/health/live`).catch(() => 'free')).toBe('free');
}

async function status(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}
