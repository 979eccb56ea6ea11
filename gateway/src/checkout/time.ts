/** Formats times for browsers without scripts. With scripts, the page counts down and uses local time. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A duration in words, rounded up, such as `15 minutes`. */
export function formatDuration(ms: number, locale: Intl.UnicodeBCP47LocaleIdentifier): string {
  const [count, unit] = ms <= 90 * MINUTE ? [Math.ceil(ms / MINUTE), 'minute'] : [Math.ceil(ms / HOUR), 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A time of day in UTC, with the date if far away. */
export function formatTime(time: number, now: number, locale: Intl.UnicodeBCP47LocaleIdentifier): string {
  const date = time - now > 12 * HOUR ? ({ day: 'numeric', month: 'long' } as const) : {};
  return new Intl.DateTimeFormat(locale, {
    ...date,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
}
