/** Asks TypeScript's language service for an editor's suggestions. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../scripts/tools/process.ts';

const MARK = '¦';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** The program being typed, by its file. All programs share one language service, which reads their imports once. */
const programs = new Map<string, { version: number; text: string }>();

const service = ts.createLanguageService({
  getScriptFileNames: () => [...programs.keys()],
  getScriptVersion: (name) => String(programs.get(name)?.version ?? 0),
  getScriptSnapshot: (name) => {
    const content = programs.get(name)?.text ?? ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => OPTIONS,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => programs.has(name) || ts.sys.fileExists(name),
  readFile: (name) => programs.get(name)?.text ?? ts.sys.readFile(name),
});

/** Completions at the mark `¦` of a program in this folder of the project. */
export function completions(folder: string, program: string): string[] {
  const file = join(ROOT, folder, 'completion.virtual.ts');
  programs.set(file, { version: (programs.get(file)?.version ?? 0) + 1, text: program.replace(MARK, '') });
  const found = service.getCompletionsAtPosition(file, program.indexOf(MARK), {});
  return (found?.entries ?? []).map((entry) => entry.name);
}
