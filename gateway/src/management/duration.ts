/** Durations as requests give them. The document's pattern has been checked before. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `500ms`, `30s`, `15m`, `2h` or `3d`. Throws for anything else. */
export function milliseconds(duration: string): number {
  const [, number, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  const factor = UNITS[unit];
  if (number === undefined || factor === undefined) throw new Error(`not a duration: ${duration}`);
  return Number(number) * factor;
}
