/** Which version the changes ask for, and whether the document and the changelog say so. */

import { UserError } from '../../contract/src/cli.ts';
import type { Bundle } from '../../contract/src/model.ts';
import { type Change, LEVELS, type Level } from './change.ts';

export interface Verdict {
  /** The version that was released last. */
  released: string;
  /** What info.version says now. */
  present: string;
  /** The lowest version that the changes allow. */
  proposed: string;
  /** Whether info.version is at least the proposed one. */
  enough: boolean;
  /** The version of the changelog's top entry; null when it has none. */
  changelog: string | null;
}

/** Rates info.version and the changelog by what has changed since the release. */
export function judge(base: Bundle, revision: Bundle, changes: Change[], changelog: string): Verdict {
  const released = base.info.version;
  const present = revision.info.version;
  const level = LEVELS.find((candidate) => changes.some((change) => change.level === candidate));
  const proposed = level ? raise(released, level) : released;
  return {
    released,
    present,
    proposed,
    enough: order(present, proposed) >= 0,
    changelog: entries(changelog)[0] ?? null,
  };
}

/** The versions that the changelog has an entry for, in its order. */
export function entries(changelog: string): string[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+)\b/gm)].map((found) => found[1] ?? '');
}

/** The next version of this level. */
export function raise(version: string, level: Level): string {
  const [major, minor, patch] = numbers(version);
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Below zero when the first version is the older one, above when it is the newer one. */
function order(one: string, other: string): number {
  const right = numbers(other);
  const differences = numbers(one).map((number, index) => number - (right[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function numbers(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (major === undefined) {
    throw new UserError(`info.version is '${version}'. Write it as MAJOR.MINOR.PATCH, such as 1.0.0`);
  }
  return [Number(major), Number(minor), Number(patch)];
}
