/** The file of known failures: checks that may fail for now, with reasons, and flaky checks. */
import { existsSync, readFileSync } from 'node:fs';
import { isDay } from '../../../contract/src/calendar.ts';
import { UserError } from '../../../contract/src/cli.ts';
import { isObject } from '../../../contract/src/model.ts';
import { parseJsonFile } from '../service/exchange.ts';

export interface KnownFailure {
  readonly check: string;
  readonly reason: string;
  /** The ticket that tracks the work on it. */
  readonly ticket?: string;
  /** Last day on which the failure is accepted, such as `2027-01-31`. */
  readonly expires?: string;
}

export interface FlakyCheck {
  readonly check: string;
  readonly reason: string;
}

export interface KnownFailures {
  readonly failures: readonly KnownFailure[];
  readonly flaky: readonly FlakyCheck[];
}

export const NO_KNOWN_FAILURES: KnownFailures = { failures: [], flaky: [] };
export const DEFAULT_FILE = 'known-failures.json';

const FIELDS: Readonly<Record<keyof KnownFailures, readonly string[]>> = {
  failures: ['check', 'reason', 'ticket', 'expires'],
  flaky: ['check', 'reason'],
};
const REQUIRED = ['check', 'reason'];

/** Reads the file. Throws a UserError that names the place of a mistake. */
export function readKnownFailures(file: string): KnownFailures {
  if (!existsSync(file)) {
    throw new UserError(`File not found: ${file}. Use --init-known-failures to write it.`, 2);
  }
  return parseKnownFailures(readFileSync(file, 'utf8'), file);
}

export function parseKnownFailures(text: string, file: string): KnownFailures {
  const wrong = (problem: string): never => {
    throw new UserError(`${file}: ${problem}`, 2);
  };
  let value: unknown;
  try {
    value = parseJsonFile(text);
  } catch (error) {
    return wrong(`the file is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) return wrong('expected an object such as { "failures": [], "flaky": [] }');
  const lists = { ...NO_KNOWN_FAILURES, ...value } as Record<string, unknown>;
  for (const [name, entries] of Object.entries(lists)) {
    const fields = FIELDS[name as keyof KnownFailures];
    if (!fields) return wrong(`'${name}' is unknown. Use failures or flaky.`);
    if (!Array.isArray(entries)) return wrong(`'${name}' must be an array`);
    entries.forEach((entry, index) => {
      const problem = findProblem(entry, fields);
      if (problem) wrong(`${name}[${index}]: ${problem}`);
    });
  }
  const read = lists as unknown as KnownFailures;
  const ids = [...read.failures, ...read.flaky].map(({ check }) => check);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? read : wrong(`'${twice}' is listed twice`);
}

function findProblem(entry: unknown, fields: readonly string[]): string | undefined {
  if (!isObject(entry)) return `expected an object with ${fields.join(', ')}`;
  const unknown = Object.keys(entry).find((name) => !fields.includes(name));
  if (unknown !== undefined) return `'${unknown}' is unknown. Use ${fields.join(', ')}.`;
  const missing = REQUIRED.find((name) => entry[name] === undefined || entry[name] === '');
  if (missing !== undefined) return `'${missing}' is missing`;
  const other = Object.keys(entry).find((name) => typeof entry[name] !== 'string');
  if (other !== undefined) return `'${other}' must be a string`;
  const { expires } = entry;
  if (expires === undefined) return undefined;
  return isDay(String(expires)) ? undefined : `'expires' must be a date such as 2027-01-31, found '${expires}'`;
}

/** Throws a UserError if an entry names a check that doesn't exist. */
export function requireKnownChecks(known: KnownFailures, ids: ReadonlySet<string>, file: string): void {
  const unknown = [...known.failures, ...known.flaky].find(({ check }) => !ids.has(check));
  if (unknown)
    throw new UserError(`${file}: check not found: ${unknown.check}. Remove the entry, or use an id from --list.`, 2);
}

export function isExpired({ expires }: KnownFailure, now: Date): boolean {
  return expires !== undefined && expires < now.toISOString().slice(0, 10);
}

/** The list with an entry for each failing check. Existing entries stay; new ones have the reason. */
export function withFailures(
  known: KnownFailures,
  failing: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
): KnownFailures {
  const flaky = new Set(known.flaky.map(({ check }) => check));
  const kept = known.failures.filter(({ check }) => failing.has(check) || !ran.has(check));
  const listed = new Set(kept.map(({ check }) => check));
  const added = [...failing].filter(([check]) => !listed.has(check) && !flaky.has(check));
  return { failures: [...kept, ...added.map(([check, reason]) => ({ check, reason }))], flaky: known.flaky };
}
