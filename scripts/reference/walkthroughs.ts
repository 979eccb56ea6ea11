/** The walkthroughs as data, for the player on their page: their steps, with the requests of the Arazzo workflows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Bundle,
  type Json,
  type JsonObject,
  operations,
  readBundle,
  successes,
} from '../../contract/src/model.ts';
import { type HeaderNames, readHeaderNames } from '../../contract/src/vectors/writer.ts';
import { API_FILES } from '../../gateway/src/http/gateway-apis.ts';
import { listPrintedSteps, readStatus, readWorkflow, type Step, type Workflow } from '../artifacts/walkthrough.ts';
import { ROOT } from '../tools/process.ts';
import { START } from './addresses.ts';
import { declineTables } from './declines.ts';

/** The folder of the walkthroughs. One is read when it is opened. */
const FOLDER = 'walkthroughs';

/** The page with the walkthroughs. */
const PAGE = 'getting-started';

/** The event of a customer who pays on the payment page, which no workflow has. */
const CUSTOMER_PAYS = 'pay';

/** The event that requires a code, as a separate action. */
const DECLINE = 'decline';

/** Values that the player fills in. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '$inputs.order_id': '{order_id}',
  '$steps.create.outputs.transaction_id': '{transaction_id}',
};

export interface WalkthroughStep {
  /** With code in backticks. */
  title: string;
  /** Values may be placeholders. */
  request?: { method: string; target: string; body?: Json };
  /** The customer's part, as an event of the sandbox. */
  event?: string;
  /** The step leads to this status. */
  awaits?: string;
}

export interface Walkthrough {
  name: string;
  title: string;
  kind: 'payment' | 'payout';
  method: string;
  /** The time at which it begins. */
  now: string;
  /** Money in the wallets before it. */
  available: Record<string, number>;
  headers: HeaderNames;
  /** Events that the sandbox can simulate besides declines, with the status that a transaction then has, if it says so. */
  events: Record<string, string | null>;
  /** For each code: a test customer whose transactions the sandbox declines with it, and the recommended action. */
  declines: Record<string, { customer: string; action: string }>;
  /** The page about the codes. */
  declinePage: string;
  /** The file with the drawing of all statuses. */
  drawing: string;
  steps: WalkthroughStep[];
}

/** The names of all walkthroughs. */
export function listWalkthroughs(): string[] {
  return [...introduction().matchAll(/<!-- insert: walkthrough (\S+) -->/g)].map(([, name = '']) => name);
}

/** The names of the walkthroughs of each page, in their order there. The first page has the first one. */
export function placeWalkthroughs(): Record<string, string[]> {
  const all = listWalkthroughs();
  return { [PAGE]: all, [START]: all.slice(0, 1) };
}

/** The walkthroughs by their files. */
export function walkthroughFiles(bundle: Bundle): Record<string, string> {
  return Object.fromEntries(
    listWalkthroughs().map((name) => [`${FOLDER}/${name}.json`, JSON.stringify(createWalkthrough(bundle, name))]),
  );
}

export function createWalkthrough(bundle: Bundle, name: string): Walkthrough {
  const workflow = readWorkflow(name);
  const steps = listPrintedSteps(bundle, name).map(({ title, status }): WalkthroughStep => {
    const step = workflow.steps.find(({ description }) => description === title);
    return step
      ? createStep(bundle, workflow, step)
      : { title, event: CUSTOMER_PAYS, ...(status && { awaits: String(status) }) };
  });
  const kind = steps[0]?.request?.target.startsWith('/payouts') ? 'payout' : 'payment';
  const table = declineTables(bundle).find((one) => one.kind === kind);
  if (!table) throw new Error(`the document has no decline codes of a ${kind}`);
  const declines = Object.entries(table.all).map(([code, { suggested_action: action }]) => [
    code,
    { customer: `decline-${code}`, action },
  ]);
  return {
    ...{ name, title: workflow.summary, kind, steps },
    method: String(workflow.inputs.properties['payment_method_type']?.default),
    now: formatFirstRequest(bundle, workflow),
    available: listWallets(bundle),
    headers: readHeaderNames(bundle),
    events: listEvents(kind),
    declines: Object.fromEntries(declines),
    declinePage: table.schema,
    drawing: `${kind}-states-and-transitions.svg`,
  };
}

function createStep(bundle: Bundle, workflow: Workflow, step: Step): WalkthroughStep {
  const operation = operations(bundle).find(({ id }) => id === step.operationId);
  if (!operation) throw new Error(`no operation ${step.operationId}, which a workflow has`);
  const parameters = step.parameters ?? [];
  const textOf = (value: string) => String(resolved(workflow, value));
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    textOf(parameters.find((one) => one.name === name)?.value ?? whole),
  );
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, value }) => `${name}=${textOf(value)}`);
  const awaits = step.onFailure && readStatus(step);
  return {
    title: step.description,
    request: {
      method: operation.method.toUpperCase(),
      target: [path, ...query].join(query.length > 0 ? '?' : ''),
      ...(step.requestBody && { body: resolved(workflow, step.requestBody.payload) }),
    },
    ...(awaits && { awaits }),
  };
}

/** A value with the defaults of the workflow's inputs, and with placeholders. */
function resolved(workflow: Workflow, value: Json): Json {
  if (typeof value === 'string') {
    const [, input = ''] = /^\$inputs\.(\w+)$/.exec(value) ?? [];
    return PLACEHOLDERS[value] ?? workflow.inputs.properties[input]?.default ?? value;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [key, resolved(workflow, inner as Json)]),
  );
}

/** The earliest time at which an example of the creation was created. */
function formatFirstRequest(bundle: Bundle, { steps: [create] }: Workflow): string {
  const creation = operations(bundle).filter(({ id }) => id === create?.operationId);
  const examples = creation.flatMap((operation) => successes(operation).flatMap(({ body }) => body?.examples ?? []));
  const [first] = examples.map(({ value }) => String((value as JsonObject)['created_at'])).sort();
  if (first === undefined) throw new Error(`${create?.operationId} has no example of a response`);
  return first;
}

/** The wallets that the chapter speaks of. */
function listWallets(bundle: Bundle): Record<string, number> {
  const [, amount] = /the wallet has (\d+) in each currency/.exec(introduction()) ?? [];
  if (!amount) throw new Error('openapi/introduction.md does not say what is in the wallet before a walkthrough');
  const currencies = bundle.components.schemas['Currency']?.enum ?? [];
  return Object.fromEntries(currencies.map((currency) => [String(currency), Number(amount)]));
}

/** The sandbox describes each event by where it leads. */
function listEvents(kind: Walkthrough['kind']): Walkthrough['events'] {
  const paths = Object.entries(readBundle(API_FILES.sandbox).paths);
  return Object.fromEntries(
    paths.flatMap(([path, item]) => {
      const [, event] = new RegExp(`^/sandbox/${kind}s/\\{\\w+\\}/([\\w-]+)$`).exec(path) ?? [];
      const { description } = (item as Record<string, { description?: string }>)['post'] ?? {};
      const [, status = null] = /moves from [^.]*\sto\s+([A-Z_]+)\./.exec(description ?? '') ?? [];
      return event && event !== DECLINE ? [[event, status]] : [];
    }),
  );
}

function introduction(): string {
  return readFileSync(join(ROOT, 'openapi/introduction.md'), 'utf8');
}
