/** Requests, responses and webhooks in reports: secrets are masked, and long texts cut. */
import type { Finding } from '../core/finding.ts';
import type { Exchange, ReceivedDelivery } from '../service/exchange.ts';
import { createExchangeMask, type Mask } from './mask.ts';
import type { Evidence } from './report.ts';

const TEXT_LENGTH_MAX = 2_000;
/** Headers unrelated to the contract. */
const NOISE = new Set([
  ...['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding', 'accept', 'host', 'server', 'vary'],
  ...['cache-control', 'x-content-type-options', 'referrer-policy', 'user-agent', 'accept-encoding'],
]);

export function collectEvidence({ exchange, delivery, steps }: Finding, mask: Mask): Evidence | undefined {
  if (exchange) {
    const { number, check } = exchange;
    const own = createExchangeMask(exchange, mask);
    const before = steps?.map((step) => formatCurl(step, createExchangeMask(step, mask)));
    return {
      ...(before && { steps: before }),
      ...{ curl: formatCurl(exchange, own), message: responseText(exchange, own), kind: 'response', number, check },
    };
  }
  if (delivery) return { message: webhookText(delivery, mask), kind: 'webhook', number: delivery.number };
  return undefined;
}

/** The request as a line for a POSIX shell. Variables are expanded in double quotes. */
export function formatCurl({ method, url, requestHeaders, requestText }: Exchange, mask: Mask): string {
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !NOISE.has(name))
    .map(([name, value]) => `-H ${quote(mask(`${headerName(name)}: ${value}`))}`);
  const body = requestText === undefined ? [] : [`-d ${quote(shorten(mask(requestText)))}`];
  return ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`]), quote(mask(url)), ...headers, ...body].join(' ');
}

/** Quotes an argument of a shell command: in single quotes, unless there is a variable to expand. */
export function quote(text: string): string {
  if (!/\$\{?[A-Z]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `"${text.replaceAll(/["\\`]/g, '\\$&').replaceAll(/\$(?!\{?[A-Z])/g, '\\$')}"`;
}

function headerName(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

function responseText({ status, headers, text }: Exchange, mask: Mask): string {
  return messageText(`HTTP ${status}`, [...headers.entries()], text, mask);
}

function webhookText({ method, headers, text }: ReceivedDelivery, mask: Mask): string {
  return messageText(method, Object.entries(headers), text, mask);
}

function messageText(start: string, headers: readonly [string, string][], text: string, mask: Mask): string {
  const shown = headers.filter(([name]) => !NOISE.has(name)).map(([name, value]) => `${name}: ${value}`);
  // A truncated secret would escape the mask.
  return [...[start, ...shown].map(mask), '', shorten(mask(text))].join('\n').trimEnd();
}

function shorten(text: string): string {
  if (text.length <= TEXT_LENGTH_MAX) return text;
  return `${text.slice(0, TEXT_LENGTH_MAX)}… (${text.length - TEXT_LENGTH_MAX} more characters)`;
}
