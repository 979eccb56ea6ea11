import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { startGateway } from '../../../gateway/src/index.ts';
import { receivers } from '../../../scripts/reference/receiver.ts';
import { siteParts } from '../../../scripts/reference/site.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { PYTHON_MISSING } from '../../conformance/python.ts';
import { afterTheFile, afterwards, temporaryFolder } from '../../gateway/harness/afterwards.ts';
import { installed } from '../../tools/installed.ts';
import { freePort } from '../../tools/loopback.ts';
import { until } from '../../tools/wait.ts';

const bundle = readBundle();

const secretBytes = Buffer.from('a signing secret of 32 bytes ...');
const secret = `whsec_${secretBytes.toString('base64')}`;
interface Command {
  command: string;
  file: string;
  missing?: string;
  /** The arguments before the file. */
  leading?: (port: number) => string[];
  /** A server of the language starts it with each request. */
  hasServer?: true;
}

const missing = (command: string) => (installed(command) ? '' : ` (skipped, since ${command} is not installed)`);
const COMMANDS: Readonly<Record<string, Command>> = {
  TypeScript: { command: process.execPath, file: 'receiver.ts' },
  Python: { command: 'python3', file: 'receiver.py', missing: PYTHON_MISSING },
  PHP: {
    ...{ command: 'php', file: 'receiver.php', missing: missing('php'), hasServer: true },
    leading: (port) => ['-S', `localhost:${port}`],
  },
  Go: { command: 'go', file: 'receiver.go', missing: missing('go'), leading: () => ['run'] },
  Java: { command: 'java', file: 'Receiver.java', missing: missing('java') },
  'C#': { command: 'dotnet', file: 'receiver.cs', missing: missing('dotnet'), leading: () => ['run'] },
  Ruby: {
    ...{ command: 'rackup', file: 'receiver.ru', missing: missing('rackup') },
    leading: (port) => ['--port', String(port)],
  },
};

describe.each(receivers(bundle))('the webhook receiver in $label', ({ label, code }) => {
  const { command, file: name, missing = '', leading = () => [], hasServer = false } = COMMANDS[label] as Command;
  let url = '';
  let file = '';

  beforeAll(async () => {
    if (missing) return;
    file = join(await temporaryFolder(), name);
    await writeFile(file, code);
    const port = await freePort();
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
    const child = execFile(command, [...leading(port), file], { env });
    afterTheFile(async () => void child.kill());
    const failed = once(child, 'exit').then(() => Promise.reject(new Error('the receiver does not start')));
    url = `http://localhost:${port}`;
    await Promise.race([until(() => fetch(url).then(Boolean, () => false), 60_000), failed]);
  });

  it.skipIf(missing || hasServer).each(['', 'whsec_'])(
    `doesn't start with the secret '%s'${missing}`,
    async (wrong) => {
      const { code: exitCode, stderr } = await run(command, [...leading(0), file], {
        env: { ...process.env, WEBHOOK_SECRET: wrong },
        allowFailure: true,
      });
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining('Set WEBHOOK_SECRET to the signing secret, whsec_…'),
      ]);
    },
  );

  it.skipIf(missing)(`refuses a body of more than 1 MiB, even of unknown length${missing}`, async () => {
    const large = Buffer.alloc(1_048_577);
    const post = (body: NonNullable<RequestInit['body']>) =>
      fetch(url, { method: 'POST', body, duplex: 'half' }).catch(() => undefined);
    expect((await post(large))?.status ?? 413).toBe(413);
    expect([411, 413]).toContain((await post(new Blob([large]).stream()))?.status ?? 413);
  });

  it.skipIf(missing)(`passes every check of the kit for receivers${missing}`, async () => {
    const args = [join(ROOT, 'conformance/src/bin.ts'), 'receiver', url, '--secret', secret];
    const { code: exitCode, stdout } = await run(process.execPath, args, { allowFailure: true });
    expect(stdout).toContain('conforms');
    expect(exitCode).toBe(0);
  });
});

it('prints the first webhook for readers who follow the pages', async () => {
  const { files } = await siteParts();
  const gateway = await startGateway();
  const folder = await temporaryFolder();
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
  });
  await until(() => fetch(`http://localhost:${port}`).then(Boolean, () => false), 10_000);
  const printed = once(child.stdout, 'data') as Promise<[Buffer]>;
  shell(send.replace(':3000', `:${port}`));
  expect(String((await printed)[0])).toMatch(/^evt_\w+ pay_\w+ [A-Z_]+\n$/);
});

it('is on the page that explains the signature, in every language', async () => {
  const { files } = await siteParts();
  const section = files['webhooks.md']?.split('## Verify the signature')[1]?.split('\n## ')[0];
  for (const { language, label, code } of receivers(bundle))
    expect(section).toContain(`\`\`\`${language} [${label}]\n${code.trimEnd()}\n\`\`\``);
});
