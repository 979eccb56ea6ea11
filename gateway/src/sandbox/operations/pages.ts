/** Pages of lists. */
import { invalid, type ProblemError } from '../../contract/problems.ts';

const LIMIT = 50;

export interface PageParameters {
  readonly limit?: string;
  readonly cursor?: string;
}

/** How many entries the page has. */
export function limitOf({ limit }: PageParameters): number {
  return limit === undefined ? LIMIT : Number(limit);
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
