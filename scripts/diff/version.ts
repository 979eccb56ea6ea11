/** The version that the changes ask for, compared with those of the document and the changelog. */

import { UserError } from '../../contract/src/cli.ts';
import type { Bundle } from '../../contract/src/model.ts';
import { type Change, LEVELS, type Level } from './change.ts';

export interface Verdict {
  /** The version that was released last. */
  released: string;
  /** The present info.version. Until its release, a version ends with `-dev`. */
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
  const proposed = level ? raise(released, level) : releaseOf(released);
  return {
    released,
    present,
    proposed,
    enough: order(releaseOf(present), proposed) >= 0 && !(isUnreleased(present) && releaseOf(present) === released),
    changelog: entries(changelog)[0] ?? null,
  };
}

const UNRELEASED = '-dev';

/** Whether a version is one that is still being worked on. */
export function isUnreleased(version: string): boolean {
  return version.endsWith(UNRELEASED);
}

/** The version as it is while it is being worked on. */
export function unreleased(version: string): string {
  return `${version}${UNRELEASED}`;
}

/** The version that a version becomes when it is released. */
export function releaseOf(version: string): string {
  return isUnreleased(version) ? version.slice(0, -UNRELEASED.length) : version;
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
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(releaseOf(version)) ?? [];
  if (major === undefined) {
    throw new UserError(
      `info.version is '${version}'. Write it as MAJOR.MINOR.PATCH, such as 1.0.0, or 1.0.0${UNRELEASED} until its release`,
    );
  }
  return [Number(major), Number(minor), Number(patch)];
}
