/** Malformed requests through the guide's proxies: proxies and gateway agree on where a request ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { installed } from '../../tools/installed.ts';
import { freePort } from '../../tools/loopback.ts';
import { afterwards, startTestGateway } from '../harness.ts';
import { eventually } from '../processes/gateways.ts';
import { HIDDEN_PATH, MALFORMED_FORMS } from './malformed-forms.ts';
import { placeSample } from './samples.ts';

/** Timeout for the response to a form. Many get none, because they never end. */
const RESPONSE_MS = 300;
/** Valid requests after each form. Some of them reuse the form's connection. */
const INNOCENT = 4;
const TEMP_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);

/** Starts a proxy on a port. All gateways of its sample are the same gateway. */
const PROXIES = {
  haproxy: async (program: string, port: number, gateway: number) => {
    const file = await placeSample('haproxy.cfg', {
      ':443 ssl crt /etc/haproxy/pay.example.com.pem alpn h2,http/1.1': `127.0.0.1:${port}`,
      '10.0.0.11:4000': `127.0.0.1:${gateway}`,
      '10.0.0.12:4000': `127.0.0.1:${gateway}`,
    });
    return spawn(program, ['-db', '-f', file], { stdio: 'ignore' });
  },
  nginx: async (program: string, port: number, gateway: number) => {
    const file = await placeSample('nginx.conf', {
      'listen 443 ssl': `listen 127.0.0.1:${port}`,
      'ssl_certificate /etc/nginx/pay.example.com.crt;': '',
      'ssl_certificate_key /etc/nginx/pay.example.com.key;': '',
      '/var/log/nginx/access.log': '/dev/null',
      '/var/log/nginx/error.log': 'stderr',
      'http {': `http { ${TEMP_PATHS.join(' ')}`,
      '10.0.0.11:4000': `127.0.0.1:${gateway}`,
      '10.0.0.12:4000': `127.0.0.1:${gateway}`,
    });
    const settings = 'daemon off; pid nginx.pid; error_log stderr;';
    return spawn(program, ['-e', 'stderr', '-g', settings, '-p', dirname(file), '-c', file], { stdio: 'ignore' });
  },
};

/** Sends bytes, and waits for the end of the connection or the start of a response. */
async function sendForm(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(Buffer.from(bytes, 'latin1'));
  await Promise.race(
    ['data', 'close'].map((name) => once(socket, name, { signal: AbortSignal.timeout(RESPONSE_MS) })),
  ).catch(() => undefined);
  socket.destroy();
}

it.for(Object.entries(PROXIES))(
  'ends every request where the gateway does: %s',
  { timeout: 240_000 },
  async ([name, start], { skip }) => {
    const program = installed(name);
    if (!program) return skip(`${name} is not installed`);
    const { gateway, key } = await startTestGateway({ clock: systemClock });
    await gateway.listen({ port: 0, host: '127.0.0.1' });
    const targets: string[] = [];
    gateway.server.on('request', ({ url = '' }) => targets.push(url));
    const port = await freePort();
    const proxy = await start(program, port, (gateway.server.address() as AddressInfo).port);
    afterwards(async () => proxy.kill('SIGKILL'));
    const call = (path: string, body?: unknown) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
    await eventually(async () => ((await call('/merchant/balance').catch(() => undefined))?.ok ? true : undefined));

    const { body } = requestExamples.createPayment['h2h-upi'];
    const ids = await Promise.all(
      Array.from({ length: INNOCENT }, async (_, index) => {
        const created = await call('/payments', { ...body, merchant_order_id: `innocent-${index}` });
        expect(created.status).toBe(200);
        return ((await created.json()) as { transaction_id: string }).transaction_id;
      }),
    );
    const mistakes: string[] = [];
    let arrived = 0;
    for (const [form, bytes] of MALFORMED_FORMS) {
      await sendForm(port, bytes);
      const shown = await Promise.all(
        ids.map(
          async (id) => ((await (await call(`/payments/${id}`)).json()) as { transaction_id: string }).transaction_id,
        ),
      );
      if (shown.join() !== ids.join()) mistakes.push(`${form}: an innocent request got another response`);
      const reached = targets.splice(0);
      arrived += reached.length - ids.length;
      if (reached.some((target) => target.startsWith(HIDDEN_PATH)))
        mistakes.push(`${form}: the hidden request arrived`);
    }
    expect(arrived).toBeGreaterThan(0);
    expect(mistakes).toEqual([]);
  },
);
