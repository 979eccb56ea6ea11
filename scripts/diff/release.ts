/** Whether the current contract may be released, and what a release changes in the sources. */
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from '../../contract/src/model.ts';
import { compareDocuments } from './document.ts';
import { nextStep } from './report.ts';
import { entries, isUnreleased, judge, releaseOf } from './version.ts';

/**
 * Returns the reason why the contract may not be released, with the next step; undefined if it may.
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

/** The contract with the version that it gets by its release. */
export function asReleased(present: Bundle): Bundle {
  return { ...present, info: { ...present.info, version: releaseOf(present.info.version) } };
}

/** openapi/openapi.yaml and CHANGELOG.md once the version is released: `-dev` goes, and the date comes. */
export function releasedSources(document: string, changelog: string, version: string, date: string) {
  const released = releaseOf(version);
  return {
    document: isUnreleased(version)
      ? document.replace(`\n  version: ${version}\n`, `\n  version: ${released}\n`)
      : document,
    changelog: changelog.replace(`\n## ${released} (unreleased)\n`, `\n## ${released} (${date})\n`),
  };
}

/** Whether this very document is released already. */
export function isReleased(released: Bundle | undefined, present: Bundle): boolean {
  return isDeepStrictEqual(released, present);
}
