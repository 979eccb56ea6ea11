/**
 * A transaction step by step, for beginners. The steps come from an Arazzo workflow and the messages from the
 * document's examples, so other tests keep both current.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  type Bundle,
  type Example,
  findExample,
  type Json,
  type JsonObject,
  type Operation,
  operations,
  readMember,
  requestExamples,
  successes,
  webhooks,
} from '../../contract/src/model.ts';
import { ROOT } from '../tools/process.ts';

export interface Step {
  description: string;
  operationId: string;
  parameters?: { name: string; in: string; value: string }[];
  requestBody?: { payload: JsonObject };
  successCriteria: { condition: string }[];
  /** Such as to ask again. */
  onFailure?: unknown[];
}

export interface Workflow {
  summary: string;
  inputs: { properties: Record<string, { default?: Json }> };
  steps: Step[];
}

export interface PrintedStep {
  title: string;
  /** The status that the transaction has after the step, where the message says so. */
  status?: Json;
  messages: string[];
}

const WEBHOOK_LINE = 'The service sends a webhook:';
const PAGE_LINE = 'The customer pays on the page at `redirect_url`.';

/** The Markdown of a workflow's walkthrough. Throws if no transaction of the examples goes all the way. */
export function walkthrough(bundle: Bundle, name: string): string {
  return listPrintedSteps(bundle, name)
    .map(({ title, messages }, index) => [`**${index + 1}. ${title}**`, ...messages].join('\n\n'))
    .join('\n\n');
}

/** The printed steps of a workflow, and the result if it only polls. Throws like `walkthrough`. */
export function listPrintedSteps(bundle: Bundle, name: string): PrintedStep[] {
  const workflow = readWorkflow(name);
  const [create] = workflow.steps;
  const creation = operations(bundle).find(({ id }) => id === create?.operationId);
  if (!creation) throw new Error(`openapi/workflows/${name}.arazzo.yaml does not begin with an operation`);
  for (const { name: example } of requestExamples(creation).filter(({ body }) => fits(workflow, body as JsonObject))) {
    const steps = play(bundle, workflow, creation, example);
    if (steps) return steps;
  }
  throw new Error(`openapi/workflows/${name}.arazzo.yaml: no transaction of the examples has a message for every step`);
}

/** Reads a workflow of `openapi/workflows/`. */
export function readWorkflow(name: string): Workflow {
  const text = readFileSync(join(ROOT, `openapi/workflows/${name}.arazzo.yaml`), 'utf8');
  const [workflow] = (parse(text) as { workflows: Workflow[] }).workflows;
  if (!workflow) throw new Error(`openapi/workflows/${name}.arazzo.yaml has no workflow`);
  return workflow;
}

/** Whether an example creates what the workflow creates: with the same method, and in the same flow. */
function fits({ inputs, steps: [create] }: Workflow, body: JsonObject): boolean {
  const redirects = (payload: JsonObject = {}) => 'return_url' in payload;
  const sameMethod = body['payment_method_type'] === inputs.properties['payment_method_type']?.default;
  return sameMethod && redirects(body) === redirects(create?.requestBody?.payload);
}

/** The printed steps of one transaction, or undefined if the examples lack one of them. */
function play(bundle: Bundle, workflow: Workflow, creation: Operation, example: string): PrintedStep[] | undefined {
  const created = findResponse(creation, ({ name }) => name === example);
  const id = (created?.value as JsonObject | undefined)?.['transaction_id'];
  if (id === undefined) return undefined;
  const steps = workflow.steps.map((step, index) =>
    index === 0 ? exchange(bundle, step, created) : findPrintedStep(bundle, step, String(id)),
  );
  if (!steps.every((step) => step !== undefined)) return undefined;
  const onPage = readMember(created?.value ?? null, 'redirect_url') !== undefined;
  return withResult(bundle, String(id), steps, onPage).map(withoutRepetition);
}

