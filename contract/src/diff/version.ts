/** Compares the version that the changes require with the new document's. */
import { UserError } from '../cli.ts';
import type { Bundle } from '../model.ts';
import { type Change, LEVELS, type Level } from './change.ts';

export interface Verdict {
  /** The info.version of each document. */
  readonly before: string;
  readonly after: string;
  /** The lowest version that the changes allow. */
  readonly required: string;
  /** Whether the new document has at least that version. */
  readonly enough: boolean;
}

export function judge(
  { info: { version: before } }: Bundle,
  { info: { version: after } }: Bundle,
  changes: readonly Change[],
): Verdict {
  const level = LEVELS.find((candidate) => changes.some((change) => change.level === candidate));
  const required = raise(before, level);
  return { before, after, required, enough: order(after, required) >= 0 };
}

/** The next version of this level; without one, the version itself, without a suffix such as `-dev`. */
function raise(version: string, level: Level | undefined): string {
  const [major, minor, patch] = parseVersion(version);
  if (level === 'major') return `${major + 1}.0.0`;
  if (level === 'minor') return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${level === 'patch' ? patch + 1 : patch}`;
}

/** Below zero when the first version is the older one, above when it is the newer one. */
function order(one: string, other: string): number {
  const right = parseVersion(other);
  const differences = parseVersion(one).map((number, index) => number - (right[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function parseVersion(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.]+)?$/.exec(version) ?? [];
  if (major === undefined)
    throw new UserError(`info.version is '${version}'. Write it as MAJOR.MINOR.PATCH, such as 1.0.0 or 1.0.0-dev`);
  return [Number(major), Number(minor), Number(patch)];
}
