/** Commands that follow a gateway while it restarts or temporarily refuses requests. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../gateway/src/commands/client/listen.ts';
import { logs } from '../../../gateway/src/commands/client/logs.ts';
import { startGateway } from '../../../gateway/src/index.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { afterwards, temporaryFolder } from '../harness/afterwards.ts';
import { following, runClient as run, started } from './client-commands.ts';

/** A gateway that can restart at the same address, with the same database. */
async function restartable() {
  const store = join(await temporaryFolder(), 'payments.db');
  let gateway = await startGateway({ store });
  afterwards(() => gateway.close());
  const { url, key } = gateway;
  const port = Number(new URL(url).port);
  return {
    ...{ url, key },
    async restart() {
      await gateway.close();
      gateway = await startGateway({ store, port });
    },
  };
}

type Fault = (response: ServerResponse) => void;
const rateLimited: Fault = (response) => response.writeHead(429, { 'retry-after': '0' }).end('<html>busy</html>');
const cut: Fault = (response) => response.destroy();

/** A gateway behind a proxy. The first requests to each path that contains a key get the faults of that key. */
async function behindProxy(faults: Readonly<Record<string, Fault[]>>) {
  const gateway = await started();
  const target = new URL(gateway.url);
  const proxy = createServer((incoming: IncomingMessage, response) => {
    const { method, headers, url = '' } = incoming;
    const fault = Object.entries(faults)
      .find(([part]) => url.includes(part))?.[1]
      .shift();
    if (fault) return fault(response);
    const { hostname, port } = target;
    const outgoing = request({ hostname, port, method, headers, path: url }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
    response.on('close', () => outgoing.destroy());
    outgoing.on('error', () => response.destroy());
  });
  const { url, close } = await listenOnLoopback(proxy);
  afterwards(close);
  return { gateway, access: { url, key: gateway.key } };
}

describe('listen', () => {
  it('continues after a restart, and shows the events since', async () => {
    const gateway = await restartable();
    const follow = following();
    const listening = listen(gateway, {}, follow);
    await follow.line(/^listening to/);
    await gateway.restart();
    await follow.line(/^the connection was lost; trying again in [\d.]+ s$/);
    const { out } = await run(gateway, 'trigger', 'paymentFailed');
    const [, id = ''] = out.split('  ');
    await follow.line(new RegExp(`paymentFailed {2}${id}`));
    follow.stop();
    await listening;
    expect(follow.toStdout.filter((line) => line.includes(id))).toHaveLength(1);
  });

  it.each([
    ['the stream', 'stream', rateLimited, /^the gateway responds with 429; trying again in 0.5 s$/],
    ['the list', '/management/events?', rateLimited, /^the gateway responds with 429; trying again in 0.5 s$/],
    ['a webhook', '/sign', rateLimited, /^the gateway responds with 429; trying again in 0.5 s$/],
    ['a webhook', '/sign', cut, /^the connection was lost; trying again in 0.5 s$/],
  ])('waits while the gateway refuses %s: %s', async (_what, path, fault, message) => {
    const { gateway, access } = await behindProxy({ [path]: [fault] });
    const follow = following();
    const listening = listen(access, {}, follow);
    await follow.line(/^listening to/);
    await run(gateway, 'trigger', 'paymentFailed');
    await follow.line(/paymentFailed/);
    await follow.line(message);
    follow.stop();
    await listening;
  });
});

it('logs continues after a restart, and shows the requests since', async () => {
  const gateway = await restartable();
  const follow = following();
  const logging = logs(gateway, {}, follow);
  await fetch(`${gateway.url}/payments/pay_before`, { headers: { authorization: `Bearer ${gateway.key}` } });
  await follow.line(/pay_before/);
  await gateway.restart();
  await fetch(`${gateway.url}/payments/pay_after`, { headers: { authorization: `Bearer ${gateway.key}` } });
  await follow.line(/^connected to .* again$/);
  await follow.line(/pay_after/);
  follow.stop();
  await logging;
  expect(follow.toStdout.filter((line) => /pay_(before|after)/.test(line))).toHaveLength(2);
});
