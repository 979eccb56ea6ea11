/** Before the checks: whether the service responds and accepts the key, and which driver fits. */
import { UserError } from '../../../contract/src/cli.ts';
import { type JsonObject, requestExamples } from '../../../contract/src/model.ts';
import { requiredGoals } from '../checks/states.ts';
import type { Level, Settings } from '../core/settings.ts';
import { creationBody, OPERATION_NAMES } from '../core/transactions.ts';
import type { Contract } from '../document/contract.ts';
import { type Driver, type Goal, goalBody, goalKind } from '../drivers/driver.ts';
import { prismDriver } from '../drivers/examples.ts';
import { gatewayDriver } from '../drivers/gateway.ts';
import { BudgetExceeded, type ServiceConnection } from '../service/connection.ts';
import { type Exchange, JSON_MEDIA_TYPE, mediaType, NoHttpResponse, type ServiceCall } from '../service/exchange.ts';

export const DRIVERS: Readonly<Record<string, Driver>> = { gateway: gatewayDriver, prism: prismDriver };

/** The exit code if no check failed or could be judged. */
const NOT_SHOWN = 3;

/** Checks that the service responds. Resolves with the driver, and rejects with a UserError that says how to proceed. */
export async function preflight(
  contract: Contract,
  connection: ServiceConnection,
  { baseUrl, levels }: Settings,
  chosen: string | Driver | undefined,
): Promise<Driver> {
  const exchanges = await probeService(contract, connection, baseUrl);
  const objection = OBJECTIONS.find(([holds]) => exchanges.every(holds))?.[1](baseUrl, exchanges[0]);
  if (objection !== undefined) throw new UserError(objection);
  const driver = await chooseDriver(connection, exchanges, chosen);
  requireBodies(contract, driver, levels);
  return driver;
}

/** Throws a UserError if the driver fails for a goal of a claimed level, or returns an invalid body. */
function requireBodies(contract: Contract, driver: Driver, levels: readonly Level[]): void {
  for (const { level, goal } of requiredGoals(contract)) {
    if (!levels.includes(level)) continue;
    const kind = goalKind(goal);
    const call = `\`${kind}\` of the driver ${driver.name}, for ${JSON.stringify(goal)}`;
    const body = createBody(driver, goal, call);
    const { request } = contract.operation(OPERATION_NAMES[kind].create);
    // A missing body is reported by the check that needs it.
    if (body === undefined || request === undefined) continue;
    const [mistake] = contract.mistakes(request.schema, creationBody(body, 'order-1', 'http://127.0.0.1/webhooks'));
    if (mistake === undefined) continue;
    throw new UserError(`Invalid body from ${call}: ${mistake.pointer} expects ${mistake.expected}.`, 2);
  }
}

function createBody(driver: Driver, goal: Goal, call: string): JsonObject | undefined {
  try {
    return goalBody(driver, goal);
  } catch (error) {
    throw new UserError(`Error in ${call}: ${(error as Error).message}`, 2);
  }
}

/**
 * The responses to one request for each read, and to a creation that the contract doesn't allow. Rejects with a UserError that
 * names the request without a response.
 */
async function probeService(contract: Contract, connection: ServiceConnection, baseUrl: string): Promise<Exchange[]> {
  const readers = contract.operations.filter(({ method }) => method === 'get');
  const calls = readers.map((operation): ServiceCall => {
    const { path = {}, query = {} } = requestExamples(operation)[0] ?? {};
    return { operation, path, query };
  });
  // A service without a wallet may lack all of the above, but not the path of a creation.
  const creation: ServiceCall = {
    operation: contract.operation(OPERATION_NAMES.payment.create),
    body: {},
    invalid: true,
  };
  const outcomes = await Promise.all([...calls, creation].map((call) => probe(connection, call)));
  const exchanges = outcomes.filter((outcome): outcome is Exchange => !(outcome instanceof NoHttpResponse));
  const silent = outcomes.find((outcome) => outcome instanceof NoHttpResponse);
  if (silent === undefined) return exchanges;
  if (exchanges.length === 0) {
    throw new UserError(`No response from ${baseUrl}: ${silent.message}. Is the service running there?`);
  }
  const { method, path } = silent.call.operation;
  throw new UserError(
    `No response to ${method.toUpperCase()} ${path}: ${silent.message}. Other requests have a response. Correct that first.`,
  );
}

/** The chosen driver, or the driver that fits the service. */
async function chooseDriver(
  connection: ServiceConnection,
  exchanges: readonly Exchange[],
  chosen: string | Driver | undefined,
): Promise<Driver> {
  if (typeof chosen === 'object') return chosen;
  if (chosen !== undefined) return namedDriver(chosen);
  const reads = exchanges.map(({ call }) => call).filter(({ operation }) => operation.method === 'get');
  return (await followsPrefer(connection, reads)) ? prismDriver : gatewayDriver;
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

type Objection = readonly [
  holds: (exchange: Exchange) => boolean,
  message: (baseUrl: string, first: Exchange | undefined) => string,
];

/** Signs of a wrong base URL or key that every response shows, each with its message. */
const OBJECTIONS: readonly Objection[] = [
  [({ status }) => status === 404, (url) => `${url} returns 404 for every path of the contract. Check its path.`],
  [
    ({ status }) => status >= 300 && status < 400,
    (url, first) => `${url} redirects to ${first?.headers.get('location')}. Use that address.`,
  ],
  [
    (exchange) => !JSON_MEDIA_TYPE.test(mediaType(exchange)),
    (url, first) =>
      `${url} returns ${first ? mediaType(first) || 'no media type' : 'nothing'}, not JSON. Is it the service?`,
  ],
  [
    ({ status }) => status === 401 || status === 403,
    (url) => `${url} refuses the API key. Set one that it knows with --key or API_KEY.`,
  ],
];

/** No service fails in every documented way in turn, unless it is asked to. */
async function followsPrefer(connection: ServiceConnection, calls: readonly ServiceCall[]): Promise<boolean> {
  for (const call of calls) {
    const failures = call.operation.responses.filter(({ status }) => status.startsWith('5'));
    let followed = 0;
    for (const { status } of failures) {
      const outcome = await probe(connection, { ...call, prefer: `code=${status}` });
      if (outcome instanceof NoHttpResponse || String(outcome.status) !== status) return false;
      followed += 1;
    }
    if (followed > 1) return true;
  }
  return false;
}

function probe(connection: ServiceConnection, call: ServiceCall): Promise<Exchange | NoHttpResponse> {
  return connection.send(call, 'preflight').catch((error: unknown) => {
    if (error instanceof NoHttpResponse) return error;
    if (error instanceof BudgetExceeded) {
      throw new UserError(`The service can't be tested: ${error.message}. Wait, or ${error.remedy}.`, NOT_SHOWN);
    }
    throw error;
  });
}
