/**
 * Finds the route of a request. Paths are written as in the contract: `/payments/{transaction_id}`. A segment that is
 * written out precedes a parameter, and `*` at the end, which takes all that is left, comes last.
 */
import { invalid, ProblemError } from '../wire/problems.ts';
import type { PlainResponse } from './plain.ts';
import { pathOf, type ServedRequest } from './served-request.ts';

export interface Route {
  /** In upper case; `*` for every method. A route of GET serves HEAD too. */
  readonly method: string;
  readonly path: string;
  /** The name under which the log and the metrics have it. */
  readonly operation?: string | undefined;
  readonly respond: (request: ServedRequest) => PlainResponse | Promise<PlainResponse>;
  /** The response to an error, instead of the API's, which is the problem that it is given. */
  readonly fail?: (error: unknown, request: ServedRequest, problem: () => PlainResponse) => PlainResponse;
}

export interface FoundRoute {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Target {
  readonly route: Route;
  readonly names: readonly string[];
}

interface Node {
  readonly segments: Map<string, Node>;
  parameter: Node | undefined;
  readonly here: Map<string, Target>;
  readonly rest: Map<string, Target>;
}

/** Characters. */
const PARAMETER_MAX = 1_024;
const NONE: FoundRoute['parameters'] = Object.freeze({});

export class Router {
  readonly #root = newNode();
  /** Routes without parameters by their whole path, which most requests are for. */
  readonly #fixed = new Map<string, Map<string, FoundRoute>>();

  /** Throws if there is a route of this method and path. */
  add(route: Route): void {
    const names: string[] = [];
    const segments = route.path.split('/').slice(1);
    const isRest = segments.at(-1) === '*';
    let node = this.#root;
    for (const segment of isRest ? segments.slice(0, -1) : segments) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name !== undefined) names.push(name);
      node = name === undefined ? child(node, segment) : parameterOf(node);
    }
    const targets = isRest ? node.rest : node.here;
    if (targets.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    targets.set(route.method, { route, names });
    if (isRest || names.length > 0) return;
    const byMethod = this.#fixed.get(route.path) ?? new Map<string, FoundRoute>();
    this.#fixed.set(route.path, byMethod.set(route.method, { route, parameters: NONE }));
  }

  /** Undefined if there is none. Throws the problem of a path that can't be read. */
  find(method: string, target: string): FoundRoute | undefined {
    const path = pathOf(withoutOrigin(target));
    const fixed = this.#fixed.get(path);
    const exact = fixed && ofMethod(fixed, method);
    if (exact) return exact;
    const segments = path.split('/').slice(1).map(decodedSegment);
    const values: string[] = [];
    const found = findTarget(this.#root, method, segments, 0, values);
    if (!found) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, name] of found.names.entries()) parameters[name] = requireShort(values[index] ?? '');
    return { route: found.route, parameters };
  }
}

function newNode(): Node {
  return { segments: new Map(), parameter: undefined, here: new Map(), rest: new Map() };
}

function child(node: Node, segment: string): Node {
  const known = node.segments.get(segment);
  if (known) return known;
  const added = newNode();
  node.segments.set(segment, added);
  return added;
}

function parameterOf(node: Node): Node {
  node.parameter ??= newNode();
  return node.parameter;
}

/** Proxies may send whole addresses (RFC 9112, 3.2.2). */
function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
}

function decodedSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid([{ in: 'path', pointer: '', message: 'is not a valid path' }]);
  }
}

function requireShort(value: string): string {
  if (value.length > PARAMETER_MAX) throw new ProblemError('not-found', 'No transaction has an id of this length.');
  return value;
}

/** `values` gets the parameters on the way to the target. */
function findTarget(
  node: Node,
  method: string,
  segments: readonly string[],
  index: number,
  values: string[],
): Target | undefined {
  const segment = segments[index];
  if (segment === undefined) return ofMethod(node.here, method);
  const fixed = node.segments.get(segment);
  const found = fixed && findTarget(fixed, method, segments, index + 1, values);
  if (found) return found;
  if (node.parameter) {
    values.push(segment);
    const below = findTarget(node.parameter, method, segments, index + 1, values);
    if (below) return below;
    values.pop();
  }
  return ofMethod(node.rest, method);
}

function ofMethod<T>(targets: ReadonlyMap<string, T>, method: string): T | undefined {
  return targets.get(method) ?? (method === 'HEAD' ? targets.get('GET') : undefined) ?? targets.get('*');
}
