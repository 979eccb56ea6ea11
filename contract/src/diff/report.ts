/** A comparison in words. */
import { type Change, LEVELS, type Level } from './change.ts';
import type { Verdict } from './version.ts';

const TITLES: Record<Level, string> = { major: 'Breaking', minor: 'Additive', patch: 'Editorial' };
const PLACES_SHOWN = 3;

/** The changes by severity, the required version, and the next step. */
export function report(changes: readonly Change[], { before, after, required, enough }: Verdict): string {
  const groups = LEVELS.flatMap((level) => group(level, changes));
  return [
    ...(groups.length > 0 ? groups : ['Nothing has changed.', '']),
    `Required version: ${required} (the old document has ${before}, the new one ${after})`,
    ...(enough ? [] : [`info.version ${after} is too low for these changes. Set it to ${required}.`]),
  ].join('\n');
}

function group(level: Level, changes: readonly Change[]): string[] {
  const found = changes.filter((change) => change.level === level);
  if (found.length === 0) return [];
  return [`${TITLES[level]} (${found.length})`, ...found.flatMap(lines), ''];
}

function lines({ pointer, message, why, places }: Change): string[] {
  const more = places.length - PLACES_SHOWN;
  const shown = places.slice(0, PLACES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [`  ${message}${shown && ` (${shown})`}`, `    at ${pointer}`, ...(why ? [`    breaks: ${why}`] : [])];
}
