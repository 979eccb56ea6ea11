/** Every exchange and every webhook of a run in the order of time, one JSON object a line, with secrets masked. */
import type { Verification } from '../run/verify.ts';
import { createExchangeMask, createMask, type Mask } from './mask.ts';

export function traceLines({ journal, settings, headers, startedAt }: Verification): string {
  const mask = createMask(settings, headers);
  const exchanges = journal.exchanges.map((exchange) => ({
    mask: createExchangeMask(exchange, mask),
    kind: 'exchange',
    number: exchange.number,
    atMs: exchange.startedAt - startedAt,
    ms: exchange.endedAt - exchange.startedAt,
    check: exchange.check,
    operation: exchange.call.operation.id,
    request: `${exchange.method} ${exchange.url}`,
    requestHeaders: exchange.requestHeaders,
    requestBody: exchange.requestText,
    status: exchange.status,
    headers: Object.fromEntries(exchange.headers),
    body: exchange.text,
  }));
  const deliveries = journal.deliveries.map((delivery) => ({
    mask,
    kind: 'webhook',
    number: delivery.number,
    atMs: delivery.receivedAt - startedAt,
    endpoint: delivery.token,
    method: delivery.method,
    query: delivery.query,
    headers: delivery.headers,
    body: delivery.text,
    reply: delivery.reply,
  }));
  const lines = [...exchanges, ...deliveries].sort((one, other) => one.atMs - other.atMs);
  return lines.map(({ mask: own, ...line }) => `${JSON.stringify(line, masking(own))}\n`).join('');
}

function masking(mask: Mask) {
  return (_name: string, value: unknown) => (typeof value === 'string' ? mask(value) : value);
}
