/** A comparison in words. */
import { type Change, LEVELS, type Level } from './change.ts';
import { releaseOf, unreleased, type Verdict } from './version.ts';

const TITLES: Record<Level, string> = { major: 'Breaking', minor: 'Additive', patch: 'Editorial' };
const PLACES_SHOWN = 3;

/** The changes by severity, the required version, and the next steps. */
export function report(changes: Change[], verdict: Verdict): string {
  const { released, present, proposed, changelog } = verdict;
  const groups = LEVELS.flatMap((level) => group(level, changes));
  return [
    ...(groups.length > 0 ? groups : ['Nothing has changed since the release.', '']),
    `Next version: ${proposed} (released ${released}, info.version ${present})`,
    changelog === releaseOf(present)
      ? `CHANGELOG.md begins with ${changelog}, like info.version.`
      : `CHANGELOG.md begins with ${changelog ?? 'no version'}, info.version is ${present}.`,
    ...(verdict.enough ? [] : ['', nextStep(verdict)]),
  ].join('\n');
}

/** The next step if info.version is too low. */
export function nextStep({ present, proposed, released }: Verdict): string {
  if (proposed === released) return `info.version ${present} is lower than the release.\nNext: set it to ${released}.`;
  return [
    `info.version ${present} is too low for these changes.`,
    `Next: set it to ${unreleased(proposed)} in openapi/openapi.yaml, and begin CHANGELOG.md with an entry '## ${proposed} (unreleased)'.`,
  ].join('\n');
}

function group(level: Level, changes: Change[]): string[] {
  const found = changes.filter((change) => change.level === level);
  if (found.length === 0) return [];
  return [`${TITLES[level]} (${found.length})`, ...found.flatMap(lines), ''];
}

function lines({ pointer, message, why, places }: Change): string[] {
  const more = places.length - PLACES_SHOWN;
  const shown = places.slice(0, PLACES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [`  ${message}${shown && ` (${shown})`}`, `    at ${pointer}`, ...(why ? [`    breaks: ${why}`] : [])];
}
