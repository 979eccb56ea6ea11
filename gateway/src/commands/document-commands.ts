/**
 * Commands of the management API, derived from its document. Arguments and options are the parameters and the members
 * of the body of an operation, with their descriptions.
 */
import { type CommandLine, parseName, parseTime, UserError } from '../../../contract/src/cli.ts';
import type { Operation, Schema } from '../../../contract/src/model.ts';
import { parsePointer } from '../../../contract/src/pointer.ts';
import { requestCheck } from '../../../contract/src/request-check.ts';
import * as validators from '../../../generated/management/validators.js';
import type { BodyViolation, OperationId, ResultOf } from '../api-client/client.ts';
import { readApiDocument } from '../http/gateway-apis.ts';
import { timestamp } from '../transactions/view.ts';
import { type CallManagement, listAll } from './call-management.ts';
import { RefusedRequest } from './client/access.ts';
import { readFields, readRequired, setFields } from './client/request-fields.ts';

/** A request as the command line gives it. */
export interface ManagementRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined for operations without a body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** A command that calls an operation. */
interface Row<Id extends OperationId<'management'>, Result> {
  /** Name and arguments. An argument is a parameter or a member of the body; `<id>` is the parameter of the path. */
  readonly usage: string;
  readonly operation: Id;
  /** Parameters or members of the body that the command sets. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Values of options that are not given. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Maximum number of listed entries. By default, all are listed. */
  readonly max?: number;
  readonly view: (result: Result, request: ManagementRequest) => string;
}

interface SeveralCalls<Result> {
  readonly run: (manage: CallManagement, request: ManagementRequest) => Promise<Result>;
}

export type ManagementCommand = Row<OperationId<'management'>, never> & Partial<SeveralCalls<unknown>>;

/** A command that makes one call, or lists all pages. */
export function calls<Id extends OperationId<'management'>>(
  row: Row<Id, ResultOf<'management', Id>>,
): ManagementCommand {
  return row;
}

/** A command that makes several calls. It has the arguments and options of one operation. */
export function callsSeveral<Result>(
  row: Row<OperationId<'management'>, Result> & SeveralCalls<Result>,
): ManagementCommand {
  return row;
}

/** Names of options that differ from the names in the document. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  created_before: 'to',
  created_from: 'from',
  customer_id: 'customer',
  enabled: 'disable',
  merchant_id: 'merchant',
  merchant_order_id: 'order',
  payment_method_type: 'method',
  transaction_id: 'transaction',
  url: 'callback-url',
};

/** The opposite of `enabled`, which is on by default. */
const DISABLE = '--disable';

/** Commands list all pages. */
const WITHOUT_OPTION: readonly string[] = ['limit', 'cursor', 'count'];

/** A parameter or a member of the body. */
interface Field {
  readonly name: string;
  readonly location: 'path' | 'query' | 'body';
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** As it is typed, such as `<merchant-id>` or `--reason`. */
  readonly typed: string;
}

interface DerivedCommand extends ManagementCommand {
  readonly described: Operation;
  readonly args: readonly Field[];
  readonly options: readonly Field[];
}

type Flags = Readonly<Record<string, string | number | boolean | undefined>>;

/** Describes the command, and adds its options. Returns a function that reads a request, and one that runs it. */
export function deriveCommand(command: CommandLine, row: ManagementCommand) {
  const derived = derive(row);
  const { described, options } = derived;
  command.description(`${described.summary}.`).addHelpText('after', `\n${described.description.trim()}`);
  for (const field of options) addOption(command, field);
  command.option('--json', 'Print the result as JSON.');
  return {
    read: (flags: Flags, args: readonly string[]) => readRequest(derived, flags, args),
    async run(manage: CallManagement, request: ManagementRequest, { json }: { readonly json: boolean }) {
      const result = await (row.run ? row.run(manage, request) : call(manage, derived, request)).catch((error) => {
        const violations = error instanceof RefusedRequest ? error.violations : [];
        throw violations.length > 0 ? explainViolations(derived, request, violations) : error;
      });
      return json ? JSON.stringify(result, null, 2) : row.view(result as never, request);
    },
  };
}

