/** Masks keys and secrets in reports, in every encoding that a service can return. */
import type { ConformanceOptions } from '../core/settings.ts';
import { type Exchange, UNKNOWN_KEY } from '../service/exchange.ts';

export type Mask = (text: string) => string;

/** Shorter values are not secrets, and would be found everywhere. */
const SECRET_LENGTH_MIN = 6;
/** A shorter part of a secret doesn't identify it. */
const PART_LENGTH_MIN = 10;
const SECRET_PREFIX = /^whsec_/;
const OTHER_KEY = '$OTHER_API_KEY';

type Named = readonly [value: string, name: string];

/** Masks the run's credentials: keys, signing secrets and the values of extra headers. */
export function createMask({
  key,
  secondKey,
  secret,
  secondSecret,
  headers = {},
}: Pick<ConformanceOptions, 'key' | 'secondKey' | 'secret' | 'secondSecret' | 'headers'>): Mask {
  const secrets: [string | undefined, string][] = [
    [key, '$API_KEY'],
    [secondKey, '$SECOND_API_KEY'],
    [secret, '$WEBHOOK_SECRET'],
    [secret?.replace(SECRET_PREFIX, ''), '$WEBHOOK_SECRET'],
    [secondSecret, '$SECOND_WEBHOOK_SECRET'],
    [secondSecret?.replace(SECRET_PREFIX, ''), '$SECOND_WEBHOOK_SECRET'],
    ...Object.entries(headers).map(([name, value]): [string, string] => [value, `$${toVariable(name)}`]),
  ];
  const masked = secrets.flatMap(([value, name]) => listForms(value, name));
  // The longest first, since one can be a part of another.
  const sorted = masked.toSorted(([one], [other]) => other.length - one.length);
  return (text) => sorted.reduce((rest, secret) => withoutPart(replaced(rest, secret), secret), text);
}

/** The text with the name instead of the value. A shell would read letters after it as a part of the name. */
function replaced(text: string, [value, name]: Named): string {
  return text.replaceAll(value, (_value, at: number) =>
    /^\w/.test(text.slice(at + value.length)) ? `\${${name.slice(1)}}` : name,
  );
}

/** Also masks an exchange's own key, such as one that a driver created. */
export function createExchangeMask({ call: { key } }: Pick<Exchange, 'call'>, mask: Mask): Mask {
  const forms = key === UNKNOWN_KEY ? [] : listForms(key ?? undefined, OTHER_KEY);
  return (text) => forms.reduce(replaced, mask(text));
}

/** The value as it is, in a URL, in a JSON pointer, and in JSON, with and without escaped slashes. */
function listForms(value: string | undefined, name: string): Named[] {
  if (value === undefined || value.length < SECRET_LENGTH_MIN) return [];
  const pointer = value.replaceAll('~', '~0').replaceAll('/', '~1');
  const forms = new Set([value, encodeURIComponent(value), pointer, value.replaceAll('/', '\\/'), escapeJson(value)]);
  return [...forms].map((form): Named => [form, name]);
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Values are shown up to a length (core/finding.ts), which can leave the beginning of a secret at the end. */
function withoutPart(text: string, [value, name]: Named): string {
  const end = /(\.\.\.)?"?$/.exec(text)?.[0] ?? '';
  const shown = text.slice(0, text.length - end.length);
  const at = shown.lastIndexOf(value.slice(0, PART_LENGTH_MIN));
  return at >= 0 && value.startsWith(shown.slice(at)) ? `${shown.slice(0, at)}${name}${end}` : text;
}

function toVariable(header: string): string {
  return header.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}
