/** An outbound proxy of the environment, as API.md configures it. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { responseExamples } from '../../generated/examples.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

const BALANCE = responseExamples.getBalance[200]['new-merchant'];

it('sends requests through the proxy of the environment', async () => {
  const service = await listenOnLoopback(
    createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(BALANCE));
    }),
  );
  afterwards(service.close);
  const { port } = new URL(service.url);
  const connected: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    connected.push(`${request.url}`);
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
  });
  const { url, close } = await listenOnLoopback(proxy);
  afterwards(close);

  const program = `
    import { createPaymentsClient } from '${join(ROOT, 'client/src/index.ts')}';
    const client = createPaymentsClient({ baseUrl: 'http://payments.internal', apiKey: 'sk_test_1', retry: { attempts: 1 } });
    const { data } = await client.GET('/merchant/balance');
    console.log(data.merchant_id);`;
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, env });
  expect(stdout.trim()).toBe(String(BALANCE.merchant_id));
  expect(connected).toEqual(['payments.internal:80']);
});
