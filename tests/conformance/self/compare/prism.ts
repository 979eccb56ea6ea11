/** Prism's validating proxy, which sees the kit's traffic and judges the responses. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyService } from '../../../../conformance/src/run/verify.ts';
import { ROOT } from '../../../../scripts/tools/process.ts';
import { freePort } from '../../../tools/port.ts';
import { startServer } from '../../../tools/server.ts';
import type { Service, Tool } from './tool.ts';

const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));
const DOCUMENT = join(ROOT, 'generated/openapi.json');
/** Prism says here what is wrong with the exchange. */
const HEADER = 'sl-violations';
/** Requests that a sound service serves, and some that it has to reject. */
const TRAFFIC = ['replay', 'state/payment/h2h', 'lookup', 'access/getBalance', 'bad-input/createPayment/amount'];
const TIMEOUT_MS = 3_000;

export const prism: Tool = {
  title: 'Prism proxy',
  // The repository has it, for the mock.
  packages: [],
  /** Prism starts once; each service in turn takes the place behind it. */
  async start() {
    let behind = '';
    const relay = createServer((request, response) => {
      const options = { method: request.method, headers: request.headers };
      const onward = send(`${behind}${request.url}`, options, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const upstream = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = await startServer([PRISM, 'proxy', DOCUMENT, upstream, '-p', String(port)], {
      ...{ url, ready: /is listening/ },
    });
    return {
      async examine(service) {
        behind = service.url;
        return violations(url, service);
      },
      async close() {
        await server.end();
        relay.closeAllConnections();
        relay.close();
      },
    };
  },
};

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** What Prism objects to in responses. It objects to bad requests too, which is not a fault of the service. */
async function violations(url: string, { sound: { key, secondKey, secret } }: Service): Promise<string[]> {
  const options = { baseUrl: url, key, secondKey, secret, driver: 'gateway', only: TRAFFIC, timeoutMs: TIMEOUT_MS };
  // What only the kit says about a service is not to Prism's credit.
  const run = await verifyService(options).catch(() => undefined);
  if (!run) return [];
  const found = run.journal.exchanges.flatMap(({ headers, call }) => {
    const text = headers.get(HEADER);
    const said = text === null ? [] : (JSON.parse(text) as Violation[]);
    return said
      .filter(({ location }) => location[0] === 'response')
      .map(({ location, message }) => `${call.operation.id} ${location.join('/')}: ${message}`);
  });
  return [...new Set(found)];
}
