import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { startGateway } from '../../../gateway/src/index.ts';
import { receiver } from '../../../scripts/reference/receiver.ts';
import { siteParts } from '../../../scripts/reference/site.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { afterwards } from '../../gateway/harness.ts';
import { until } from '../../tools/wait.ts';

const bundle = readBundle();

describe('the webhook receiver', () => {
  const key = Buffer.from('a signing secret of 32 bytes ...');
  let url = '';
  let file = '';
  let stop = async () => {};

  beforeAll(async () => {
    // Node runs TypeScript only outside of node_modules.
    file = join(await mkdtemp(join(tmpdir(), 'receiver-')), 'receiver.ts');
    const announced = ".listen(0, '127.0.0.1', function () { console.log(JSON.stringify(this.address())); });";
    await writeFile(file, receiver(bundle).replace(/\.listen\(.*\);/, announced));
    const child = execFile(process.execPath, [file], {
      env: { ...process.env, WEBHOOK_SECRET: `whsec_${key.toString('base64')}` },
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

  it.each(['', 'whsec_', 'sk_test_1'])("doesn't start with the secret '%s'", async (secret) => {
    const { code, stderr } = await run(process.execPath, [file], {
      env: { WEBHOOK_SECRET: secret },
      allowFailure: true,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Set WEBHOOK_SECRET to the signing secret, whsec_…')]);
  });

  it('refuses a body of more than 1 MiB', async () => {
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) }).catch(() => undefined);
    expect(response?.status ?? 413).toBe(413);
  });

  it('passes every check of the kit for receivers', async () => {
    const secret = `whsec_${key.toString('base64')}`;
    const args = [join(ROOT, 'conformance/src/bin.ts'), 'receiver', url, '--secret', secret];
    const { code, stdout } = await run(process.execPath, args, { allowFailure: true });
    expect(stdout).toContain('conforms');
    expect(code).toBe(0);
  });
});

it('prints the first webhook for readers who follow the pages', async () => {
  const { files } = await siteParts();
  const gateway = await startGateway();
  const folder = await mkdtemp(join(tmpdir(), 'first-webhook-'));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), BASE_URL: gateway.url, API_KEY: gateway.key };
  const shell = (line: string) => spawn('sh', ['-c', line], { cwd: folder, env });
  const [, code = ''] = /```typescript \[TypeScript\]\n([\s\S]*?)```/.exec(files['webhooks.md'] ?? '') ?? [];
  const [section = ''] = files['getting-started.md']?.split('## Receive a webhook')[1]?.split('\n## ') ?? [];
  const [run = '', send = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, line = '']) => line);
  await writeFile(join(folder, 'receiver.ts'), code);
  const [assignment = '', command = ''] = run.replace('whsec_your_secret', gateway.secret).split(' node ');
  const child = shell(`${assignment} exec '${process.execPath}' ${command}`);
  afterwards(async () => {
    child.kill();
    await gateway.close();
    await rm(folder, { recursive: true });
  });
  await until(() => fetch(`http://localhost:${port}`).then(Boolean, () => false), 10_000);
  const printed = once(child.stdout, 'data') as Promise<[Buffer]>;
  shell(send.replace(':3000', `:${port}`));
  expect(String((await printed)[0])).toMatch(/^evt_\w+ pay_\w+ [A-Z_]+\n$/);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('is on the page that explains the signature', async () => {
  const { files } = await siteParts();
  const section = files['webhooks.md']?.split('## Verify the signature')[1]?.split('\n## ')[0];
  expect(section).toContain(`\`\`\`typescript [TypeScript]\n${receiver(bundle).trimEnd()}\n\`\`\``);
});
