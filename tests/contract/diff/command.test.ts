/** The command `payments-contract diff`: the required version, the report, exit codes, files. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommandLine, runCommand } from '../../../contract/src/cli.ts';
import { addDiffCommand, report } from '../../../contract/src/diff/command.ts';
import { compareDocuments } from '../../../contract/src/diff/document.ts';
import { judge } from '../../../contract/src/diff/version.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { collect } from '../../tools/collect.ts';
import { CONTRACT, drop, type Edit, edited, LOST_FIELD, schema, set } from './documents.ts';

const EDITORIAL = set('/info/description', 'Read on.');
const ADDITIVE = set(schema('Balance', 'properties', 'note'), { type: 'string' });

function compare(before: string, after: string, edits: Edit[]) {
  const [old, present] = [before, after].map((version) => set('/info/version', version));
  const documents = [edited(old as Edit), edited(present as Edit, ...edits)] as const;
  const changes = compareDocuments(...documents);
  return { changes, verdict: judge(...documents, changes) };
}

describe('the required version', () => {
  it.each<[kind: string, edits: Edit[], before: string, required: string, enough: string[], tooLow: string[]]>([
    ['a break', [ADDITIVE, EDITORIAL, LOST_FIELD], '1.4.2', '2.0.0', ['2.0.0'], ['1.5.0']],
    ['an addition', [ADDITIVE], '1.4.2', '1.5.0', ['1.5.0-dev', '1.10.0', '2.0.0'], ['1.4.10', '1.4.2-dev']],
    ['other words', [EDITORIAL], '1.4.2', '1.4.3', ['1.4.3'], ['1.4.2']],
    ['no change', [], '1.4.2', '1.4.2', ['1.4.2'], ['1.4.1']],
    ['no change before a release', [], '1.4.2-dev', '1.4.2', ['1.4.2-dev'], []],
  ])('rises by %s', (_kind, edits, before, required, enough, tooLow) => {
    expect(compare(before, before, edits).verdict.required).toBe(required);
    const isEnough = (after: string) => compare(before, after, edits).verdict.enough;
    expect([enough.filter(isEnough), tooLow.filter(isEnough)]).toEqual([enough, []]);
  });

  it('needs versions of three numbers', () => {
    const wrong = () => compare('1.4.2', '1.5', [ADDITIVE]);
    expect(wrong).toThrow("info.version is '1.5'. Write it as MAJOR.MINOR.PATCH");
  });
});

describe('the report', () => {
  const show = (after: string, edits: Edit[]) => {
    const { changes, verdict } = compare('1.4.2', after, edits);
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

  it('says that nothing has changed', () => {
    expect(show('1.4.2', [])).toMatch(/^Nothing has changed\./);
  });
});

describe.concurrent('payments-contract diff', () => {
  const present = join(ROOT, 'generated/openapi.json');

  function diff(...args: string[]) {
    return collect((terminal) => {
      const program = new CommandLine('payments-contract', terminal);
      addDiffCommand(program);
      return runCommand(program, ['diff', ...args]);
    });
  }

  async function write(name: string, content: string): Promise<string> {
    const file = join(await temporaryFolder(), name);
    await writeFile(file, content);
    return file;
  }

  it('exits with 1 when the version is too low', async () => {
    const older = edited(drop(schema('CreatePaymentResponseCreated', 'properties', 'redirect_url')));
    const { code, stdout } = await diff(await write('older.json', JSON.stringify(older)), present);
    expect(stdout).toContain('optional field redirect_url added (createPayment 200)');
    expect(code).toBe(1);
  });

  it('prints JSON for programs', async () => {
    const { code, stdout } = await diff(present, present, '--json');
    const { version } = CONTRACT.info;
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [],
      verdict: { before: version, after: version, enough: true },
    });
    expect(code).toBe(0);
  });

  it('exits with 2 for a file that is missing or not JSON', async () => {
    const missing = await diff('none.json', present);
    expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("Can't read none.json") });
    const yaml = await diff(present, await write('openapi.yaml', 'openapi: 3.1.0'));
    expect(yaml).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is not valid JSON') });
  });
});
