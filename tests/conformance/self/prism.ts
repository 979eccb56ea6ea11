/** The same defects in front of Prism's validating proxy, which sees the kit's traffic and judges the responses. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyService } from '../../../conformance/src/run/verify.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { freePort } from '../../tools/port.ts';
import { startServer } from '../../tools/server.ts';
import { startProxy } from './proxy.ts';
import { type Sound, startSound } from './sound.ts';
import type { Bench, Defect, Outcome } from './trial.ts';

const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));
const DOCUMENT = join(ROOT, 'generated/openapi.json');
/** Prism says here what is wrong with the exchange. */
const HEADER = 'sl-violations';
/** Requests that a sound service serves, and some that it has to reject. */
const TRAFFIC = ['replay', 'state/payment/h2h', 'lookup', 'access/getBalance', 'bad-input/createPayment/amount'];
const TIMEOUT_MS = 3_000;

export interface PrismProxy {
  try(defect: Pick<Defect, 'id' | 'alter'>, bench: Bench): Promise<Outcome>;
  close(): Promise<void>;
}

/** Starts Prism once; each defect in turn takes the place behind it. */
export async function startPrismProxy(): Promise<PrismProxy> {
  let behind = '';
  const relay = createServer((request, response) => {
    const options = { method: request.method, headers: request.headers };
    const onward = send(`${behind}${request.url}`, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const upstream = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const prism = await startServer([PRISM, 'proxy', DOCUMENT, upstream, '-p', String(port)], {
    ...{ url, ready: /is listening/ },
  });
  return {
    async try({ id, alter }, { open, shared }) {
      const startedAt = performance.now();
      const alteration = alter();
      const own = alteration.channels ? await startSound(open, alteration.channels) : undefined;
      const sound = await (own ?? shared).merchants();
      const proxy = await startProxy(sound, alteration);
      behind = proxy.url;
      const found = await violations(url, sound).finally(async () => {
        await proxy.close();
        await own?.close();
      });
      const ms = Math.round(performance.now() - startedAt);
      return { id, passed: found.length > 0, because: found[0] ?? 'no violation of a response', ms };
    },
    async close() {
      await prism.end();
      relay.closeAllConnections();
      relay.close();
    },
  };
}

/** What Prism objects to in responses. It objects to bad requests too, which is not a fault of the service. */
async function violations(url: string, { key, secondKey, secret }: Sound) {
  const options = { baseUrl: url, key, secondKey, secret, driver: 'gateway', only: TRAFFIC, timeoutMs: TIMEOUT_MS };
  const run = await verifyService(options).catch(() => undefined);
  const texts = run?.journal.exchanges.map(({ headers }) => headers.get(HEADER)) ?? [];
  return texts.filter((text) => text !== null).filter((text) => text.includes('"response"'));
}
