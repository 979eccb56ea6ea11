/** `payments-contract diff`: the changes between two documents, and the version that they require. */
import { readFile } from 'node:fs/promises';
import { type CommandLine, UserError } from '../cli.ts';
import type { Bundle } from '../model.ts';
import { type Change, LEVELS, type Level } from './change.ts';
import { compareDocuments } from './document.ts';
import { judge, type Verdict } from './version.ts';

export function addDiffCommand(program: CommandLine): CommandLine {
  return program
    .subcommand(
      'diff <old> <new>',
      'List the changes between two versions of a contract, bundled documents in JSON, and the version that they require.',
    )
    .option('--json', 'Print the changes and the verdict as JSON.')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if the info.version of the new document is lower than the changes require.',
    )
    .handle(async ({ json }: { json?: boolean }, oldFile = '', newFile = '') => {
      const [before, after] = [await readDocument(oldFile), await readDocument(newFile)];
      const changes = compareDocuments(before, after);
      const verdict = judge(before, after, changes);
      program.terminal.out(`${json ? JSON.stringify({ changes, verdict }, null, 2) : report(changes, verdict)}\n`);
      return verdict.enough ? 0 : 1;
    });
}

async function readDocument(file: string): Promise<Bundle> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`Can't read ${file}: ${error.message}`, 2);
  });
  try {
    return JSON.parse(text) as Bundle;
  } catch (error) {
    const reason = (error as Error).message;
    throw new UserError(`${file} is not valid JSON: ${reason}\nGive a bundle, such as generated/openapi.json.`, 2);
  }
}

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
