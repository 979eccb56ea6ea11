/** Reads files of the project or of a package. Request handling reads no other files. */
import { readdirSync, readFileSync } from 'node:fs';

export function readText(file: URL | string): string {
  return readFileSync(file, 'utf8');
}

/** The files of a folder whose names are wanted, by name. The URL ends with a slash. */
export function readTexts(folder: URL, isWanted: (name: string) => boolean): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter(isWanted).sort();
  return new Map(names.map((name) => [name, readText(new URL(name, folder))]));
}
