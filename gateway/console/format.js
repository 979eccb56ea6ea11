/** Values as people read them, and commands to copy. */
import { facts } from './api.js';

/** Locales of currencies that group their digits differently. @type {Record<string, string>} */
const LOCALES = { INR: 'en-IN' };

/**
 * An amount of minor units, such as `₹4,99,000.00`. Sums are decimal strings.
 * @param {number | string | undefined} amount @param {string} [currency]
 */
export function money(amount, currency = '') {
  if (amount === undefined) return '';
  if (currency === '') return String(amount);
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

/** @param {string | number} at @param {object} options */
function utc(at, options) {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(at));
}

/** A time in UTC, such as `22 Nov, 08:15:02`, with the year if it isn't this one. @param {string | number} at */
export function time(at) {
  const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
  return utc(at, { ...DAY, ...(!isThisYear && { year: 'numeric' }), ...CLOCK });
}

/** The time of day in UTC, with milliseconds: `14:50:30.696`. @param {string} at */
export function instant(at) {
  return at.slice(11, 23);
}

/** The day of a time in UTC, such as `25 Nov 2026`. @param {string} at */
export function day(at) {
  return utc(at, { ...DAY, year: 'numeric' });
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

/** Parsed JSON; other text unchanged. @param {string | undefined} text @returns {any} */
export function parseJson(text) {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** JSON with line breaks; other text unchanged. @param {unknown} value */
export function pretty(value) {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  return typeof parsed === 'string' ? String(value) : JSON.stringify(parsed, null, 2);
}

/** `EXTRA_DATA_NEEDED` and `lost_response` as words. @param {string} code */
export function words(code) {
  const text = code.replaceAll(/[_-]/g, ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A request as a command for a shell. The key is a placeholder: the console never has it.
 * @param {string} method @param {string} url @param {unknown} [body]
 */
export function curl(method, url, body) {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`,
    "-H 'Authorization: Bearer YOUR_API_KEY'",
  ];
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Quotes a word of a command, so that what others have sent stays one word. @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
