/** Asks TypeScript's language service what an editor would offer. */
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { openEnum, readBundle } from '../../scripts/contract/model.ts';
import { ROOT } from '../../scripts/tools/process.ts';

const FILE = join(ROOT, 'tests/artifacts/completion.virtual.ts');

/** The string completions at the mark `|` of a program. */
function completions(program: string): string[] {
  const text = program.replace('|', '');
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const content = file === FILE ? text : ts.sys.readFile(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === FILE || ts.sys.fileExists(file),
    readFile: (file) => (file === FILE ? text : ts.sys.readFile(file)),
  };
  const found = ts.createLanguageService(host).getCompletionsAtPosition(FILE, program.indexOf('|'), {});
  return (found?.entries ?? []).map((entry) => entry.name);
}

const OPEN = Object.entries(readBundle().components.schemas).flatMap(([name, schema]) => {
  const found = openEnum(schema);
  return found ? [{ name, known: found.known }] : [];
});

it.each(OPEN)('$name offers its known values', ({ name, known }) => {
  const offered = completions(`import type { ${name} } from '../../generated/types.ts';\nconst value: ${name} = '|';`);
  expect(offered).toEqual(expect.arrayContaining(known));
});

it('finds every open enumeration of the document', () => {
  expect(OPEN.map(({ name }) => name).sort()).toEqual([
    'ConfirmItemName',
    'DataItemName',
    'KycLevel',
    'PaymentDeclineReason',
    'PaymentMethodType',
    'PayoutDeclineReason',
    'PayoutMethodType',
  ]);
});
