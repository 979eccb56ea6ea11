/** Validates responses and webhooks against the contract. */
import { isDay } from '../../../contract/src/calendar.ts';
import {
  atPointer,
  findResponse,
  type Json,
  type Operation,
  openEnum,
  type RawOperation,
  type Response,
  readMember,
  resolve,
} from '../../../contract/src/model.ts';
import { parsePointer } from '../../../contract/src/pointer.ts';
import { type Clause, type Contract, findSuccess, specified } from '../document/contract.ts';
import { BYTE_ORDER_MARK, type Exchange, JSON_MEDIA_TYPE, mediaType } from '../service/exchange.ts';
import { poll } from '../time/awake.ts';
import { type Finding, formatValue } from './finding.ts';

/**
 * Judges the status and the body of a response. An unexpected status is the only finding, with the clause of the check if
 * it has its own. Headers and error bodies, which all responses share, are judged once for the whole run
 * (checks/responses.ts).
 */
export function judgeResponse(
  contract: Contract,
  exchange: Exchange,
  expected: string | number,
  own?: Clause,
): Finding[] {
  const { operation } = exchange.call;
  const response = findResponse(operation, expected);
  if (!response) throw new Error(`${operation.id} documents no response ${expected}`);
  if (String(exchange.status) !== response.status) {
    const usual = isError(response) ? contract.assumption('errors') : successClause(contract, exchange);
    const clause = own ?? usual;
    return [{ at: 'status', expected: response.status, found: foundStatus(exchange), clause, exchange }];
  }
  return isError(response) ? [] : judgeContent(contract, response, exchange);
}

/** Everything about a response with a documented status. */
export function judgeWhole(contract: Contract, exchange: Exchange): Finding[] {
  const { operation } = exchange.call;
  const response = findResponse(operation, exchange.status);
  if (!response) return [];
  const errors = contract.assumption('errors');
  const problem = isError(response) ? judgeProblem(contract, response, exchange) : [];
  const findings = [...judgeContent(contract, response, exchange), ...problem];
  // The source names two error statuses (source 7) and no error bodies.
  return isError(response) ? findings.map((finding) => ({ ...finding, clause: errors })) : findings;
}

function isError({ status }: Response): boolean {
  return Number(status) >= 400;
}

/** Validates a value against a schema of the contract; `prefix` names the body. */
export function judgeValue(contract: Contract, schema: object, value: Json, prefix = 'body'): Finding[] {
  return contract.mistakes(schema, value).map(({ pointer, expected, clause, keyword, schema: at }) => {
    const found = valueAt(value, pointer);
    return {
      ...{ at: pointer ? `${prefix} ${pointer}` : prefix, expected, found: formatValue(found) },
      clause: keyword === 'format' && isNoTime(contract, at, found) ? specified('2.2', `${at}/${keyword}`) : clause,
    };
  });
}

/** The source asks for ISO 8601; the form of RFC 3339 is only assumed. */
function isNoTime({ bundle }: Contract, pointer: string, value: Json | undefined): boolean {
  const { format } = atPointer(bundle, pointer) as { format?: string };
  return format === 'date-time' && !isIso8601(String(value));
}

/** The status, with the detail, title or message of the body. */
export function foundStatus(exchange: Exchange): string {
  const said =
    readMember(exchange.body, 'detail') ?? readMember(exchange.body, 'title') ?? readMember(exchange.body, 'message');
  return said ? `${exchange.status}, ${formatValue(said)}` : String(exchange.status);
}

function judgeContent(contract: Contract, { body }: Response, exchange: Exchange): Finding[] {
  if (!body) return [];
  const type = mediaType(exchange);
  const value = exchange.body;
  const clause = contract.clause(body.pointer);
  if (value === undefined) {
    return [{ at: 'body', expected: 'JSON', found: formatValue(exchange.text.slice(0, 100)), clause, exchange }];
  }
  // Bodies are JSON (source 4); any JSON media type is allowed.
  const wrongType = isErrorType(body.mediaType) ? type !== body.mediaType : !JSON_MEDIA_TYPE.test(type);
  const findings: Finding[] = wrongType
    ? [{ at: 'header content-type', expected: body.mediaType, found: type || 'nothing', clause, exchange }]
    : [];
  if (BYTE_ORDER_MARK.test(exchange.text)) {
    const found = 'a byte order mark (EF BB BF) and JSON';
    findings.push({ at: 'body', expected: 'JSON alone', found, clause, exchange });
  }
  const all = [...findings, ...judgeValue(contract, body.schema, value).map((finding) => ({ ...finding, exchange }))];
  // If the whole body is assumed, no field of it is specified.
  return clause.basis === 'assumed' ? all.map((finding) => ({ ...finding, clause })) : all;
}

/**
 * The clause of an unexpected response: the operation for a rejection, and for another success its documented response,
 * which can be an assumption.
 */
export function successClause({ clause }: Contract, { status, call: { operation } }: Exchange): Clause {
  return clause(status < 300 ? findSuccess(operation).pointer : operation.pointer);
}

/** Whether the operation's response is only assumed. */
export function isOpenResponse({ clause }: Contract, operation: Operation): boolean {
  return clause(findSuccess(operation).pointer).basis === 'assumed';
}

function isErrorType(type: string): boolean {
  return type.includes('problem');
}

