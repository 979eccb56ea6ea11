/** The source asks for ISO 8601 timestamps in UTC (2.2); the form of RFC 3339 is an assumption. */

import { isDay } from '../../../contract/src/calendar.ts';

const DATE = String.raw`\d{4}-?((?<month>0[1-9]|1[0-2])(-?(?<day>0[1-9]|[12]\d|3[01]))?|W\d{2}(-?[1-7])?|\d{3})`;
const TIME = String.raw`([01]\d|2[0-4])(:?[0-5]\d(:?[0-6]\d)?)?([.,]\d+)?`;
/** Dates, times and offsets in their basic or extended form. */
const ISO_8601 = new RegExp(String.raw`^${DATE}([T ]${TIME})?(?<offset>Z|[+-]\d{2}(:?\d{2})?)?$`, 'i');
const UTC = /^(z|[+-]00(:?00)?)?$/i;

export function isIso8601(text: string): boolean {
  const { month, day } = ISO_8601.exec(text)?.groups ?? {};
  return day === undefined ? ISO_8601.test(text) : isDay(`${text.slice(0, 4)}-${month}-${day}`);
}

/** Whether an ISO 8601 timestamp is in UTC, or without an offset. */
export function isUtc(text: string): boolean {
  return UTC.test(ISO_8601.exec(text)?.groups?.['offset'] ?? '');
}
