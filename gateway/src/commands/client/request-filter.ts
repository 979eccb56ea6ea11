/** Parses request filters: `--status 4xx --method POST --path '/payments*'`. */
import { parseNames, parseTime, requireParsed } from '../../../../contract/src/cli.ts';
import { operations } from '../../../../contract/src/model.ts';
import { didYouMean } from '../../../../contract/src/nearest.ts';
import type { RequestSummary } from '../../../../generated/management/types.ts';
import { readDocumentFile } from '../../http/gateway-apis.ts';
import { milliseconds } from '../../management/duration.ts';
import { timestamp } from '../../transactions/view.ts';

/** Conditions that a request has to meet; without any, all do. */
export interface LogFilter {
  /** Only requests whose response is an error. */
  readonly failed?: boolean;
  /** Patterns of statuses, such as `404` and `4xx`. */
  readonly status?: readonly string[];
  readonly method?: readonly string[];
  /** Begin of the path, in which `*` stands for anything. */
  readonly path?: string;
  readonly operation?: string;
  readonly transaction?: string;
}

/** Returns the time of a filter in the form of the API, given the merchant's present in the same form. */
export type Since = (now: () => Promise<string>) => Promise<string>;

export function createRequestFilter(filter: LogFilter): (request: RequestSummary) => boolean {
  const { failed, status: statuses, method: methods, path, operation, transaction } = filter;
  const form = path === undefined ? undefined : toPattern(path);
  const tests: ((request: RequestSummary) => boolean)[] = [
    ({ status }) => !failed || status >= 400,
    ({ status }) => !statuses || statuses.some((pattern) => isLike(status, pattern)),
    ({ method }) => !methods || methods.includes(method),
    (request) => !form || form.test(request.path),
    (request) => operation === undefined || request.operation === operation,
    ({ transaction_id: id }) => transaction === undefined || id === transaction,
  ];
  return (request) => tests.every((test) => test(request));
}

/** Parses statuses separated by commas, each with `x` for any digit. */
export const parseStatuses = requireParsed((text) => {
  const patterns = text.toLowerCase().split(',');
  return patterns.every((pattern) => /^[1-5][\dx]{2}$/.test(pattern)) ? patterns : undefined;
}, 'It must be statuses such as 404 or 4xx, separated by commas.');

const parseUpperCase = parseNames(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Parses methods separated by commas, in letters of either case. */
export const parseMethods = (text: string): string[] => parseUpperCase(text.toUpperCase());

/** Parses an operationId of the contract, of the sandbox, or of the management API, as the request log has it. */
export const parseOperation = requireParsed(
  (text) => operationIds().find((id) => id === text),
  (text) => `It must be an operationId, such as createPayment.${didYouMean(text, operationIds())}`,
);

/** Parses a duration before the merchant's present, or a time. */
export const parseSince = requireParsed((text): Since | undefined => {
  if (/^\d{1,9}(ms|s|m|h|d)$/.test(text)) {
    return async (now) => timestamp(Date.parse(await now()) - milliseconds(text));
  }
  if (!/^\d{4}-/.test(text) || Number.isNaN(Date.parse(text))) return undefined;
  const time = timestamp(parseTime(text));
  return async () => time;
}, 'It must be a duration such as 15m or 2h, or a time in UTC, such as 2026-03-02T18:30:00Z.');

function operationIds(): string[] {
  const idsOf = (name: Parameters<typeof readDocumentFile>[0]) =>
    operations(readDocumentFile(name)).map(({ id }) => id);
  return [...idsOf('contract'), ...idsOf('sandbox'), ...idsOf('management').map((id) => `management.${id}`)];
}

function isLike(status: number, pattern: string): boolean {
  return [...String(status)].every((digit, index) => pattern[index] === 'x' || pattern[index] === digit);
}

function toPattern(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}`);
}
