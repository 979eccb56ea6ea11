/** Source locations of the document's places: YAML file and line of each, for reports that point at the source. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { toPointer } from '../../contract/src/pointer.ts';
import { ROOT } from '../tools/process.ts';

const FOLDER = join(ROOT, 'openapi');
const ENTRY = join(FOLDER, 'openapi.yaml');
const COMPONENTS = join(FOLDER, 'components');

/** No clause is in these. */
const LEFT_OUT = /\/(\$ref|callbacks|examples|description|summary|tags|x-(?!state|assumptions)[^/]+)(\/|$)/;

/** For each file, its place in the document and the lines of the places within it. */
export type Locations = Record<string, { readonly at: string; readonly lines: Record<string, number> }>;

export function locationsArtifact(): string {
  const locations: Locations = {};
  for (const [file, at] of [...filesOfEntry(), ...filesOfComponents()]) {
    locations[relative(ROOT, file).replaceAll('\\', '/')] = { at, lines: locateLines(file) };
  }
  const rows = Object.entries(locations).map(([file, one]) => `  ${JSON.stringify(file)}: ${JSON.stringify(one)}`);
  return `{\n${rows.join(',\n')}\n}\n`;
}

/** The entry itself, and the files to which it refers. */
function filesOfEntry(): [file: string, at: string][] {
  const found: [string, string][] = [[ENTRY, '']];
  visit(parse(ENTRY).contents, '', (node, at) => {
    if (!isMap(node)) return;
    const reference = node.get('$ref');
    if (typeof reference !== 'string' || !reference.endsWith('.yaml')) return;
    found.push([resolve(FOLDER, reference), at.replace(/\/\$ref$/, '')]);
  });
  return found;
}

/** Components are named after their files. */
function filesOfComponents(): [file: string, at: string][] {
  const files = globSync('*/*.yaml', { cwd: COMPONENTS, exclude: ['examples/**'] }).toSorted();
  return files.map((file) => [join(COMPONENTS, file), toPointer('components', dirname(file), basename(file, '.yaml'))]);
}

function locateLines(file: string): Record<string, number> {
  const counter = new LineCounter();
  const lines: Record<string, number> = { '': 1 };
  visit(parse(file, counter).contents, '', (_node, at, start) => {
    if (at !== '' && !LEFT_OUT.test(at)) lines[at] = counter.linePos(start).line;
  });
  return lines;
}

function parse(file: string, lineCounter = new LineCounter()) {
  return parseDocument(readFileSync(file, 'utf8'), { lineCounter });
}

/** Calls back for every node with its pointer and the offset of its key. */
function visit(
  node: Node | null,
  at: string,
  each: (node: unknown, at: string, start: number) => void,
  start = 0,
): void {
  if (!node) return;
  each(node, at, start);
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      visit(value as Node | null, at + toPointer(String(key.value)), each, key.range?.[0] ?? 0);
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, index) => {
      visit(item as Node, at + toPointer(index), each, (item as Node).range?.[0] ?? 0);
    });
  }
}
