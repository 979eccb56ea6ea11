/** Before the checks: whether the service is there and takes the key, and which driver fits. */
import { UserError } from '../../../contract/src/cli.ts';
import { requestExamples } from '../../../contract/src/model.ts';
import { OPERATIONS } from '../core/tracked.ts';
import type { Contract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import { gatewayDriver } from '../drivers/gateway.ts';
import { prismDriver } from '../drivers/prism.ts';
import type { Connection } from '../service/connection.ts';
import { type Call, type Exchange, mediaType, NoResponse } from '../service/exchange.ts';

export const DRIVERS: Readonly<Record<string, Driver>> = { gateway: gatewayDriver, prism: prismDriver };

/** Checks that the service responds, and resolves with the driver. Rejects with a UserError that says what to correct. */
export async function preflight(
  contract: Contract,
  connection: Connection,
  baseUrl: string,
  chosen: string | Driver | undefined,
): Promise<Driver> {
  const readers = contract.operations.filter(({ method }) => method === 'get');
  const calls = readers.map((operation): Call => {
    const { path = {}, query = {} } = requestExamples(operation)[0] ?? {};
    return { operation, path, query };
  });
  // A service without a wallet knows none of what is read here, but it knows the path of a creation.
  const creation: Call = { operation: contract.operation(OPERATIONS.payment.create), body: {}, invalid: true };
  const exchanges = await Promise.all([...calls, creation].map((call) => probe(connection, baseUrl, call)));
  const objection = OBJECTIONS.find(([holds]) => exchanges.every(holds));
  if (objection) throw new UserError(objection[1](baseUrl, exchanges[0]));
  if (typeof chosen === 'object') return chosen;
  if (chosen !== undefined) return namedDriver(chosen);
  return (await followsPrefer(connection, baseUrl, calls)) ? prismDriver : gatewayDriver;
}

/** A driver of the kit. Throws a UserError for any other name. */
export function namedDriver(name: string): Driver {
  const found = DRIVERS[name];
  if (found) return found;
  throw new UserError(
    `'${name}' is not a driver. Use ${Object.keys(DRIVERS).join(', ')}, or a path such as ./driver.ts.`,
    2,
  );
}

/** Signs of a wrong base URL or key that every response shows, each with its message. */
const OBJECTIONS: [(exchange: Exchange) => boolean, (baseUrl: string, first: Exchange | undefined) => string][] = [
  [({ status }) => status === 404, (url) => `${url} returns 404 for every path of the contract. Check its path.`],
  [
    ({ status }) => status >= 300 && status < 400,
    (url, first) => `${url} redirects to ${first?.headers.get('location')}. Use that address.`,
  ],
  [
    (exchange) => !/[/+]json$/.test(mediaType(exchange)),
    (url, first) =>
      `${url} returns ${first ? mediaType(first) || 'no media type' : 'nothing'}, not JSON. Is it the service?`,
  ],
  [
    ({ status }) => status === 401 || status === 403,
    (url) => `${url} refuses the API key. Set one that it knows with --key or API_KEY.`,
  ],
];

/** No service fails in every documented way in turn, unless it is asked to. */
async function followsPrefer(connection: Connection, baseUrl: string, calls: readonly Call[]): Promise<boolean> {
  for (const call of calls) {
    const failures = call.operation.responses.filter(({ status }) => status.startsWith('5'));
    let followed = 0;
    for (const { status } of failures) {
      const exchange = await probe(connection, baseUrl, { ...call, prefer: `code=${status}` });
      if (String(exchange.status) !== status) return false;
      followed += 1;
    }
    if (followed > 1) return true;
  }
  return false;
}

async function probe(connection: Connection, baseUrl: string, call: Call): Promise<Exchange> {
  try {
    return await connection.send(call, 'preflight');
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw new UserError(`No response from ${baseUrl}: ${error.message}. Is the service running there?`);
  }
}
