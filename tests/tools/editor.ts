/** Asks TypeScript's language service what an editor would offer. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../scripts/tools/process.ts';

const MARK = '¦';

/** What is offered at the mark `¦` of a program that would stand in this folder of the project. */
export function completions(folder: string, program: string): string[] {
  const file = join(ROOT, folder, 'completion.virtual.ts');
  const text = program.replace(MARK, '');
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
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
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  };
  const found = ts.createLanguageService(host).getCompletionsAtPosition(file, program.indexOf(MARK), {});
  return (found?.entries ?? []).map((entry) => entry.name);
}
