/** Two gateways behind the guide's HAProxy: each is restarted under load, without a failed request. */
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { installed } from '../../tools/installed.ts';
import { freePort } from '../../tools/loopback.ts';
import { GATEWAY } from '../../tools/server.ts';
import { afterwards, postgresDatabase } from '../harness.ts';
import { addKey, createProcessCaller, eventually, startProcess } from '../processes/gateways.ts';
import { placeOrders } from '../processes/orders.ts';
import { placeSample } from './samples.ts';

const HAPROXY = installed('haproxy');
const CLIENTS = 6;
/** Acknowledged writes between two changes. */
const WRITES = 150;

it(`restarts fail no request${HAPROXY ? '' : ' (skipped, since haproxy is not installed: apt-get install haproxy)'}`, {
  timeout: 240_000,
}, async ({ skip }) => {
  if (!HAPROXY) return skip();
  const { address, connect } = await postgresDatabase();
  const store = connect({ max: 2 });
  await migrate(store);
  const key = await addKey(store);
  const [front, ...ports] = [await freePort(), await freePort(), await freePort()];
  const start = (port: number | undefined) =>
    startProcess(
      {
        DATABASE_URL: address,
        SANDBOX: 'false',
        DRAIN_MS: '4000',
        REQUESTS_PER_SECOND: '100000',
        TRUST_PROXY: '127.0.0.1',
      },
      [GATEWAY, 'start', '--port', String(port)],
    );
  const gateways = [await start(ports[0]), await start(ports[1])];
  const file = await placeSample('haproxy.cfg', {
    ':443 ssl crt /etc/haproxy/pay.example.com.pem alpn h2,http/1.1': `127.0.0.1:${front}`,
    '10.0.0.11:4000': `127.0.0.1:${ports[0]}`,
    '10.0.0.12:4000': `127.0.0.1:${ports[1]}`,
  });
  const proxy = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
  afterwards(async () => proxy.kill('SIGKILL'));
  const url = `http://127.0.0.1:${front}`;
  await eventually(async () => {
    const response = await fetch(`${url}/merchant/balance`, { headers: { authorization: `Bearer ${key}` } }).catch(
      () => undefined,
    );
    return response?.status === 200 ? true : undefined;
  });

  const call = createProcessCaller(url);
  const orders = placeOrders(CLIENTS, {}, (method, path, body) => call(method, path, key, body));
  orders.begin();
  for (const index of [0, 1, 0, 1]) {
    await orders.more(WRITES);
    expect(await gateways[index]?.end('SIGTERM')).toBe(0);
    gateways[index] = await start(ports[index]);
  }
  await orders.more(WRITES);
  await orders.end();
  expect(orders.failures).toEqual([]);
  const outside = await Promise.all(['/metrics', '/console', '/health/ready'].map((path) => fetch(url + path)));
  expect(outside.map(({ status }) => status)).toEqual([404, 404, 404]);
  const listed = (bearer: string) =>
    fetch(`${url}/management/payments`, { headers: { authorization: `Bearer ${bearer}` } });
  expect((await listed(key)).status).toBe(200);
  expect((await listed('op_stolen')).status).toBe(403);
});
