/** Locations of the document's parts: file and line of openapi/. */
import { readFileSync } from 'node:fs';

export interface Location {
  /** Path from the root of the contract's repository. */
  readonly file: string;
  readonly line: number;
}

type Locations = Readonly<Record<string, { readonly at: string; readonly lines: Readonly<Record<string, number>> }>>;

const FILE = new URL('../../../generated/locations.json', import.meta.url);
/** The bundle, for places without a source file. */
const BUNDLE = 'generated/openapi.json';

let read: [file: string, place: Locations[string]][] | undefined;

/** The file and line of the nearest place at or above the pointer. */
export function findLocation(pointer: string): Location {
  read ??= Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Locations);
  // The file that begins deepest holds the place.
  const holders = read.filter(([, { at }]) => pointer === at || pointer.startsWith(`${at}/`));
  const [file, place] = holders.toSorted(([, one], [, other]) => other.at.length - one.at.length)[0] ?? [];
  if (file === undefined || !place) return { file: BUNDLE, line: 1 };
  for (let rest = pointer.slice(place.at.length); rest !== ''; rest = rest.slice(0, rest.lastIndexOf('/'))) {
    const line = place.lines[rest];
    if (line !== undefined) return { file, line };
  }
  return { file, line: 1 };
}
