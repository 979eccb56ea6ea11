/** The used subset of a logger. By default, a gateway doesn't log. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = () => undefined;
export const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Failure reports of work that no caller awaits. */

export type Fields = Readonly<Record<string, unknown>>;

/** Reports a failure with its context, such as the job's name and the transaction's id. */
export type ReportFailure = (error: unknown, about?: Fields) => void;

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
