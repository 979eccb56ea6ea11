/** The channel against its provider's sandbox, which here is provider.ts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeChannel } from 'payments-gateway/channel-tests';
import { httpChannel } from './http-channel.ts';

const KEY = 'key-of-the-provider';
const SECRET = 'secret-of-the-provider';

/** Starts the provider on a free port, and returns its address. */
async function start(store: string): Promise<{ provider: ChildProcess; url: string }> {
  const env = { ...process.env, PROVIDER_PORT: '0', PROVIDER_KEY: KEY, PROVIDER_SECRET: SECRET, STORE: store };
  const provider = spawn(process.execPath, [join(import.meta.dirname, 'provider.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(provider.stdout, 'data');
  return { provider, url: /http:\S+/.exec(String(line))?.[0] ?? '' };
}

/** Sends a request of the customer or of a test to the provider. */
function post(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body: JSON.stringify(body) });
}

describeChannel('http-channel', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'provider-'));
  const { provider, url } = await start(join(folder, 'provider.jsonl'));
  return {
    channel: httpChannel({ name: 'bank', url, apiKey: KEY, notificationSecret: SECRET }),
    pay: async ({ id }, amount) => void (await post(`${url}/app/${id}/pay`, { amount })),
    failNext: async () => void (await post(`${url}/faults`, { fault: 'failed response' })),
    notify(reference) {
      const body = Buffer.from(JSON.stringify({ reference, state: 'paid' }));
      return { headers: { 'x-signature': createHmac('sha256', SECRET).update(body).digest('hex') }, body };
    },
    async close() {
      provider.kill();
      await once(provider, 'exit');
      await rm(folder, { recursive: true });
    },
  };
});
