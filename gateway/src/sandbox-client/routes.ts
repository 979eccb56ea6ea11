/** Method and path of each operation of the gateway's own APIs. */
import { type GatewayApi, readApiDocument } from '../http/gateway-apis.ts';

interface Route {
  /** In capitals. */
  readonly method: string;
  /** With names of parameters in braces. */
  readonly path: string;
}

const read = new Map<GatewayApi, Readonly<Record<string, Route>>>();

/** Reads a document at the first call, since most commands that could call an API don't. Throws for an unknown operation. */
export function findRoute(api: GatewayApi, id: string): Route {
  const routes = read.get(api) ?? indexRoutes(api);
  read.set(api, routes);
  const route = routes[id];
  if (!route) throw new Error(`the ${api} API has no operation ${id}`);
  return route;
}

function indexRoutes(api: GatewayApi): Readonly<Record<string, Route>> {
  const { operations } = readApiDocument(api);
  return Object.fromEntries(operations.map(({ id, method, path }) => [id, { method: method.toUpperCase(), path }]));
}
