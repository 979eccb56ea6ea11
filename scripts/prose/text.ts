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

/** The start of a part of a source, and its end. */
export type Range = readonly [start: number, end: number];

function typescriptProse(source: string): string {
  const { strings, comments } = extractParts(source);
  const kept = [...strings, ...comments].toSorted(([one], [other]) => one - other);
  let prose = '';
  for (const [start, end] of kept) prose += blank(source.slice(prose.length, start)) + source.slice(start, end);
  return prose + blank(source.slice(prose.length));
}

/** The comments of TypeScript or JavaScript, in order. Each line of `//` is one. */
export function typescriptComments(source: string): readonly Range[] {
  return extractParts(source).comments;
}

interface Parts {
  readonly strings: readonly Range[];
  readonly comments: readonly Range[];
}

/** Caches the last parsed source, since two checks read each file. */
let parsed: { readonly source: string; readonly parts: Parts } | undefined;

function extractParts(source: string): Parts {
  if (parsed?.source !== source) parsed = { source, parts: parse(source) };
  return parsed.parts;
}

function parse(source: string): Parts {
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
  return { strings, comments };
}

function isModuleName(node: ts.Node): boolean {
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
}
