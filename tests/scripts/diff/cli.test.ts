/** The commands: output, exit codes, files. They run in this process, but for their help. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLine, runCommand, type Terminal } from '../../../contract/src/cli.ts';
import type { Bundle } from '../../../contract/src/model.ts';
import { RELEASED_FILE } from '../../../scripts/diff/inputs.ts';
import { asReleased } from '../../../scripts/diff/release.ts';
import { raise, releaseOf, unreleased } from '../../../scripts/diff/version.ts';
import { diffCommand } from '../../../scripts/diff.ts';
import { releaseCommand } from '../../../scripts/release.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { collect } from '../../tools/collect.ts';
import { CONTRACT, drop, edited, schema } from './documents.ts';

const RELEASED = releaseOf(CONTRACT.info.version);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

function runHere(create: (terminal: Terminal) => CommandLine, ...args: string[]) {
  return collect((terminal) => runCommand(create(terminal), args));
}

async function written(name: string, document: Bundle): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(document));
  return file;
}

describe.concurrent('npm run diff', () => {
  it('passes for the released contract', async () => {
    const { code, stdout, stderr } = await runHere(diffCommand);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Next version: /m);
    expect(code).toBe(0);
  });

  it('exits with 1 and the next step when the version is too low', async () => {
    const base = await written(
      'older.json',
      edited(drop(schema('CreatePaymentResponseCreated', 'properties', 'redirect_url'))),
    );
    const { code, stdout } = await runHere(diffCommand, '--base', base);
    expect(stdout).toContain('optional field redirect_url added (createPayment 200)');
    expect(stdout).toContain(`Next: set it to ${unreleased(raise(RELEASED, 'minor'))} in openapi/openapi.yaml`);
    expect(code).toBe(1);
  });

  it('prints JSON for programs', async () => {
    const { stdout } = await runHere(diffCommand, '--base', await written('same.json', CONTRACT), '--json');
    const { changes, verdict } = JSON.parse(stdout);
    expect(changes).toEqual([]);
    expect(verdict).toMatchObject({ proposed: RELEASED, enough: true });
  });

  it('exits with 2 when it is called wrongly', async () => {
    const missing = await runHere(diffCommand, '--base', join(folder, 'none.json'));
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('Released contract not found');
    expect((await runHere(diffCommand, '--bose')).code).toBe(2);
  });

  it('has a help', async () => {
    const { code, stdout } = await run(process.execPath, [join(ROOT, 'scripts/diff.ts'), '--help']);
    expect(stdout).toMatch(/--base <file> +Bundled document to compare with\./);
    expect(stdout).toContain(RELEASED_FILE);
    expect(code).toBe(0);
  });
});

describe.concurrent('npm run release', () => {
  it('writes the contract where no release is, and leaves it alone the next time', async () => {
    const file = join(folder, 'released.json');
    const first = await runHere(releaseCommand, '--file', file);
    expect(first).toMatchObject({ code: 0, stdout: `${file} has version ${RELEASED} now.\n` });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(asReleased(CONTRACT));
    const second = await runHere(releaseCommand, '--file', file);
    expect(second).toMatchObject({ code: 0, stdout: `${file} has version ${RELEASED} already.\n` });
  });

  it('refuses a document whose version is too low, and writes nothing', async () => {
    const older = edited(drop(schema('CreatePaymentResponseCreated', 'properties', 'redirect_url')));
    const file = await written('refused.json', older);
    const { code, stderr } = await runHere(releaseCommand, '--file', file);
    expect(stderr).toContain('is too low for these changes.\nNext: set it to');
    expect(code).toBe(1);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(older);
  });
});