function derive(row: ManagementCommand): DerivedCommand {
  const { bundle, operations } = readApiDocument('management');
  const described = operations.find(({ id }) => id === row.operation);
  if (!described) throw new Error(`the management API has no operation ${row.operation}`);
  const body = described.request && { bundle, schema: described.request.schema };
  const members = body ? readFields(body) : {};
  const required = body ? readRequired(body) : [];
  const fields = [
    ...described.parameters.map(({ name, in: location, schema, description, required: isRequired = false }) => ({
      ...{ name, location, isRequired },
      schema: { ...schema, description },
    })),
    ...Object.entries(members).map(([name, schema]) => ({
      ...{ name, location: 'body', schema },
      isRequired: required.includes(name),
    })),
  ] as Omit<Field, 'typed'>[];
  const args = [...row.usage.matchAll(/<([\w-]+)>/g)].map(([typed, argument = '']): Field => {
    const name = argument.replaceAll('-', '_');
    const found = fields.find((field) => field.name === name) ?? fields.find(({ location }) => location === 'path');
    if (!found) throw new Error(`${row.operation} has no parameter ${argument}`);
    return { ...found, typed };
  });
  const taken = [...args.map(({ name }) => name), ...Object.keys(row.fixed ?? {}), ...WITHOUT_OPTION];
  const options = fields
    .filter(({ name }) => !taken.includes(name))
    .map((field) => ({ ...field, typed: `--${OPTION_NAMES[field.name] ?? field.name.replaceAll('_', '-')}` }));
  return { ...row, described, args, options };
}

function addOption(command: CommandLine, { typed, schema, isRequired }: Field): void {
  const { type, format, enum: values, description = '' } = schema as Schema & { readonly format?: string };
  const [first = ''] = /^.*?\.(?= |$)/.exec(description.replaceAll(/\s+/g, ' ')) ?? [];
  const summary = `${first}${isRequired ? ' Required.' : ''}`;
  if (type === 'boolean') command.option(typed, typed === DISABLE ? 'Decline transactions.' : summary);
  else if (values) command.option(`${typed} <${values.join('|')}>`, summary, parseName(values.map(String)));
  else if (format === 'date-time') command.option(`${typed} <time>`, summary, (text) => timestamp(parseTime(text)));
  else command.option(`${typed} <${type === 'integer' ? 'number' : 'text'}>`, summary);
}

/** Throws a UserError that names the arguments and options to correct. */
function readRequest(derived: DerivedCommand, flags: Flags, given: readonly string[]): ManagementRequest {
  const { described, args, options } = derived;
  const initial = { ...derived.defaults, ...derived.fixed };
  const inBody = described.request !== undefined;
  const values = { path: {}, query: inBody ? {} : initial, body: inBody ? initial : {} };
  for (const [index, field] of args.entries()) setValue(derived, values, field, given[index] ?? '');
  for (const field of options) {
    const flag = flags[camelCase(field.typed)];
    const text = field.typed === DISABLE && flag ? 'false' : flag?.toString();
    if (text !== undefined) setValue(derived, values, field, text);
  }
  const request = { ...values, body: inBody ? values.body : undefined };
  const { path: params, query, body } = request;
  const { violations } = requestCheck(described, validators)({ params, query, body });
  if (violations.length > 0) throw explainViolations(derived, request, violations);
  return request;
}

/** An error that names the arguments and options to correct, with their values. */
function explainViolations(
  { args, options }: DerivedCommand,
  { path, query, body }: ManagementRequest,
  violations: readonly BodyViolation[],
): UserError {
  const values: Readonly<Record<string, unknown>> = { ...path, ...query, ...body };
  const lines = violations.map(({ pointer, message }) => {
    const [name = ''] = parsePointer(pointer);
    const { typed = name } = [...args, ...options].find((field) => field.name === name) ?? {};
    return `${typed} ${values[name] === undefined ? '' : `'${values[name]}' `}${message}.`;
  });
  return new UserError(lines.join('\n'), 2);
}

function setValue(
  { described: { request } }: DerivedCommand,
  values: Record<Field['location'], Record<string, unknown>>,
  { name, location }: Field,
  text: string,
): void {
  const { bundle } = readApiDocument('management');
  if (location === 'body' && request)
    setFields(values.body, [{ path: [name], text }], { bundle, schema: request.schema });
  else values[location][name] = text;
}

/** `createdFrom` for `--created-from`, as commander names it. */
function camelCase(typed: string): string {
  return typed.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type AnyCall = (id: string, request: object) => Promise<{ data: unknown[]; next_cursor?: string }>;

async function call(manage: CallManagement, derived: DerivedCommand, request: ManagementRequest): Promise<unknown> {
  const { operation, described, max } = derived;
  const run = manage as unknown as AnyCall;
  if (!described.parameters.some(({ name }) => name === 'cursor')) return run(operation, request);
  const readPage = (page: object) => run(operation, { ...request, query: { ...request.query, ...page } });
  return { data: await listAll(readPage, max) };
}
