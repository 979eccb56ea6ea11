/** A run as HTTP Archive 1.2 (HAR): its exchanges and the received webhooks, with secrets masked. */
import conformancePackage from '../../package.json' with { type: 'json' };
import type { Verification } from '../run/verify.ts';
import type { Exchange, ReceivedDelivery } from '../service/exchange.ts';
import { createExchangeMask, createMask } from './mask.ts';

const NO_TIMES = { send: 0, wait: 0, receive: 0 };

export function harText({ journal, settings }: Verification): string {
  const mask = createMask(settings);
  const entries = [
    ...journal.exchanges.map((exchange) => masked(exchangeEntry(exchange), createExchangeMask(exchange, mask))),
    ...journal.deliveries.map((delivery) => masked(deliveryEntry(delivery), mask)),
  ].toSorted((one, other) => (one.startedDateTime < other.startedDateTime ? -1 : 1));
  const creator = { name: conformancePackage.name, version: conformancePackage.version };
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } })}\n`;
}

function masked<T>(value: T, mask: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_name, one) => (typeof one === 'string' ? mask(one) : one)) as T;
}

function exchangeEntry({
  method,
  url,
  requestHeaders,
  requestText,
  status,
  headers,
  text,
  startedAt,
  endedAt,
}: Exchange) {
  return {
    ...entryAt(startedAt, endedAt - startedAt),
    request: toRequest(method, url, Object.entries(requestHeaders), requestText),
    response: toResponse(status, [...headers], text),
  };
}

function deliveryEntry({ method, token, query, headers, text, receivedAt, reply }: ReceivedDelivery) {
  return {
    ...entryAt(receivedAt, 0),
    request: toRequest(method, `http://receiver.invalid/${token}${query}`, Object.entries(headers), text),
    response: toResponse(typeof reply === 'number' ? reply : 0, [], ''),
  };
}

function entryAt(at: number, time: number) {
  return { startedDateTime: new Date(at).toISOString(), time, cache: {}, timings: { ...NO_TIMES, wait: time } };
}

const named = (pairs: readonly [string, string][]) => pairs.map(([name, value]) => ({ name, value }));

function toRequest(method: string, url: string, headers: readonly [string, string][], text: string | undefined) {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return {
    ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: named(headers) },
    ...{ queryString: named([...new URL(url).searchParams]), headersSize: -1, bodySize: -1 },
    ...(text !== undefined && { postData: { mimeType: type, text } }),
  };
}

function toResponse(status: number, headers: readonly [string, string][], text: string) {
  const mimeType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return {
    ...{ status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], headers: named(headers), redirectURL: '' },
    ...{ content: { size: Buffer.byteLength(text), mimeType, text }, headersSize: -1, bodySize: -1 },
  };
}
