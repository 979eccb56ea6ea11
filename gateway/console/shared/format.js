/** Values as people read them. */
import { facts } from './contract-facts.js';

/** Locales of currencies that group their digits differently.
 * @type {Record<string, string>} */
const LOCALES = { INR: 'en-IN' };

/**
 * An amount of minor units, such as `₹4,99,000.00`. Sums are decimal strings.
 * @param {number | string | undefined} amount
 * @param {string} currency
 */
export function money(amount, currency) {
  if (amount === undefined) return '';
  const digits = facts.minorUnits[currency] ?? 2;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(LOCALES[currency] ?? 'en', { style: 'currency', currency, ...format }).format(
    // A string preserves digits that a double can't.
    /** @type {any} */ (decimal(amount, digits)),
  );
}

/** @param {number | string} amount @param {number} digits */
function decimal(amount, digits) {
  const [, sign, units = ''] = /^(-?)(.*)$/.exec(String(amount)) ?? [];
  const text = units.padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${sign}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}

const DAY = { day: 'numeric', month: 'short' };
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };

/**
 * A time in UTC, as the API has it: `22 Nov, 08:15:02`, with the year if it isn't this one.
 * @param {string | number} at
 */
export function time(at) {
  const date = new Date(at);
  const year = date.getUTCFullYear() === new Date().getUTCFullYear() ? {} : { year: 'numeric' };
  const options = /** @type {Intl.DateTimeFormatOptions} */ ({ ...DAY, ...year, ...CLOCK, timeZone: 'UTC' });
  return new Intl.DateTimeFormat('en-GB', options).format(date);
}

/**
 * The time of day in UTC, with milliseconds: `14:50:30.696`.
 * @param {string} at
 */
export function instant(at) {
  return at.slice(11, 23);
}

/** The day of a time in UTC, such as `25 Nov 2026`. @param {string} at */
export function day(at) {
  const options = /** @type {Intl.DateTimeFormatOptions} */ ({ ...DAY, year: 'numeric', timeZone: 'UTC' });
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(at));
}

/** The hour of a time in UTC, such as `08:00`. @param {string} at */
export function hour(at) {
  return `${at.slice(11, 13)}:00`;
}

/** A duration, such as `850 ms`, `3.2 s` or `2 d 4 h`. @param {number} ms */
export function duration(ms) {
  if (ms < 1_000) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const minutes = Math.floor(ms / 60_000);
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ].filter(([count]) => count !== 0);
  return parts
    .map(([count, unit]) => `${count} ${unit}`)
    .slice(0, 2)
    .join(' ');
}

/** A number of things, such as `1,000`. @param {number} number */
export function count(number) {
  return number.toLocaleString('en');
}

/** JSON with line breaks; what isn't JSON stays as it is. @param {unknown} value */
export function pretty(value) {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** `EXTRA_DATA_NEEDED` and `lost_response` as words. @param {string} code */
export function words(code) {
  const text = code.replaceAll(/[_-]/g, ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
