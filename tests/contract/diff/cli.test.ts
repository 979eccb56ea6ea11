/** The command `payments-contract diff`: output, exit codes, files. It runs in this process, except for its help. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, runCommand } from '../../../contract/src/cli.ts';
import { addDiffCommand } from '../../../contract/src/diff/command.ts';
import { raise } from '../../../contract/src/diff/version.ts';
import type { Bundle } from '../../../contract/src/model.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { collect } from '../../tools/collect.ts';
import { CONTRACT, drop, edited, schema } from './documents.ts';

const PRESENT = join(ROOT, 'generated/openapi.json');
const { version } = CONTRACT.info;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

function diff(...args: string[]) {
  return collect((terminal) => {
    const program = new CommandLine('payments-contract', terminal);
    addDiffCommand(program);
    return runCommand(program, ['diff', ...args]);
  });
}

async function written(name: string, content: Bundle | string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe.concurrent('payments-contract diff', () => {
  it('exits with 1 and the next step when the version is too low', async () => {
    const older = edited(drop(schema('CreatePaymentResponseCreated', 'properties', 'redirect_url')));
    const { code, stdout } = await diff(await written('older.json', older), PRESENT);
    expect(stdout).toContain('optional field redirect_url added (createPayment 200)');
    expect(stdout).toContain(`Set it to ${raise(version, 'minor')}.\n`);
    expect(code).toBe(1);
  });

  it('prints JSON for programs', async () => {
    const { code, stdout, stderr } = await diff(PRESENT, PRESENT, '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      changes: [],
      verdict: { before: version, after: version, required: raise(version, undefined), enough: true },
    });
  });

  it('exits with 2 on invalid arguments', async () => {
    const missing = await diff(join(folder, 'none.json'), PRESENT);
    expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("Can't read") });
    const yaml = await diff(PRESENT, await written('openapi.yaml', 'openapi: 3.1.0'));
    expect(yaml).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is not valid JSON') });
    expect((await diff(PRESENT)).code).toBe(2);
    expect((await diff(PRESENT, PRESENT, '--bose')).code).toBe(2);
  });

  it('has help', async () => {
    const { code, stdout } = await run(process.execPath, [join(ROOT, 'contract/src/main.ts'), 'diff', '--help']);
    expect(stdout).toContain('<old> <new>');
    expect(code).toBe(0);
  });
});
