import ts from 'typescript';

/** Compiles a program in memory, as if it were in this file, and returns the compiler's messages. */
export function compilerMessages(file: string, source: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const [checked] = program.getSourceFiles().filter(({ fileName }) => fileName === file);
  return ts
    .getPreEmitDiagnostics(program, checked)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