/** A workflow that only polls still ends with a webhook, sent before the first response with the result. */
function withResult(bundle: Bundle, id: string, steps: PrintedStep[], onPage: boolean): PrintedStep[] {
  const first = steps.findIndex(({ status }) => status === 'SUCCESS');
  if (steps[first]?.messages.includes(WEBHOOK_LINE)) return steps;
  const sent = notification(bundle, id, 'SUCCESS');
  if (!sent) return steps;
  return steps.toSpliced(first < 0 ? steps.length : first, 0, {
    title: onPage ? 'Send the customer to the payment page' : 'Wait for the result',
    status: 'SUCCESS',
    messages: [...(onPage ? [PAGE_LINE] : []), WEBHOOK_LINE, message('', sent)],
  });
}

/** A webhook with the body of the response before it. */
function withoutRepetition(step: PrintedStep, index: number, steps: PrintedStep[]): PrintedStep {
  const repeats = step.messages[0] === WEBHOOK_LINE && step.messages.at(-1) === steps[index - 1]?.messages.at(-1);
  return repeats
    ? { ...step, messages: ['The service also sends a webhook, whose body is that of the response above.'] }
    : step;
}

/** A step that waits for a status is a webhook where one reports it. */
function findPrintedStep(bundle: Bundle, step: Step, id: string): PrintedStep | undefined {
  const status = readStatus(step);
  const webhook = status && notification(bundle, id, status);
  if (webhook) return { title: step.description, status, messages: [WEBHOOK_LINE, message('', webhook)] };
  const operation = operations(bundle).find((one) => one.id === step.operationId);
  const wanted = ({ value }: Example) =>
    readMember(value, 'transaction_id') === id && (!status || readMember(value, 'status') === status);
  return exchange(bundle, step, operation && (findResponse(operation, wanted) ?? firstAfter(bundle, operation, id)));
}

/** The status that a step ends with. */
export function readStatus({ successCriteria }: Step): string | undefined {
  return successCriteria.map(({ condition }) => /status == '(\w+)'/.exec(condition)?.[1]).find(Boolean);
}

/** The first response about no transaction, such as the wallet, that is not older than the transaction's result. */
function firstAfter(bundle: Bundle, operation: Operation, id: string): Response | undefined {
  const since = String(readMember(notification(bundle, id, 'SUCCESS') ?? null, 'finalized_at'));
  const time = ({ value }: Example) => String(readMember(value, 'last_updated_at'));
  return listResponses(operation)
    .filter((one) => readMember(one.value, 'transaction_id') === undefined && time(one) >= since)
    .sort((one, other) => time(one).localeCompare(time(other)))[0];
}

function exchange(bundle: Bundle, step: Step, response: Response | undefined): PrintedStep | undefined {
  const operation = operations(bundle).find(({ id }) => id === step.operationId);
  if (!operation || !response) return undefined;
  const body = findExample(operation.request, response.name)?.value;
  const id = String(readMember(response.value, 'transaction_id'));
  const [query] = requestExamples(operation).filter(({ name }) => name === response.name);
  const search = new URLSearchParams(query?.query).toString();
  const target = `${operation.path.replace(/\{\w+\}/, id)}${search && `?${search}`}`;
  return {
    title: step.description,
    status: readMember(response.value, 'status') ?? null,
    messages: [
      `[${operation.id}](#operation/${operation.id})`,
      message(`${operation.method.toUpperCase()} ${target}`, body),
      `The service responds with ${response.code}:`,
      message('', response.value),
    ],
  };
}

type Response = Example & { code: string };

function findResponse(operation: Operation, wanted: (response: Response) => boolean): Response | undefined {
  return listResponses(operation).find(wanted);
}

function listResponses(operation: Operation): Response[] {
  return successes(operation).flatMap(({ status, body }) =>
    (body?.examples ?? []).map((example) => ({ ...example, code: status })),
  );
}

function notification(bundle: Bundle, id: string, status: string): Json | undefined {
  return webhooks(bundle)
    .flatMap(({ request }) => request?.examples ?? [])
    .find(({ value }) => readMember(value, 'transaction_id') === id && readMember(value, 'status') === status)?.value;
}

/** A request line, a body, or both, as a block of code. */
function message(line: string, body?: Json): string {
  const text = body === undefined ? '' : JSON.stringify(body, null, 2);
  return `\`\`\`${line ? 'http' : 'json'}\n${[line, text].filter(Boolean).join('\n\n')}\n\`\`\``;
}
