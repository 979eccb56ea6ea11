/** Commands that send one request: `get` and `post` for any path, `clock` and more for operations of the sandbox. */
import { type CommandLine, UserError } from '../../../../contract/src/cli.ts';
import { type Bundle, operations, type Schema } from '../../../../contract/src/model.ts';
import { requestTarget, sendRequest } from '../../api-client/client.ts';
import { readApiDocument, readDocumentFile } from '../../http/gateway-apis.ts';
import { addAccess, type ClientFlags, callGateway, readAccess } from './access.ts';
import { type DescribedSchema, parseField, readFields, setFields } from './request-fields.ts';

/** Methods with the part of the request that has the fields. */
const METHODS: Readonly<Record<string, string>> = { get: 'query', post: 'body', put: 'body', delete: '' };

/** Commands for the operations below a path of the sandbox, such as `clock advance` for `/sandbox/clock/advance`. */
const GROUPS: Readonly<Record<string, string>> = {
  clock: "Read, advance, freeze and release the merchant's clock.",
  chaos: 'Make requests fail: list, add, remove and clear rules.',
  'webhook-faults': 'Make webhooks fail: list, add, remove and clear rules.',
};

const FIELDS_HELP = `
Fields have the types of the gateway's documents. Write an inner field as customer.id=customer-7, a list as items=name,phone,
and an empty value to omit a field.`;

/** Adds `get`, `post`, `put`, `delete`, and the groups of the sandbox. */
export function addHttpCommands(program: CommandLine, env: NodeJS.ProcessEnv): void {
  for (const [method, location] of Object.entries(METHODS)) {
    const [usage, sent] = location ? [' [field=value...]', `, with fields in the ${location}`] : ['', ''];
    addAccess(program.subcommand(`${method} <path>${usage}`, `Send a ${method.toUpperCase()} request${sent}.`))
      .addHelpText('after', `${location && FIELDS_HELP}\nThe response goes to stdout, and its status to stderr.`)
      .handle((flags: ClientFlags, path = '', ...fields) => send(program, flags, env, { method, path, fields }));
  }
  for (const [name, description] of Object.entries(GROUPS)) addGroup(program, env, name, description);
}

function addGroup(program: CommandLine, env: NodeJS.ProcessEnv, group: string, description: string): void {
  const parent = program.subcommand(group, description);
  const { bundle, operations: all } = readApiDocument('sandbox');
  const own = all.filter(({ path }) => `${path}/`.startsWith(`/sandbox/${group}/`));
  for (const { id, method, summary, parameters, request } of own) {
    const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const fields = Object.entries(request ? readFields({ bundle, schema: request.schema }) : {});
    const [[first, { enum: values = [] }] = ['', {} as Schema]] = fields;
    const usage = names.map((name) => ` <${name.replaceAll('_', '-')}>`).join('');
    const command = parent.subcommand(
      `${nameCommand(id, group)}${usage}${first && ' [field=value...]'}`,
      `${summary}.`,
    );
    if (first)
      command
        .suggest(values.map(String))
        .addHelpText(
          'after',
          `\nFields, of which \`${first}=\` can be omitted:\n${fields.map(describeField).join('\n')}`,
        );
    addAccess(command).handle((flags: ClientFlags, ...args) => {
      const values = Object.fromEntries(names.map((name, index) => [name, args[index] ?? '']));
      const typed = args.slice(names.length).map((text) => (/^\w+=/.test(text) ? text : `${first}=${text}`));
      return send(program, flags, env, { method, path: requestTarget('sandbox', id, values), fields: typed });
    });
  }
}

function describeField([name, { enum: values, description = '' }]: [string, Schema]): string {
  return `  ${name.padEnd(16)}${values ? values.join(', ') : description.split('\n')[0]}`;
}

/** `advance` for `advanceClock`, `set-signature-time` for `setSignatureTime`. */
function nameCommand(operationId: string, group: string): string {
  const words = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return words.replace(new RegExp(`-${group.replace(/s$/, '')}s?$`), '');
}

/** A request that takes longer is reported. Moving a clock waits for due work. */
const SLOW_MS = 2_000;

interface TypedRequest {
  readonly method: string;
  readonly path: string;
  /** As they were typed. */
  readonly fields: readonly string[];
}

/** Sends the request, and returns the body of the response as text. */
async function send(
  { terminal }: CommandLine,
  { json = false, ...flags }: ClientFlags,
  env: NodeJS.ProcessEnv,
  { method, path, fields }: TypedRequest,
): Promise<string | undefined> {
  const access = readAccess(flags, env);
  const { target, body } = createRequest(method, path, fields);
  const sent = { purpose: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), target, body };
  const slow = setTimeout(() => terminal.err(`Waiting for ${sent.purpose} at ${access.url} …\n`), SLOW_MS);
  const { status, value } = await callGateway(access, () => sendRequest(access, sent)).finally(() =>
    clearTimeout(slow),
  );
  if (!json) terminal.err(`${status}\n`);
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, json ? 0 : 2);
}

function createRequest(method: string, path: string, texts: readonly string[]) {
  if (!path.startsWith('/'))
    throw new UserError(`The path is '${path}'. It must begin with a slash, such as /payments/pay_1.`, 2);
  const fields = texts.map((text) => parseField(text, ', after the path'));
  if (method === 'get') {
    const query = new URLSearchParams(fields.map((field): [string, string] => [field.path.join('.'), field.text]));
    return { target: fields.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query}` };
  }
  const schema = findRequestSchema(method, path);
  const body: Record<string, unknown> = {};
  setFields(body, fields, schema ?? UNKNOWN);
  return { target: path, ...((schema || fields.length > 0) && { body }) };
}

/** For a path that is in no document. Its fields are sent as strings. */
const UNKNOWN = { bundle: {} as Bundle, schema: {} } satisfies DescribedSchema;

const DOCUMENTS = ['contract', 'sandbox', 'management'] as const;

/** The schema of the request's body. Undefined if the operation has no body, or is in no document. */
function findRequestSchema(method: string, target: string): DescribedSchema | undefined {
  const [path = ''] = target.split('?');
  for (const bundle of DOCUMENTS.map((name) => readDocumentFile(name))) {
    const matching = operations(bundle).filter((one) => one.method === method && toPattern(one.path).test(path));
    // A literal path, such as /sandbox/events/samples, precedes one with a parameter.
    const [request] = matching.toSorted((a, b) => countParameters(a) - countParameters(b)).map((one) => one.request);
    if (request) return { bundle, schema: request.schema };
  }
  return undefined;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function countParameters({ path }: { readonly path: string }): number {
  return path.split('{').length;
}
