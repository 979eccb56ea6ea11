/** Extracts the prose of a file. Everything else is replaced by spaces, so that lines and columns stay the same. */
import { extname } from 'node:path';
import ts from 'typescript';

const READERS: Readonly<Record<string, (source: string) => string>> = {
  '.md': markdownProse,
  '.ts': typescriptProse,
  '.mjs': typescriptProse,
  '.yaml': (source) => source,
  '.yml': (source) => source,
};

/** File endings that `extractProse` supports. */
export const READABLE = Object.keys(READERS);

/** Blanks everything except comments and strings in TypeScript, and code in Markdown. Throws on other file types. */
export function extractProse(file: string, source: string): string {
  const read = READERS[extname(file)];
  if (read === undefined) throw new Error(`${file}: prose is read from ${READABLE.join(', ')} only`);
  return read(source);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function markdownProse(source: string): string {
  return source.replaceAll(/^(`{3,}).*?^\1|`[^`\n]+`|\]\([^)\n]*\)/gms, blank);
}

const COMMENT = /\/\/[^\n]*|\/\*.*?\*\//gs;

type Range = readonly [start: number, end: number];

/** Keeps comments, string literals and template texts. */
function typescriptProse(source: string): string {
  const strings: Range[] = [];
  const literals: Range[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node)) {
      const range: Range = [node.getStart(), node.end];
      literals.push(range);
      if (!ts.isRegularExpressionLiteral(node) && !isModuleName(node)) strings.push(range);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('prose.ts', source, ts.ScriptTarget.Latest, true));
  let code = '';
  for (const [start, end] of literals) code += source.slice(code.length, start) + blank(source.slice(start, end));
  code += source.slice(code.length);
  const comments = [...code.matchAll(COMMENT)].map(({ index, 0: { length } }): Range => [index, index + length]);
  let prose = '';
  for (const [start, end] of [...strings, ...comments].toSorted(([one], [other]) => one - other))
    prose += blank(source.slice(prose.length, start)) + source.slice(start, end);
  return prose + blank(source.slice(prose.length));
}

function isModuleName(node: ts.Node): boolean {
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
}
