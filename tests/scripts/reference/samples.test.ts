import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle, requestExamples } from '../../../contract/src/model.ts';
import { operationSamples, receiver, withSamples } from '../../../scripts/reference/samples.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';

const bundle = readBundle();
const all = operations(bundle).map((operation) => {
  const [curl, typescript] = operationSamples(bundle, operation);
  return { operation, id: operation.id, curl: curl?.source ?? '', typescript: typescript?.source ?? '' };
});

let folder = '';
beforeAll(async () => {
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'samples-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the TypeScript samples', () => {
  it('compile under the strictest settings of the repository', async () => {
    const files = [
      ...all.map(({ id, typescript }) => [id, typescript] as const),
      ['receiver', receiver(bundle)] as const,
    ];
    for (const [name, source] of files) await writeFile(join(folder, `${name}.ts`), `${source}\nexport {};\n`);
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { paths: { 'payments-contract/client': [join(ROOT, 'generated/client.ts')] } },
      include: ['*.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript7/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', folder], { allowFailure: true });
    expect(stdout).toBe('');
  });

  it.each(all)('of $id calls its path and handles the error', ({ operation, typescript }) => {
    expect(typescript).toContain(`client.${operation.method.toUpperCase()}('${operation.path}'`);
    expect(typescript).toContain('if (error)');
  });
});

describe('the curl samples', () => {
  const requests: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
  let server: Server;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it.each(all)('of $id sends the first example when a shell runs it', async ({ operation, curl }) => {
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, BASE_URL: `http://127.0.0.1:${port}`, API_KEY: 'sk_test_sample', NO_PROXY: '*' };
    await promisify(execFile)('sh', ['-c', curl], { env });
    const sent = requests.at(-1);
    const [example] = requestExamples(operation);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => example?.path[name] ?? '');
    const query = new URLSearchParams(example?.query).toString();
    expect(sent?.method).toBe(operation.method.toUpperCase());
    expect(sent?.url).toBe(query ? `${path}?${query}` : path);
    expect(sent?.headers['authorization']).toBe('Bearer sk_test_sample');
    expect(sent?.body ? JSON.parse(sent.body) : undefined).toEqual(example?.body);
    expect(sent?.headers['content-type']).toBe(operation.request?.mediaType);
  });

  it('keep single quotes of an example in one piece', () => {
    const odd = structuredClone(bundle);
    const operation = operations(odd).find(({ request }) => request);
    const body = operation?.request?.examples[0];
    if (!operation || !body) throw new Error('no operation has a body');
    body.value = { name: "O'Neil" };
    expect(operationSamples(odd, operation)[0]?.source).toContain(`O'\\''Neil`);
    expect(operationSamples(odd, operation)[1]?.source).toContain(`name: 'O\\'Neil'`);
  });
});

describe('the webhook receiver', () => {
  const key = Buffer.from('a signing secret of 32 bytes ...');
  const body = '{"transaction_id":"pay_1","status":"SUCCESS"}';
  const now = () => Math.floor(Date.now() / 1000);
  const sign = (timestamp: number | string, secret = key) =>
    `v1,${createHmac('sha256', secret).update(`evt_1.${timestamp}.${body}`).digest('base64')}`;
  let url = '';
  let stop = async () => {};

  beforeAll(async () => {
    // Node runs TypeScript outside of node_modules only.
    const file = join(await mkdtemp(join(tmpdir(), 'receiver-')), 'receiver.ts');
    const announced = ".listen(0, '127.0.0.1', function () { console.log(JSON.stringify(this.address())); });";
    await writeFile(file, receiver(bundle).replace(/\.listen\(.*\);/, announced));
    const child = execFile(process.execPath, [file], {
      env: { ...process.env, SIGNING_SECRET: `whsec_${key.toString('base64')}` },
    });
    stop = async () => {
      child.kill();
      await rm(dirname(file), { recursive: true });
    };
    const failed = once(child, 'exit').then(() => Promise.reject(new Error('the receiver does not start')));
    const [line] = (await Promise.race([once(child.stdout ?? child, 'data'), failed])) as [string];
    url = `http://127.0.0.1:${(JSON.parse(line) as AddressInfo).port}`;
  });
  afterAll(() => stop());

  const send = async (timestamp: number | string, signature: string, sent = body) => {
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'x-gateway-signature': signature };
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  };

  it('takes a genuine event, also while the secret is rotated', async () => {
    expect(await send(now(), sign(now()))).toBe(204);
    expect(await send(now(), `${sign(now(), Buffer.from('old'))} ${sign(now())}`)).toBe(204);
  });

  it('refuses an altered body, another secret and no signature', async () => {
    expect(await send(now(), sign(now()), body.replace('pay_1', 'pay_2'))).toBe(401);
    expect(await send(now(), sign(now(), Buffer.from('other')))).toBe(401);
    expect(await send(now(), '')).toBe(401);
  });

  it('refuses a time more than 5 minutes away, and what is no time', async () => {
    expect(await send(now() - 290, sign(now() - 290))).toBe(204);
    expect(await send(now() - 310, sign(now() - 310))).toBe(401);
    expect(await send(now() + 310, sign(now() + 310))).toBe(401);
    expect(await send('soon', sign('soon'))).toBe(401);
  });
});

describe('the document with samples', () => {
  const site = withSamples(bundle);
  const samplesOf = (node: object) =>
    (node as { 'x-codeSamples'?: { label: string }[] })['x-codeSamples']?.map(({ label }) => label);

  it('has two samples for each operation and a receiver for each webhook and callback', () => {
    for (const { operation } of all) {
      const raw = site.paths[operation.path]?.[operation.method];
      expect(samplesOf(raw ?? {}), operation.id).toEqual(['curl', 'TypeScript']);
      for (const item of Object.values(raw?.callbacks ?? {}).flatMap((callback) => Object.values(callback))) {
        expect(samplesOf(item.post)).toEqual(['Receiver']);
      }
    }
    for (const { post } of Object.values(site.webhooks)) expect(samplesOf(post)).toEqual(['Receiver']);
  });

  it('shows the receiver where the introduction explains the signature', () => {
    const section = site.info.description.split('## Verify the signature')[1]?.split('\n## ')[0];
    expect(section).toContain(`\`\`\`typescript\n${receiver(bundle)}\`\`\``);
  });

  it('is refused when the contract has a credential that the samples do not know', () => {
    const odd = structuredClone(bundle);
    odd.components['securitySchemes'] = { login: { type: 'oauth2' } };
    expect(() => withSamples(odd)).toThrow('samples know bearer and header credentials only');
  });
});
