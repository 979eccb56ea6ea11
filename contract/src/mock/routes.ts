/** Finds the operation of a request by its method and path, and reads the path parameters. */
import type { Operation } from '../model.ts';
import { type RequestCheck, requestCheck } from '../request-check.ts';

export interface MockRoute {
  readonly operation: Operation;
  readonly check: RequestCheck;
  readonly pattern: RegExp;
}

export function createRoutes(operations: readonly Operation[]): MockRoute[] {
  return operations.map((operation) => ({
    operation,
    check: requestCheck(operation),
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
}

export interface RouteMatch {
  readonly route: MockRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Throws a URIError if the path has an invalid escape. */
export function findRoute(routes: readonly MockRoute[], method: string, path: string): RouteMatch | undefined {
  for (const route of routes) {
    if (route.operation.method !== method.toLowerCase()) continue;
    const found = route.pattern.exec(path);
    if (!found) continue;
    const groups = Object.entries(found.groups ?? {});
    return { route, params: Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)])) };
  }
  return undefined;
}

/** Query parameters by name; the values of a repeated one as an array. */
export function readQuery(query: string): Record<string, string | string[]> {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
