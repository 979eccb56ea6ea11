/** Query parameters of lists, times and durations, and pages in responses. */
import { type BodyViolation, invalid, type ProblemError } from '../http/problems.ts';
import type { CreatedRange } from '../platform/ids.ts';

const LIMIT = 50;

export interface PageParameters {
  readonly limit?: string;
  readonly cursor?: string;
}

export interface CreatedParameters {
  readonly created_from?: string;
  readonly created_before?: string;
}

interface ListPage<Entry> {
  data: Entry[];
  next_cursor?: string;
}

export function readLimit({ limit }: PageParameters): number {
  return limit === undefined ? LIMIT : Number(limit);
}

/** Builds a page from the entries found, which include one more than the limit if there are further pages. */
export function buildPage<Found, Entry>(
  found: readonly Found[],
  limit: number,
  cursorOf: (last: Found) => string,
  view: (entry: Found) => Entry,
): ListPage<Entry> {
  const last = found.length > limit ? found[limit - 1] : undefined;
  return { data: found.slice(0, limit).map(view), ...(last !== undefined && { next_cursor: cursorOf(last) }) };
}

/** The cursor of a list that begins its pages at an id of one of these prefixes. */
export function idCursor({ cursor }: PageParameters, ...prefixes: readonly string[]): string | undefined {
  if (cursor === undefined) return undefined;
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Z]{26}$/.exec(cursor) ?? [];
  if (!prefixes.includes(prefix)) throw unknownCursor();
  return cursor;
}

export function unknownCursor(): ProblemError {
  const message = 'must be the `next_cursor` of a page of this list; omit it for the first page';
  return invalid([{ in: 'query', pointer: '/cursor', message }]);
}

/** The range of creation times that the parameters give. */
export function createdRange(parameters: CreatedParameters): CreatedRange {
  const timeOf = (name: keyof CreatedParameters) => {
    const text = parameters[name];
    return text === undefined ? undefined : requireTime(text, { in: 'query', pointer: `/${name}` });
  };
  return { from: timeOf('created_from'), before: timeOf('created_before') };
}

/** Parses a formatted time to milliseconds since 1970. */
export function requireTime(
  text: string,
  location: Pick<BodyViolation, 'pointer'> & { readonly in?: 'query' },
): number {
  const time = Date.parse(text);
  // Leap seconds fit the format.
  if (Number.isNaN(time)) throw invalid([{ ...location, message: 'must be a time such as 2026-11-22T08:00:00Z' }]);
  return time;
}

/** Durations as requests give them. The document's pattern has been checked before. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `500ms`, `30s`, `15m`, `2h` or `3d`. Throws for anything else. */
export function milliseconds(duration: string): number {
  const [, number, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  const factor = UNITS[unit];
  if (number === undefined || factor === undefined) throw new Error(`not a duration: ${duration}`);
  return Number(number) * factor;
}
