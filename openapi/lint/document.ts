/**
 * The document as the rules see it: hand-written, so that everything may be missing, and any node may be a reference.
 * A rule gets a node together with its place, because a report has to name the file and the line.
 */
import type {
  Oas3_1Definition,
  Oas3_1Schema,
  Oas3MediaType,
  Oas3Operation,
  Oas3Parameter,
  OasRef,
} from '@redocly/openapi-core';
import type { Context, Location } from './redocly.ts';

export type Maybe<T> = T | OasRef | undefined;

/** The statements about where something comes from. */
export interface Provenance {
  'x-source'?: string | string[];
  'x-assumption'?: string | string[];
}

export interface Schema extends Oas3_1Schema, Provenance {
  'x-decline-reasons'?: Record<string, Record<string, string>>;
  'x-decline-handling'?: Record<string, Record<string, string>>;
  'x-enumDescriptions'?: Record<string, string>;
  'x-minor-units'?: Record<string, number>;
}

export type Parameter = Partial<Oas3Parameter<Oas3_1Schema>>;

export interface Operation extends Partial<Oas3Operation<Oas3_1Schema>> {
  /** Names of query parameters of which a request has exactly one. */
  'x-exactly-one-of'?: string[];
}

/** A media type, a parameter or a header: what has a schema and examples of it. */
export type Described = Pick<Oas3MediaType<Oas3_1Schema>, 'schema' | 'example' | 'examples'>;

/** An entry of the registry. */
export interface Assumption {
  id?: string;
  section?: string;
  open?: string;
  assumed?: string;
  why?: string;
  narrows?: string[];
}

export interface Transition extends Provenance {
  from?: string | null;
  to?: string;
  by?: string;
  when?: string;
}

export interface State extends Provenance {
  meaning?: string;
  final?: boolean;
}

export interface StateMachine {
  title?: string;
  states?: Record<string, State>;
  transitions?: Transition[];
}

export interface Root extends Partial<Oas3_1Definition> {
  'x-state-machines'?: Maybe<Record<string, StateMachine>>;
  'x-assumptions'?: Maybe<Assumption[]>;
}

/** A node and the place where it is written. */
export interface Placed<T> {
  node: T;
  location: Location;
}

/** The value at a place, with a reference followed; undefined when there is none. */
export function follow<T>(context: Context, node: Maybe<T>, location: Location): Placed<T> | undefined {
  if (node === undefined || node === null) return undefined;
  if (!isReference(node)) return { node, location };
  const target = context.resolve(node, location.source.absoluteRef);
  return target.node === undefined || !target.location
    ? undefined
    : { node: target.node as T, location: target.location };
}

export function isReference(node: unknown): node is OasRef {
  return typeof node === 'object' && node !== null && '$ref' in node && typeof node.$ref === 'string';
}

/** The entries of a map of the document, with references followed; broken ones are left to Redocly. */
export function entries<T>(
  context: Context,
  map: Record<string, Maybe<T>> | undefined,
  location: Location,
): [name: string, entry: Placed<T>][] {
  return Object.entries(map ?? {}).flatMap(([name, node]) => {
    const entry = follow<T>(context, node, location.child(name));
    return entry ? [[name, entry] as [string, Placed<T>]] : [];
  });
}

/** The items of a list of the document, with references followed. */
export function items<T>(context: Context, list: Maybe<T>[] | undefined, location: Location): Placed<T>[] {
  return (list ?? []).flatMap((node, index) => follow<T>(context, node, location.child(index)) ?? []);
}

/** The schema of an array's items, unless it is a boolean. */
export function readItems({ items }: Schema): Maybe<Schema> {
  return typeof items === 'object' ? items : undefined;
}

/** Part of a node when it is there, otherwise the node itself: where to point when something is wrong or missing. */
export function locateKey(node: object, key: string, location: Location): Location {
  return key in node ? location.child(key) : location.key();
}

/**
 * The name of a reusable component, or undefined for what is written in place.
 * A component is an entry of `components`, or the whole of a file in a folder of that name.
 */
export function componentName(kind: string, location: Location): string | undefined {
  const entry = location.pointer.match(new RegExp(`^#/components/${kind}/([^/]+)$`));
  if (entry) return entry[1];
  if (location.pointer.replace(/\/$/, '') !== '#') return undefined;
  return location.source.absoluteRef.match(
    new RegExp(`[\\\\/]components[\\\\/]${kind}[\\\\/]([^\\\\/]+)\\.ya?ml$`),
  )?.[1];
}

/** The path items that are called by merchants. All others, webhooks and callbacks, are called by the service. */
export function calledItems(context: Context, root: Root): Set<unknown> {
  return new Set(entries(context, root.paths, context.location.child('paths')).map(([, { node }]) => node));
}

/** A value that may be given once or as a list. */
export function toList<T>(value: T | T[] | undefined): T[] {
  return value === undefined ? [] : ([value].flat() as T[]);
}
