/** The revision of a clone, read from git's files: to ask git takes a process, and a container has none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './process.ts';

const DIGITS = 12;

/** Its first digits, or undefined outside a clone. */
export function revision(folder = ROOT): string | undefined {
  const read = (path: string) => readFileSync(join(folder, '.git', path), 'utf8').trim();
  try {
    const head = read('HEAD');
    const [, ref] = /^ref: (.+)$/.exec(head) ?? [];
    return (ref === undefined ? head : (loose(read, ref) ?? packed(read, ref)))?.slice(0, DIGITS);
  } catch {
    return undefined;
  }
}

function loose(read: (path: string) => string, ref: string): string | undefined {
  try {
    return read(ref);
  } catch {
    return undefined;
  }
}

function packed(read: (path: string) => string, ref: string): string | undefined {
  const lines = read('packed-refs').split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}
