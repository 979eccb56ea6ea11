/** The command `payments-contract diff`: the required version, the report, exit codes, files. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, runCommand } from '../../../contract/src/cli.ts';
import { addDiffCommand, report } from '../../../contract/src/diff/command.ts';
import { compareDocuments } from '../../../contract/src/diff/document.ts';
import { judge, raise } from '../../../contract/src/diff/version.ts';
import type { Bundle } from '../../../contract/src/model.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { collect } from '../../tools/collect.ts';
import { CONTRACT, drop, type Edit, edited, schema, set } from './documents.ts';
import { LOST_FIELD } from './schema-cases.ts';

const EDITORIAL = set('/info/description', 'Read on.');
const ADDITIVE = set(schema('Balance', 'properties', 'note'), { type: 'string' });

function toVersion(text: string): Edit {
  return set('/info/version', text);
}

function compare(after: string, edits: Edit[], before = '1.4.2') {
  const [old, present] = [edited(toVersion(before)), edited(toVersion(after), ...edits)];
  const changes = compareDocuments(old, present);
  return { changes, verdict: judge(old, present, changes) };
}

describe('the required version', () => {
  it.each([
    { kind: 'a break', edits: [LOST_FIELD], required: '2.0.0' },
    { kind: 'an addition', edits: [ADDITIVE], required: '1.5.0' },
    { kind: 'other words', edits: [EDITORIAL], required: '1.4.3' },
    { kind: 'a break among others', edits: [ADDITIVE, EDITORIAL, LOST_FIELD], required: '2.0.0' },
    { kind: 'nothing', edits: [], required: '1.4.2' },
  ])('after $kind is $required', ({ edits, required }) => {
    expect(compare('1.4.2', edits).verdict.required).toBe(required);
  });

  it.each([
    { after: '1.4.2', enough: false },
    { after: '1.4.10', enough: false },
    { after: '1.4.2-dev', enough: false },
    { after: '1.5.0', enough: true },
    { after: '1.5.0-dev', enough: true },
    { after: '1.10.0', enough: true },
    { after: '2.0.0', enough: true },
  ])('after an addition is met by $after: $enough', ({ after, enough }) => {
    expect(compare(after, [ADDITIVE]).verdict.enough).toBe(enough);
  });

  it('is not met by a lower version, even if nothing has changed', () => {
    expect(compare('1.4.1', []).verdict.enough).toBe(false);
  });

  it('is met by the unreleased version of the old document', () => {
    expect(compare('1.4.2-dev', [], '1.4.2-dev').verdict.enough).toBe(true);
  });

  it('needs versions of three numbers', () => {
    expect(() => compare('1.5', [ADDITIVE])).toThrow("info.version is '1.5'. Write it as MAJOR.MINOR.PATCH");
  });
});

describe('the report', () => {
  const show = (after: string, edits: Edit[]) => {
    const { changes, verdict } = compare(after, edits);
    return report(changes, verdict);
  };

  it('groups changes by severity and ends with the next step', () => {
    expect(show('1.4.2', [ADDITIVE, EDITORIAL]).split('\n')).toEqual([
      'Additive (1)',
      '  optional field note added (getBalance 200)',
      '    at /components/schemas/Balance/properties/note',
      '',
      'Editorial (1)',
      '  info description changed',
      '    at /info/description',
      '',
      'Required version: 1.5.0 (the old document has 1.4.2, the new one 1.4.2)',
      'info.version 1.4.2 is too low for these changes. Set it to 1.5.0.',
    ]);
  });

  it('says why something breaks and shortens the list of messages', () => {
    const text = show('2.0.0', [set(schema('AmountPaid', 'minimum'), 0)]);
    expect(text).toContain('    breaks: Readers get messages that the old document ruled out.');
    expect(text).toMatch(/minimum: 1 → 0 \([^,)]+, [^,)]+, [^,)]+ and \d+ more\)/);
  });

  it('says that the documents are equal', () => {
    expect(show('1.4.2', [])).toContain('Nothing has changed.');
  });
});

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
});
