/** Checks recorded traffic, an HTTP Archive (HAR), without sending requests. */
import { UserError } from '../../../contract/src/cli.ts';
import { type Json, type JsonObject, type Operation, readMember } from '../../../contract/src/model.ts';
import { planChecks } from '../checks/index.ts';
import { LEVELS, toSettings } from '../core/settings.ts';
import { findCreatedKind } from '../core/transactions.ts';
import { type Contract, loadContract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { brandedHeader, ID_HEADER } from '../receiver/signature.ts';
import { BudgetExceeded, type ServiceConnection } from '../service/connection.ts';
import {
  type Exchange,
  type Journal,
  openJournal,
  parseJson,
  type ReceivedDelivery,
  readString,
} from '../service/exchange.ts';
import { runChecks } from './run.ts';
import type { Verification } from './verify.ts';

/** Rules that need only the journal. Webhooks without a recorded creation are ignored. */
const RULES = [
  ...['response', 'consistency', 'webhook/shape', 'webhook/branded-signature', 'webhook/signature'],
  ...['webhook/timestamp', 'webhook/same-as-status', 'webhook/identity', 'webhook/echo', 'webhook/same-fields'],
];
const SENDING = /\/read-again$/;
const WHO = 'recorded';

const DRIVER: Driver = { name: WHO, payment: () => undefined, payout: () => undefined, items: () => ({}) };

const refuse = async (): Promise<never> => {
  throw new BudgetExceeded('nothing is sent', 'record more traffic');
};
const CONNECTION: ServiceConnection = { send: refuse, sendTogether: refuse, fetch: refuse };
const RECEIVER: Receiver = {
  url: 'the recorded address',
  endpoint: () => {
    throw new Error('recorded traffic has no receiver');
  },
  sink: () => '',
  close: async () => undefined,
};

/** Judges the entries of an archive. Throws a UserError if the text is none. */
export async function verifyRecorded(text: string, file: string, secret: string | undefined): Promise<Verification> {
  const startedAt = Date.now();
  const contract = loadContract();
  const journal = createJournal(contract, parseEntries(text, file));
  if (journal.exchanges.length + journal.deliveries.length === 0) {
    throw new UserError(`${file} has no request to an operation of the contract, and no webhook.`, 2);
  }
  const settings = toSettings({ baseUrl: 'http://recorded.invalid', ...(secret !== undefined && { secret }) });
  const checks = planChecks({ contract, settings: { ...settings, levels: LEVELS }, driver: DRIVER })
    .filter(({ id }) => RULES.some((rule) => id === rule || id.startsWith(`${rule}/`)) && !SENDING.test(id))
    // A recording may lack the exchanges of any level.
    .map((check) => ({ ...check, levels: [] }));
  const stop = new AbortController().signal;
  const run = { contract, settings, driver: DRIVER, connection: CONNECTION, receiver: RECEIVER, journal, stop };
  const results = await runChecks(run, checks);
  return {
    ...{
      contract,
      driver: DRIVER,
      plan: checks,
      selection: {},
      results,
      unfinished: 0,
      journal,
      startedAt,
    },
    ...{ settings: { ...settings, baseUrl: file, levels: [] }, ms: Date.now() - startedAt },
  };
}

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: { method: string; url: string; headers: readonly Named[]; postData?: { text?: string } };
  readonly response: { status: number; headers: readonly Named[]; content?: { text?: string; encoding?: string } };
}

interface Named {
  readonly name: string;
  readonly value: string;
}

function parseEntries(text: string, file: string): Entry[] {
  const entries = readMember(readMember(parseJson(text), 'log'), 'entries') as unknown;
  if (!Array.isArray(entries)) {
    throw new UserError(
      `${file} is not an HTTP archive. Use a file that --har wrote, or that a browser or proxy saved.`,
      2,
    );
  }
  const isEntry = ({ request, response, startedDateTime }: Partial<Entry>) =>
    typeof request?.method === 'string' &&
    URL.canParse(request.url) &&
    isHeaders(request.headers) &&
    Number.isInteger(response?.status) &&
    isHeaders(response?.headers) &&
    !Number.isNaN(Date.parse(startedDateTime ?? ''));
  const index = entries.findIndex((entry) => typeof entry !== 'object' || entry === null || !isEntry(entry));
  if (index < 0) return entries;
  throw new UserError(
    `${file}: entry ${index} lacks a required member of HAR 1.2, such as request.url or response.status.`,
    2,
  );
}

