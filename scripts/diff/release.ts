/** Whether the current contract may be released. */
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from '../../contract/src/model.ts';
import { compareDocuments } from './document.ts';
import { nextStep } from './report.ts';
import { entries, judge } from './version.ts';

/**
 * Why the contract may not be released, with the next step; undefined when it may.
 * `replace` lets the document change under a version that was released before.
 */
export function refusal(
  released: Bundle | undefined,
  present: Bundle,
  changelog: string,
  replace: boolean,
): string | undefined {
  const { version } = present.info;
  if (!entries(changelog).includes(version)) {
    return `CHANGELOG.md has no entry for ${version}.\nNext: begin it with '## ${version}', the date, and what has changed.`;
  }
  if (!released) return undefined;
  const verdict = judge(released, present, compareDocuments(released, present), changelog);
  if (verdict.enough || (replace && verdict.present === verdict.released)) return undefined;
  return `${nextStep(verdict)}\nThe changes: npm run diff`;
}

/** Whether this very document is released already. */
export function isReleased(released: Bundle | undefined, present: Bundle): boolean {
  return isDeepStrictEqual(released, present);
}
