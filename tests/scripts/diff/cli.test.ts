/** The commands as they are run: output, exit codes, files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bundle } from '../../../contract/src/model.ts';
import { RELEASED_FILE } from '../../../scripts/diff/inputs.ts';
import { raise } from '../../../scripts/diff/version.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { CONTRACT, drop, edited, schema } from './documents.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

function command(script: string, ...args: string[]) {
  return run(process.execPath, [join(ROOT, 'scripts', script), ...args], { allowFailure: true });
}

async function written(name: string, document: Bundle): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(document));
  return file;
}

describe.concurrent('npm run diff', () => {
  it('passes for the released contract', async () => {
    const { code, stdout, stderr } = await command('diff.ts');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Next version: /m);
    expect(code).toBe(0);
  });

  it('exits with 1 and the next step when the version is too low', async () => {
    const base = await written(
      'older.json',
      edited(drop(schema('CreatePaymentResponseCreated', 'properties', 'redirect_url'))),
    );
    const { code, stdout } = await command('diff.ts', '--base', base);
    expect(stdout).toContain('optional field redirect_url added (createPayment 200)');
    expect(stdout).toContain(`Next: set it to ${raise(CONTRACT.info.version, 'minor')} in openapi/openapi.yaml`);
    expect(code).toBe(1);
  });

  it('prints JSON for programs', async () => {
    const { stdout } = await command('diff.ts', '--base', await written('same.json', CONTRACT), '--json');
    const { changes, verdict } = JSON.parse(stdout);
    expect(changes).toEqual([]);
    expect(verdict).toMatchObject({ proposed: CONTRACT.info.version, enough: true });
  });

  it('exits with 2 when it is called wrongly', async () => {
    const missing = await command('diff.ts', '--base', join(folder, 'none.json'));
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('Released contract not found');
    expect((await command('diff.ts', '--bose')).code).toBe(2);
  });

  it('has a help', async () => {
    const { code, stdout } = await command('diff.ts', '--help');
    expect(stdout).toMatch(/--base <file> +Bundled document to compare with\./);
    expect(stdout).toContain(RELEASED_FILE);
    expect(code).toBe(0);
  });
});

describe.concurrent('npm run release', () => {
  it('writes the contract where no release is, and leaves it alone the next time', async () => {
    const file = join(folder, 'released.json');
    const first = await command('release.ts', '--file', file);
    expect(first).toMatchObject({ code: 0, stdout: `${file} has version ${CONTRACT.info.version} now.\n` });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(CONTRACT);
    const second = await command('release.ts', '--file', file);
    expect(second).toMatchObject({ code: 0, stdout: `${file} has version ${CONTRACT.info.version} already.\n` });
  });

  it('refuses a document whose version is too low, and writes nothing', async () => {
    const older = edited(drop(schema('CreatePaymentResponseCreated', 'properties', 'redirect_url')));
    const file = await written('refused.json', older);
    const { code, stderr } = await command('release.ts', '--file', file);
    expect(stderr).toContain('is too low for these changes.\nNext: set it to');
    expect(code).toBe(1);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(older);
  });
});
