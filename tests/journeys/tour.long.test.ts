/** docs/tour.md, step by step: from a fresh clone to a verified webhook, a test of a decline and a report. */
import { access, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Document } from './tools/document.ts';
import type { Running } from './tools/reader.ts';
import { STEP_MS, type Started, startInClone } from './tools/start.ts';

describe('five minutes', { timeout: STEP_MS }, () => {
  const tour = new Document('docs/tour.md');
  let started: Started;
  let receiver: Running;

  beforeAll(async () => {
    started = await startInClone(tour.take('npm start'), { ports: [3000], node: 'tests' });
  }, STEP_MS);

  it('takes a payment that succeeds', async () => {
    const { reader, gateway } = started;
    const created = JSON.parse((await reader.run(tour.take('"tour-1"'))).out);
    await gateway.until(/PAY_CONFIRMATION_NEEDED/);
    await reader.run(tour.take('confirm_data').replace('pay_…', created.transaction_id));
    await gateway.until(/\bSUCCESS\b/);
  });

  it('packs and installs the packages', async () => {
    await started.reader.run(tour.take('npm run package'));
    await access(join(shop(), 'node_modules/payments-gateway/package.json'));
  });

  it('verifies a webhook', async () => {
    const { reader } = started;
    await save('receiver.ts', tour.take('createServer'));
    const [secret = '', command = ''] = tour.take('node receiver.ts').trim().split('\n');
    await reader.run(secret.replace('whsec_…', `'${started.printedAt('signing secret')}'`));
    receiver = reader.start(command);
    await reader.run(tour.take('npx payments-gateway trigger'));
    await receiver.until(/^verified: payment SUCCESS$/m);
  });

  it('tests a decline', async () => {
    await save('decline.test.ts', tour.take('startGateway'));
    const { out } = await started.reader.run(tour.take('node --test decline.test.ts'));
    expect(out).toMatch(/pass 1\b/);
  });

  it('gets a conformance report', async () => {
    const { reader } = started;
    await reader.run('cd ../payments-kit');
    const { out } = await reader.run(tour.take('npm run verify'));
    expect(out).toContain(`${reader.adapt('http://localhost:4000')} conforms.`);
    await access(join(reader.folder, 'report.html'));
  });

  it('leaves no block untested', () => {
    expect(tour.leftOut()).toEqual([]);
  });

  function shop(): string {
    return join(dirname(started.reader.folder), 'shop');
  }

  /** Saves a file in the shop's folder, with the reader's ports. */
  async function save(name: string, text: string): Promise<void> {
    const { port } = new URL(started.reader.adapt('http://localhost:3000'));
    await writeFile(join(shop(), name), text.replace('listen(3000)', `listen(${port})`));
  }
});
