/** Without the sandbox's folder, all of the gateway compiles except the module that mounts the sandbox. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from './harness.ts';

const COMPILER = join(ROOT, 'node_modules/typescript7/bin/tsc');
const CONFIGURATION = 'tsconfig.gateway.json';
const MOUNT = 'gateway/src/mount-sandbox.ts';

/** The repository as the compiler sees it, without the folder of the sandbox, made of links. */
async function withoutSandbox(): Promise<string> {
  const folder = await temporaryFolder();
  await linkAll(folder, '', ['gateway']);
  await linkAll(folder, 'gateway', ['src']);
  await linkAll(folder, 'gateway/src', ['sandbox']);
  const configuration = {
    extends: './tsconfig.json',
    compilerOptions: { preserveSymlinks: true },
    include: ['gateway/src'],
  };
  await writeFile(join(folder, CONFIGURATION), JSON.stringify(configuration));
  return folder;
}

/** Links the entries of a folder of the repository, except some. */
async function linkAll(folder: string, path: string, except: readonly string[]): Promise<void> {
  const entries = (await readdir(join(ROOT, path))).filter((entry) => !except.includes(entry));
  await mkdir(join(folder, path), { recursive: true });
  for (const entry of entries) await symlink(join(ROOT, path, entry), join(folder, path, entry));
}

it('a gateway without the folder of the sandbox compiles, except where the sandbox is mounted', async () => {
  const cwd = await withoutSandbox();
  const { code, stdout } = await run(process.execPath, [COMPILER, '--pretty', 'false', '-p', CONFIGURATION], {
    cwd,
    allowFailure: true,
  });
  expect(code).not.toBe(0);
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(errors).toEqual([expect.stringContaining(`${MOUNT}(`)]);
  expect(errors[0]).toContain("Cannot find module './sandbox/sandbox.ts'");
});
