/** Method and path of each of the sandbox's operations. */
import type { operations } from '../../../generated/sandbox/types.ts';
import { readApiDocument } from '../wire/gateway-apis.ts';

type OperationId = keyof operations;

interface Route {
  /** In capitals. */
  readonly method: string;
  /** With names of parameters in braces. */
  readonly path: string;
}

let routes: Readonly<Record<OperationId, Route>> | undefined;

/** Reads the document at the first call, since most commands that could call a sandbox don't. */
export function routeOf(id: OperationId): Route {
  routes ??= Object.fromEntries(
    readApiDocument('sandbox').operations.map(({ id, method, path }) => [id, { method: method.toUpperCase(), path }]),
  ) as Readonly<Record<OperationId, Route>>;
  return routes[id];
}
