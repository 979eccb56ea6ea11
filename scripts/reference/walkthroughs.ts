/** The walkthroughs as data, for the player on their page: the requests of the Arazzo workflows, one after the other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customersOf } from '../../contract/src/mock/customers.ts';
import { type Bundle, type Json, type JsonObject, operations } from '../../contract/src/model.ts';
import { readWorkflow, type Step, statusOf, type Workflow } from '../artifacts/walkthrough.ts';
import { ROOT } from '../tools/process.ts';
import { declineTables } from './declines.ts';

/** The folder of the walkthroughs. One is read when it is opened. */
const FOLDER = 'walkthroughs';

/** The page with the walkthroughs. */
const PAGE = 'getting-started';

/** Values that the player puts in. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '$inputs.order_id': '{order_id}',
  '$steps.create.outputs.transaction_id': '{transaction_id}',
};

export interface WalkthroughStep {
  title: string;
  operation: string;
  method: string;
  /** With placeholders, as in the body. */
  target: string;
  body?: Json;
  /** The step waits until the transaction has this status. */
  awaits?: string;
}

export interface Walkthrough {
  name: string;
  title: string;
  kind: 'payment' | 'payout';
  /** Customers whose transactions the sandbox declines, by the code. */
  declines: Record<string, string>;
  steps: WalkthroughStep[];
}

/** The names of the walkthroughs of each page, in their order there. */
export function walkthroughsOf(): Record<string, string[]> {
  const introduction = readFileSync(join(ROOT, 'openapi/introduction.md'), 'utf8');
  return { [PAGE]: [...introduction.matchAll(/<!-- insert: walkthrough (\S+) -->/g)].map(([, name = '']) => name) };
}

/** The walkthroughs by their files. */
export function walkthroughFiles(bundle: Bundle): Record<string, string> {
  const names = Object.values(walkthroughsOf()).flat();
  return Object.fromEntries(
    names.map((name) => [`${FOLDER}/${name}.json`, JSON.stringify(walkthroughOf(bundle, name))]),
  );
}

export function walkthroughOf(bundle: Bundle, name: string): Walkthrough {
  const workflow = readWorkflow(name);
  const steps = workflow.steps.map((step) => stepOf(bundle, workflow, step));
  const kind = steps[0]?.target.startsWith('/payouts') ? 'payout' : 'payment';
  const codes = Object.keys(declineTables(bundle).find((table) => table.kind === kind)?.reasons ?? {});
  const declines = codes.flatMap((code) =>
    customersOf([`declined-${code}`])
      .slice(0, 1)
      .map((id) => [code, id]),
  );
  return { name, title: workflow.summary, kind, declines: Object.fromEntries(declines), steps };
}

function stepOf(bundle: Bundle, workflow: Workflow, step: Step): WalkthroughStep {
  const operation = operations(bundle).find(({ id }) => id === step.operationId);
  if (!operation) throw new Error(`no operation ${step.operationId}, which a workflow has`);
  const parameters = step.parameters ?? [];
  const valueOf = (value: string) => String(resolved(workflow, value));
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    valueOf(parameters.find((one) => one.name === name)?.value ?? whole),
  );
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, value }) => `${name}=${valueOf(value)}`);
  const awaits = statusOf(step);
  return {
    title: step.description,
    operation: operation.id,
    method: operation.method.toUpperCase(),
    target: [path, ...query].join(query.length > 0 ? '?' : ''),
    ...(step.requestBody && { body: resolved(workflow, step.requestBody.payload) }),
    ...(awaits && step.onFailure && { awaits }),
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
