/** The part of a file that a person reads. What is blanked keeps its place, so that lines and columns stay the same. */
import { extname } from 'node:path';
import ts from 'typescript';

const READERS: Readonly<Record<string, (source: string) => string>> = {
  '.md': markdownProse,
  '.ts': typescriptProse,
  '.mjs': typescriptProse,
  '.yaml': (source) => source,
  '.yml': (source) => source,
};

/** The endings of the files that `proseOf` can read. */
export const READABLE = Object.keys(READERS);

/** The source with everything but its prose blanked: comments and strings of TypeScript, Markdown without code. */
export function proseOf(file: string, source: string): string {
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

function typescriptProse(source: string): string {
  const strings: [number, number][] = [];
  let rest = source;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node)) {
      const range: [number, number] = [node.getStart(), node.end];
      rest = rest.slice(0, range[0]) + blank(rest.slice(...range)) + rest.slice(range[1]);
      if (!ts.isRegularExpressionLiteral(node) && !isModuleName(node)) strings.push(range);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('prose.ts', source, ts.ScriptTarget.Latest, true));
  const comments = [...rest.matchAll(COMMENT)].map(({ index, 0: { length } }): [number, number] => [
    index,
    index + length,
  ]);
  let prose = blank(source);
  for (const [start, end] of [...strings, ...comments]) {
    prose = prose.slice(0, start) + source.slice(start, end) + prose.slice(end);
  }
  return prose;
}

function isModuleName(node: ts.Node): boolean {
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
}