function isHeaders(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one?.name === 'string' && typeof one.value === 'string');
}

function createJournal(contract: Contract, entries: readonly Entry[]): Journal {
  const journal = openJournal();
  const tokens = new Map<string, string>();
  const webhooks: Entry[] = [];
  for (const entry of entries) {
    const isWebhook = brandedHeader({ headers: toRecord(entry.request.headers) } as ReceivedDelivery) !== undefined;
    if (isWebhook || toRecord(entry.request.headers)[ID_HEADER] !== undefined) webhooks.push(entry);
    else addExchange(contract, journal, tokens, entry);
  }
  for (const entry of webhooks) journal.deliveries.push(toDelivery(entry, journal.deliveries.length + 1, tokens));
  return journal;
}

function addExchange(contract: Contract, journal: Journal, tokens: Map<string, string>, entry: Entry): void {
  const { request, response, startedDateTime, time } = entry;
  const found = findOperation(contract, request);
  if (!found || response.status === 0) return;
  const number = journal.exchanges.length + 1;
  const text = decodeContent(response.content);
  const body = parseJson(text);
  const sent = request.postData?.text;
  const startedAt = Date.parse(startedDateTime);
  // By the address of its webhooks, a transaction is found again.
  const token = number.toString(16).padStart(16, '0');
  const id = readString(body, 'transaction_id');
  const isCreation = findCreatedKind(found.operation) !== undefined && id !== undefined && response.status < 300;
  if (isCreation && !tokens.has(id)) tokens.set(id, token);
  const given = sent === undefined ? undefined : parseJson(sent);
  const content = isCreation
    ? { ...(given as JsonObject), callback_url: `http://recorded.invalid/${tokens.get(id)}` }
    : given;
  journal.exchanges.push({
    ...{ number, check: WHO, call: { ...found, ...(content !== undefined && { body: content as Json }) } },
    ...{ method: request.method.toUpperCase(), url: request.url, requestHeaders: withoutKey(request.headers) },
    ...(sent !== undefined && { requestText: sent }),
    ...{ status: response.status, headers: toHeaders(response.headers), text, startedAt, endedAt: startedAt + time },
    ...(body !== undefined && { body }),
  });
}

function findOperation(
  { operations }: Contract,
  { method, url }: Entry['request'],
): Pick<Exchange['call'], 'operation'> | undefined {
  const { pathname } = new URL(url);
  const fits = ({ path, method: own }: Operation) =>
    own === method.toLowerCase() && new RegExp(`${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname);
  const operation = operations.find(fits);
  return operation && { operation };
}

function toDelivery(
  { request, response, startedDateTime }: Entry,
  number: number,
  tokens: ReadonlyMap<string, string>,
): ReceivedDelivery {
  const text = request.postData?.text ?? '';
  const body = parseJson(text);
  return {
    ...{ number, token: tokens.get(readString(body, 'transaction_id') ?? '') ?? 'unknown', method: request.method },
    ...{ query: new URL(request.url).search, headers: toRecord(request.headers), text },
    ...(body !== undefined && { body }),
    ...{ receivedAt: Date.parse(startedDateTime), reply: response.status },
  };
}

function decodeContent({ text = '', encoding }: { text?: string; encoding?: string } = {}): string {
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text;
}

function toRecord(headers: readonly Named[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

/** A recording of production has keys, which no report may show. */
function withoutKey(headers: readonly Named[]): Record<string, string> {
  const { authorization, cookie: _cookie, ...rest } = toRecord(headers);
  return { ...rest, ...(authorization !== undefined && { authorization: 'Bearer $API_KEY' }) };
}

function toHeaders(given: readonly Named[]): Headers {
  const headers = new Headers();
  for (const { name, value } of given) {
    // A browser records names such as `:status`, which no header has.
    if (/^[\w-]+$/.test(name)) headers.append(name, value.replaceAll(/[\r\n\0]/g, ' '));
  }
  return headers;
}
