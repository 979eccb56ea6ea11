/** Ranges of creation times, as ranges of ids: ids begin with their time. */
import { firstId, type IdPrefix } from '../platform/ids.ts';

/** Milliseconds since 1970: the first time, and the one after the last. */
export interface CreatedRange {
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

/** Ids from one on, and before another. */
export interface IdRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Ids of rows created in a range of time. */
export function idRange(prefix: IdPrefix, { from, before }: CreatedRange): IdRange {
  const bound = (time: number | undefined) => (time === undefined ? undefined : firstId(prefix, Math.max(time, 0)));
  return { from: bound(from), to: bound(before) };
}
