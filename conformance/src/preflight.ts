/** Before the checks: is there such a service, and does it choose its answers by the `Prefer` header? */

import { UserError } from '../../contract/src/cli.ts';
import { type Operation, requestExamples } from '../../contract/src/model.ts';
import type { Contract } from './contract.ts';
import { type Call, type Exchange, mediaType, NoAnswer, send } from './http.ts';
import type { Mode, Settings } from './settings.ts';

/** The base URL without a trailing slash. Throws a UserError when it is none. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!plain) {
    throw new UserError(`'${text}' is not a base URL; give one such as http://127.0.0.1:4010 or https://host/path`, 2);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Finds out how the service is to be verified. Throws a UserError when it cannot be. */
export async function preflight(contract: Contract, settings: Omit<Settings, 'mode'>): Promise<Mode> {
  const readers = contract.operations.filter(({ method }) => method === 'get');
  const probing: Settings = { ...settings, mode: 'replay' };
  const exchanges: Exchange[] = [];
  for (const operation of readers) exchanges.push(await probe(probing, callOf(operation)));
  const objection = OBJECTIONS.find(([holds]) => exchanges.every(holds));
  if (objection) throw new UserError(objection[1](settings.baseUrl, exchanges[0]));

  for (const operation of readers) if (await followsPrefer(probing, operation)) return 'examples';
  return 'replay';
}

/** What is true of every answer when the base URL or the key is wrong, and what to say then. */
const OBJECTIONS: [(exchange: Exchange) => boolean, (baseUrl: string, first: Exchange | undefined) => string][] = [
  [({ status }) => status === 404, (url) => `${url} answers 404 to every GET of the contract. Is its path complete?`],
  [
    ({ status }) => status >= 300 && status < 400,
    (url, first) => `${url} redirects to ${first?.headers.get('location')}. Give the address that it leads to.`,
  ],
  [
    (exchange) => !/[/+]json$/.test(mediaType(exchange)),
    (url, first) => `${url} answers ${first ? mediaType(first) || 'no media type' : ''}, not JSON. Is it the service?`,
  ],
  [({ status }) => status === 401, (url) => `${url} refuses the key. Give one that it knows with --key or API_KEY.`],
];

/** No service fails in every documented way in turn, unless it is asked to. */
async function followsPrefer(settings: Settings, operation: Operation): Promise<boolean> {
  const failures = operation.responses.filter(({ status }) => status.startsWith('5'));
  for (const { status } of failures) {
    const exchange = await probe(settings, { ...callOf(operation), prefer: { code: status } });
    if (String(exchange.status) !== status) return false;
  }
  return failures.length > 1;
}

async function probe(settings: Settings, call: Call): Promise<Exchange> {
  try {
    return await send(settings, call);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UserError(`No answer from ${settings.baseUrl}: ${error.message}. Is the service running there?`);
  }
}

function callOf(operation: Operation): Call {
  const { path = {}, query = {} } = requestExamples(operation)[0] ?? {};
  return { operation, path, query };
}
