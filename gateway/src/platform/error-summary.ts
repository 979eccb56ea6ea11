/** Summarizes an error in one line that may be stored and shown to operators. */

/** Characters. */
const LENGTH_MAX = 300;
/** Only this much of a message is read. */
const READ_MAX = 10_000;

/** Sensitive parts of a message and their replacements: our keys and secrets, credentials in headers and in URLs. */
const SECRETS: readonly [RegExp, string][] = [
  [/\b(sk_[a-z]+|whsec)_[\w+/=-]+/g, '$1_…'],
  [/\b(bearer|basic) +[\w.~+/=-]+/gi, '$1 …'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1…@'],
];

/** The error's name and message, cut to 300 characters, without secrets and control characters. */
export function summarizeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const line = text
    .slice(0, READ_MAX)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .toWellFormed()
    .trim();
  const safe = SECRETS.reduce((rest, [secret, instead]) => rest.replaceAll(secret, instead), line);
  return safe.length > LENGTH_MAX ? `${safe.slice(0, LENGTH_MAX - 1).toWellFormed()}…` : safe;
}
