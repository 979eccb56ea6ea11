/** Data for an operation's "Try it" panel: its form, named requests, and code samples. */
import {
  type Bundle,
  type Json,
  type Operation,
  openEnum,
  operations,
  requestExamples,
  resolve,
  type Schema,
} from '../../contract/src/model.ts';
import { SCENARIOS } from '../../gateway/src/channels/scenarios.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { type SampleCall, sampleCall } from '../artifacts/samples/call.ts';
import { declineTables } from './declines.ts';

/** The panels' folder. A panel is read when it is opened. */
const FOLDER = 'try-it';

interface Place {
  operation: string;
  /** The section that the panel comes before, from 1 on. */
  section: number;
}

/** Chapters that let the reader make the first request. */
const CHAPTERS: Readonly<Record<string, Place>> = {
  'getting-started': { operation: 'getBalance', section: 2 },
};

/** Pages with a panel. */
export function createPanels(bundle: Bundle): Record<string, Place> {
  return {
    ...CHAPTERS,
    ...Object.fromEntries(operations(bundle).map(({ id }) => [id, { operation: id, section: 1 }])),
  };
}

/** A value that the form asks for. Nested ones have the names of their objects, such as `customer.id`. */
export interface Input {
  place: 'path' | 'query' | 'body';
  name: string;
  type: 'integer' | 'string';
  required: boolean;
  /** The known values. */
  values?: Json[];
  /** Values with a special effect in a sandbox. */
  testValues?: { value: string; summary: string }[];
}

export interface Panel {
  call: Omit<SampleCall, 'request' | 'path'>;
  id: string;
  /** The sandbox view behind the response, for transactions only. */
  kind?: string;
  /** The codes with which the sandbox can decline it. */
  declines?: string[];
  /** For transactions: the operations that take one on from a status, and the operation that reads it. */
  next?: { byStatus: Record<string, string[]>; read: string };
  inputs: Input[];
  requests: {
    name: string;
    summary: string;
    path: Record<string, string>;
    query: Record<string, string>;
    body?: Json;
  }[];
}

/** The panels by their files. `isLive` says that no sandbox gets their requests. */
export function panelFiles(bundle: Bundle, isLive: boolean): Record<string, string> {
  return Object.fromEntries(
    operations(bundle).map((operation) => [
      `${FOLDER}/${operation.id}.json`,
      JSON.stringify(createPanel(bundle, operation, isLive)),
    ]),
  );
}

export function createPanel(bundle: Bundle, operation: Operation, isLive = false): Panel {
  const { baseUrl, credential, apiKey, hasStatus } = sampleCall(bundle, operation);
  const { id, method, path, request } = operation;
  const parameters = operation.parameters.flatMap(({ name, in: place, required = false, schema }): Input[] =>
    place === 'header' ? [] : [{ place, name, required, ...readInputType(bundle, schema) }],
  );
  const [, kind = ''] = path.split('/');
  const table = declineTables(bundle).find(({ schema }) =>
    kind.startsWith(schema.replace('DeclineReason', '').toLowerCase()),
  );
  return {
    id,
    call: {
      operation: { method, path, ...(request && { request: { mediaType: request.mediaType } }) },
      ...{ baseUrl, credential, apiKey, hasStatus },
    },
    ...(hasStatus && { kind, next: listNext(bundle, kind) }),
    ...(table && { declines: Object.keys(table.all) }),
    inputs: [...parameters, ...(request ? bodyInputs(bundle, request.schema) : [])].map((input) =>
      isLive ? input : withTestValues(input, kind),
    ),
    requests: listRequests(operation),
  };
}

/** The operations on a transaction, from the moves of its state machine. `kind` is the first part of their paths. */
function listNext(bundle: Bundle, kind: string): NonNullable<Panel['next']> {
  const own = operations(bundle).filter(({ path }) => path.startsWith(`/${kind}/{`));
  const moves = bundle['x-state-machines'][kind.replace(/s$/, '')]?.transitions ?? [];
  const byStatus: Record<string, string[]> = {};
  for (const { from, by } of moves)
    if (from !== null && own.some(({ id }) => id === by))
      byStatus[from] = [...new Set([...(byStatus[from] ?? []), by])];
  return { byStatus, read: own.find(({ method }) => method === 'get')?.id ?? '' };
}

/** The test customers and accounts of the sandbox, and the methods that only a sandbox has. */
function withTestValues(input: Input, kind: string): Input {
  const isOfKind = (row: { kind: string }) => kind === `${row.kind}s`;
  const testValues = SCENARIOS.filter((row) => isOfKind(row) && row.field === input.name).map(({ value, summary }) => ({
    ...{ value, summary: summary.replaceAll('`', '') },
  }));
  const own = input.name === 'payment_method_type' ? sandboxMethods.filter(isOfKind).map(({ name }) => name) : [];
  return {
    ...input,
    ...(own.length > 0 && { values: [...new Set([...(input.values ?? []), ...own])] }),
    ...(testValues.length > 0 && { testValues }),
  };
}

function listRequests(operation: Operation): Panel['requests'] {
  const parts = [...operation.parameters, ...(operation.request ? [operation.request] : [])];
  const examples = parts.flatMap(({ examples }) => examples);
  const all = requestExamples(operation).map((request) => ({
    ...request,
    summary: examples.find(({ name }) => name === request.name)?.summary ?? request.name,
  }));
  // Without an input, every example sends the same.
  return operation.request || operation.parameters.some(({ in: place }) => place === 'query') ? all : all.slice(0, 1);
}

/** The strings and numbers of a body at any depth. */
function bodyInputs(bundle: Bundle, schema: Schema, prefix = ''): Input[] {
  const { properties = {}, required = [], allOf = [] } = resolve(bundle, schema);
  const own = Object.entries(properties).flatMap(([key, property]): Input[] => {
    const name = `${prefix}${key}`;
    const { type } = resolve(bundle, property);
    if (type === 'object') return bodyInputs(bundle, property, `${name}.`);
    return [{ place: 'body', name, required: required.includes(key), ...readInputType(bundle, property) }];
  });
  return [...own, ...allOf.flatMap((part) => bodyInputs(bundle, part, prefix))];
}

function readInputType(bundle: Bundle, schema: Schema): Pick<Input, 'type' | 'values'> {
  const found = resolve(bundle, schema);
  const values = openEnum(found)?.known ?? found.enum;
  return { type: found.type === 'integer' ? 'integer' : 'string', ...(values && { values }) };
}
