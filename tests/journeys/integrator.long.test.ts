/**
 * An integrator's day: the packed gateway and client in an empty folder, with their READMEs, and a shop from a recipe.
 */
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { compile } from '../packages/compile.ts';
import { freePort } from '../tools/loopback.ts';
import { freshClone } from './tools/clone.ts';
import { Document } from './tools/document.ts';
import { Reader, type Running } from './tools/reader.ts';
import { STARTED, STEP_MS, wordAt } from './tools/start.ts';

const gatewayReadme = new Document('gateway/README.md');
const clientReadme = new Document('client/README.md');
const api = new Document('client/API.md');
/** Declarations assumed by API.md's fragments. */
const FRAGMENT = `import { dispatchWebhook, type WebhookEvent } from 'payments-client/webhooks';
declare const event: WebhookEvent;
declare function ship(order: string, amount: number): void;
declare function report(reason: string): void;
`;

/** A shop with a recipe's endpoint. */
const SHOP = `import { serve } from './serve.js';
import { paymentsWebhook } from './hono.js';
await serve(paymentsWebhook({ secret: process.env['SECRET'], apply: () => {} }), Number(process.env['SHOP_PORT']));
console.log('the shop listens');
`;

let folder: string;
let reader: Reader;
let sandbox: Running;
let ports: Record<number, number>;

beforeAll(async () => {
  const clone = new Reader(await freshClone({ installed: true }), { node: 'tests' });
  folder = join(dirname(clone.folder), 'project');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  for (const readme of [gatewayReadme, clientReadme]) {
    const [pack = '', install = ''] = readme.take('npm run package').trim().split('\n');
    await clone.run(pack);
    await new Reader(folder, { node: 'tests' }).run(install);
  }
  // The gateway includes the documents' other packages, hono and undici.
  await symlink(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'), 'junction');
  ports = { 4000: await freePort(), 3000: await freePort() };
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { PATH: path, PORT: String(ports[4000]), GATEWAY_URL: `http://localhost:${ports[4000]}` };
  reader = new Reader(folder, { env, ports });
}, STEP_MS);

it('npx payments-gateway starts a sandbox, and prints its addresses', { timeout: STEP_MS }, async () => {
  sandbox = reader.start(gatewayReadme.take('npx payments-gateway\n').trim());
  await sandbox.until(STARTED);
  expect((await fetch(wordAt(sandbox, 'reference'))).status).toBe(200);
  expect((await fetch(wordAt(sandbox, 'console'))).status).toBe(200);
  expect(existsSync(join(folder, 'data/payments.db'))).toBe(true);
  expect((await reader.run('npx payments-gateway --help')).out).toContain('Usage: payments-gateway');
});

it("the client's example compiles, and pays", { timeout: STEP_MS }, async () => {
  for (const recipe of ['hono.ts', 'next.ts'])
    await copyFile(join(folder, 'node_modules/payments-client/recipes', recipe), join(folder, recipe));
  for (const name of ['day.ts', 'serve.ts'])
    await copyFile(new URL(`integrator/${name}.txt`, import.meta.url), join(folder, name));
  await writeFile(join(folder, 'pay.ts'), reader.adapt(clientReadme.take('createPaymentsClient', 'ts')));
  await writeFile(join(folder, 'dispatch.ts'), FRAGMENT + api.take('dispatchWebhook', 'ts'));
  await writeFile(join(folder, 'endpoint.ts'), api.take('a paid order is shipped', 'ts'));
  await writeFile(join(folder, 'data.ts'), api.take('aCreatePaymentRequest', 'ts'));
  await writeFile(join(folder, 'proxy.ts'), api.take('ProxyAgent', 'ts'));
  await run('bash', ['-n', '-c', api.take('NODE_USE_ENV_PROXY', 'sh')]);
  await writeFile(join(folder, 'shop.ts'), SHOP);
  await compile(folder);
  expect((await reader.run('node pay.js')).out).toMatch(/^Transfer ₹499\.00 to \S+\nSUCCESS\n$/);
  expect((await reader.run('node --test endpoint.js')).out).toContain('fail 0');
  await reader.run('node data.js');
});

it("the gateway's test passes in vitest, and so do the tests of its package", { timeout: STEP_MS }, async () => {
  await mkdir(join(folder, 'tests'));
  await writeFile(join(folder, 'tests/readme.test.ts'), gatewayReadme.take('startGateway', 'ts'));
  const examples = join(folder, 'node_modules/payments-gateway/examples/vitest');
  await cp(examples, join(folder, 'tests/examples'), { recursive: true });
  const { out } = await reader.run('node node_modules/vitest/vitest.mjs run tests');
  expect(out).toMatch(/Tests +4 passed \(4\)/);
});

it('the command for measuring starts prints five', { timeout: STEP_MS }, async () => {
  const { out } = await reader.run(gatewayReadme.take('console.time', 'sh'));
  expect(out).toMatch(/^(start: [\d.]+m?s.*\n){5}$/);
});

it('webhooks are verified by a shop from the recipe while its clock moves by minutes and days', {
  timeout: STEP_MS,
}, async () => {
  const { out } = await reader.run('node day.js', { limitMs: STEP_MS / 2 });
  expect(out).toBe('order-1 FAILED\norder-2 FAILED\norder-3 FAILED\n');
});

it('listen forwards the effects of trigger and resend to the shop, and logs follows', {
  timeout: STEP_MS,
}, async () => {
  const commands = gatewayReadme.take('payments-gateway listen', 'sh').split('\n');
  const [listen = '', trigger = '', logs = '', resend = '', openConsole = '', ...requests] = commands;
  const secret = wordAt(sandbox, 'signing secret');
  const shop = reader.start(`env SECRET='${secret}' SHOP_PORT=${ports[3000]} node shop.js`);
  await shop.until(/the shop listens/);
  // The recipe's path is longer than the README's.
  const listening = reader.start(listen.replace(/3000\/webhooks/, '$&/payments').replace(/#.*/, ''));
  await listening.until(/^listening to/m);
  const following = reader.start(logs.replace(/#.*/, ''));
  await reader.run(trigger);
  await listening.until(/paymentSucceeded {2}→ 204/);
  const headers = { authorization: `Bearer ${wordAt(sandbox, 'API key')}` };
  expect((await fetch(`http://127.0.0.1:${ports[4000]}/payments/pay_unknown`, { headers })).status).toBe(404);
  await following.until(/404 {2}GET +\/payments\/pay_unknown/);
  const [event = ''] = /evt_\w+/.exec(listening.printed()) ?? [];
  await reader.run(resend.replace('EVENT_ID', event));
  await listening.until(/paymentSucceeded {2}→ 204[\s\S]*paymentSucceeded {2}→ 204/);
  const { out } = await reader.run(openConsole);
  expect((await fetch(out.trim(), { redirect: 'manual' })).status).toBe(303);
  const responses = [];
  for (const request of requests.filter(Boolean)) responses.push(JSON.parse((await reader.run(request)).out));
  expect(responses).toMatchObject([{ balances: expect.any(Array) }, { reached: true }, { fault: 'rate_limited' }]);
});

it('the sandbox ends with npx', { timeout: STEP_MS }, async () => {
  await sandbox.end('SIGTERM');
  const isAlive = () => fetch(`http://127.0.0.1:${ports[4000]}/health/live`).then(Boolean, () => false);
  await expect.poll(isAlive).toBe(false);
});

it('leaves no block of the documents untested', () => {
  expect([gatewayReadme, clientReadme, api].map((document) => document.leftOut())).toEqual([[], [], []]);
});