export function judgeHeaders(contract: Contract, exchange: Exchange): Finding[] {
  const { operation } = exchange.call;
  const response = findResponse(operation, exchange.status);
  if (!response) return [];
  return listHeaderRules(contract, operation, response).flatMap(({ name, required, schema, clause }): Finding[] => {
    const text = exchange.headers.get(name);
    const at = `header ${name}`;
    if (text === null) return required ? [{ at, expected: 'present', found: 'nothing', clause, exchange }] : [];
    // A header is text, so a number is valid as either type.
    const asText = splitHeader(text).map((value) => contract.mistakes(schema, value));
    const fewest = asText.find((mistakes) => mistakes.length === 0) ?? asText[0] ?? [];
    const wrong = fewest.length > 0 && /^\d+$/.test(text) ? contract.mistakes(schema, Number(text)) : fewest;
    return wrong.slice(0, 1).map(({ expected }) => ({ at, expected, found: formatValue(text), clause, exchange }));
  });
}

interface HeaderRule {
  readonly name: string;
  readonly required: boolean;
  readonly schema: object;
  readonly clause: Clause;
}

/** The documented headers, with the headers that only strict senders have to send. All of them are assumed. */
function listHeaderRules(contract: Contract, operation: Operation, response: Response): HeaderRule[] {
  const { bundle } = contract;
  const raw = atPointer(bundle, operation.pointer) as RawOperation;
  const node = raw.responses[response.status];
  const headers = node ? (resolve(bundle, node).headers ?? {}) : {};
  return Object.entries(headers).map(([name, header]) => {
    const { required = false, schema, ...rest } = resolve(bundle, header);
    const strict = (rest as { 'x-sender'?: { required?: boolean } })['x-sender']?.required === true;
    const pointer = `${response.pointer}/headers/${name}`;
    return { name, required: required || strict, schema, clause: contract.clause(pointer) };
  });
}

export function valueAt(value: Json | undefined, pointer: string): Json | undefined {
  let inner = value;
  for (const name of parsePointer(pointer)) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = (inner as Record<string, Json>)[name];
  }
  return inner;
}

const SETTLE_MS = 2_000;
const SETTLE_POLL_MS = 200;

/** The findings, once there are none or it has had time: indexes of a service can be a little behind. */
export async function settled(judge: () => Promise<Finding[]>): Promise<Finding[]> {
  const judged = await poll(judge, (findings) => findings.length === 0, {
    ...{ limitMs: SETTLE_MS, pauseMs: SETTLE_POLL_MS },
  });
  return judged.value;
}

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

/** Milliseconds since 1970 of a timestamp. An ISO 8601 time without an offset is in UTC, as the source says of all times. */
export function readTime(text: string): number {
  const match = ISO_8601.exec(text);
  const isBare = match !== null && match.groups?.['offset'] === undefined && /\D\d\d:/.test(text);
  return Date.parse(isBare ? `${text}Z` : text);
}

/** The service's clock can be this much ahead or behind. */
export const CLOCK_MS = 300_000;
const MINUTE_MS = 60_000;

/** The service's time at the response, by its Date header. Without one, the clock of this machine has to do. */
export function readClock({ headers, endedAt }: Exchange): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? endedAt : date;
}

/** Such as `330 minutes ahead`. Whole hours and halves suggest local time. */
export function describeOffset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS);
  return `${minutes} minutes ${ms > 0 ? 'ahead' : 'behind'}`;
}

/** Judges a problem's own statements: its status, type, request id and violations have to match the response. */
export function judgeProblem(contract: Contract, response: Response, exchange: Exchange): Finding[] {
  const { body, headers, status } = exchange;
  const [own, type, requestId] = ['status', 'type', 'request_id'].map((name) => readMember(body, name));
  const clause = contract.assumption('errors');
  const types = (response.body?.examples ?? []).map(({ value }) => readMember(value, 'type'));
  const header = headers.get('x-request-id');
  const findings: Finding[] = [];
  if (typeof own === 'number' && own !== status) {
    findings.push({ at: 'body /status', expected: String(status), found: formatValue(own), clause, exchange });
  }
  if (type !== undefined && knownTypes(contract).includes(type) && !types.includes(type)) {
    const expected = `${[...new Set(types)].join(' or ')}, or a type of your own`;
    findings.push({ at: 'body /type', expected, found: formatValue(type), clause, exchange });
  }
  // A proxy can add a second one.
  if (typeof requestId === 'string' && header !== null && !splitHeader(header).includes(requestId)) {
    const expected = `${formatValue(header)}, as the header X-Request-Id says`;
    const own = contract.assumption('request-id');
    findings.push({ at: 'body /request_id', expected, found: formatValue(requestId), clause: own, exchange });
  }
  return [...findings, ...judgePlaces(contract, exchange)];
}

/** A header as a whole, and the values that it lists. */
export function splitHeader(header: string): string[] {
  return [header, ...header.split(/,\s*/)];
}

function knownTypes({ bundle }: Contract): readonly unknown[] {
  const { properties = {} } = bundle.components.schemas['Problem'] ?? {};
  return (properties['type'] && openEnum(properties['type'])?.known) ?? [];
}

/** The place of a violation has to be part of the request or of the operation's parameters. */
function judgePlaces(contract: Contract, exchange: Exchange): Finding[] {
  const violations = readMember(exchange.body, 'violations');
  const places = listPlaces(exchange);
  const clause = contract.assumption('errors');
  return (Array.isArray(violations) ? violations : []).flatMap((violation, index): Finding[] => {
    const place = readMember(violation, 'in');
    if (typeof place !== 'string' || places.includes(place)) return [];
    const at = `body /violations/${index}/in`;
    return [{ at, expected: places.join(' or '), found: formatValue(place), clause, exchange }];
  });
}

function listPlaces({ call: { operation, query, search }, requestText }: Exchange): string[] {
  const takes = (place: string) => operation.parameters.some((parameter) => parameter.in === place);
  return [
    ...(operation.request || requestText !== undefined ? ['body'] : []),
    ...(takes('query') || query || search ? ['query'] : []),
    ...(takes('path') ? ['path'] : []),
    'header',
  ];
}
