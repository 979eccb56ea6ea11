/** In a copy of the repository without the gateway's sandbox, the tests of the core pass. */
import { chmod, cp, readdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from './harness.ts';

/** Folders of tests whose subjects are below the commands, which mount the sandbox. */
const CORE = [
  ...['management', 'channel', 'checkout', 'domain', 'jobs'],
  ...['monitoring', 'platform', 'retention', 'store', 'webhooks'],
];
const COPIED = ['gateway', 'contract', 'generated', 'conformance', 'client', 'openapi', 'scripts', 'docs', 'tests'];
const LEFT_OUT = new Set(['node_modules', 'gateway/src/sandbox', 'gateway/dist']);

async function copyWithoutSandbox(): Promise<string> {
  const folder = await temporaryFolder();
  // A test of the store reads the copy as another user.
  await chmod(folder, 0o755);
  const isWanted = (source: string) =>
    !LEFT_OUT.has(relative(ROOT, source)) && !source.endsWith('/node_modules') && !source.endsWith('/dist');
  const files = (await readdir(ROOT, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const name of [...COPIED, ...files.map((file) => file.name)])
    await cp(join(ROOT, name), join(folder, name), { recursive: true, filter: isWanted });
  for (const path of ['node_modules', 'gateway/node_modules'])
    await symlink(join(ROOT, path), join(folder, path)).catch(() => undefined);
  return folder;
}

it('the tests of the core pass without the folder of the sandbox', { timeout: 600_000 }, async () => {
  const cwd = await copyWithoutSandbox();
  const folders = CORE.map((name) => `tests/gateway/${name}`);
  const { code, stdout, stderr } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'behavior', ...folders],
    { cwd, allowFailure: true },
  );
  const failures = `${stdout}${stderr}`.split('\n').filter((line) => /^ *(FAIL|Error:|AssertionError)/.test(line));
  expect({ code, failures }).toEqual({ code: 0, failures: [] });
});
