/** `check-har` judges recorded traffic without sending requests. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../../gateway/src/index.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { clearVariables, runKit } from './kit.ts';

interface Entry {
  readonly request: { readonly url: string; readonly headers: { name: string; value: string }[] };
  readonly response: { readonly content: { text: string } };
}

let folder: string;
let secret: string;
let key: string;
let entries: readonly Entry[];

beforeAll(clearVariables);
beforeAll(async () => {
  folder = await temporaryFolder('check-har');
  const gateway = await startGateway();
  ({ secret, key } = gateway);
  const only = 'webhook/arrives,state/payment/h2h,state/payout,replay/getBalance,access/getPayment';
  const file = join(folder, 'run.har');
  await runKit(gateway.url, '--key', key, '--secret', secret, '--only', only, '--har', file);
  await gateway.close();
  entries = JSON.parse(await readFile(file, 'utf8')).log.entries;
});

const isWebhook = ({ request }: Entry) => request.headers.some(({ name }) => name === 'webhook-id');

/** Judges the entries after a change of each. */
async function judge(recorded: readonly Entry[], change: (entry: Entry) => void = () => {}, ...flags: string[]) {
  const copy = structuredClone(recorded);
  for (const entry of copy) change(entry);
  const file = join(folder, 'changed.har');
  await writeFile(file, JSON.stringify({ log: { version: '1.2', entries: copy } }));
  return runKit('check-har', file, '--secret', secret, ...flags);
}

describe('a recording', () => {
  it('has requests and webhooks, and no key', () => {
    expect(entries.some(({ request }) => request.url.endsWith('/payments'))).toBe(true);
    expect(entries.some(isWebhook)).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it('conforms for a conforming service, even without webhooks, whose checks are not reached', async () => {
    const whole = await judge(entries);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('changed.har conforms.') });
    const requests = await judge(entries.filter((entry) => !isWebhook(entry)));
    expect(requests).toMatchObject({ code: 0, stdout: expect.stringContaining('record webhooks too') });
  });

  it('is violating if it has a created_at that changes, and a forged webhook', async () => {
    const json = join(folder, 'report.json');
    const change = ({ request, response: { content } }: Entry) => {
      const id = request.headers.find(({ name }) => name === 'webhook-id');
      if (id) id.value = `${id.value}x`;
      if (/payments\/[^/]+$/.test(request.url))
        content.text = content.text.replace(/"created_at":"20../, '"created_at":"2001');
    };
    expect((await judge(entries, change, '--json', json)).code).toBe(1);
    const { checks } = JSON.parse(await readFile(json, 'utf8'));
    const failed = checks.filter(({ failure }: { failure?: string }) => failure !== undefined);
    const ids = failed.map((one: { id: string }) => one.id).join();
    expect(ids).toContain('consistency/payment/');
    expect(ids).toContain('webhook/signature');
  });

  it.each([
    ['no entries', '{"log":{}}', 'is not an HTTP archive'],
    ['an entry without a request', '{"log":{"entries":[{}]}}', 'entry 0 lacks a required member'],
    ['no request of the contract', '{"log":{"entries":[]}}', 'has no request to an operation of the contract'],
  ])('is refused if it has %s', async (_what, text, message) => {
    const file = join(folder, 'other.har');
    await writeFile(file, text);
    expect(await runKit('check-har', file)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
