/**
 * A transaction step by step, for people who begin: the steps are those of an Arazzo workflow, and the messages are the
 * document's examples about one transaction, so that both are checked elsewhere and none can go stale.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  type Bundle,
  type Example,
  exampleOf,
  type Json,
  type JsonObject,
  type Operation,
  operations,
  requestExamples,
  successes,
  webhooks,
} from '../../contract/src/model.ts';
import { ROOT } from '../tools/process.ts';

interface Step {
  description: string;
  operationId: string;
  requestBody?: { payload: JsonObject };
  successCriteria: { condition: string }[];
}

interface Workflow {
  inputs: { properties: Record<string, { default?: Json }> };
  steps: Step[];
}

/** What is sent in one step, and by whom it is started. */
interface Scene {
  title: string;
  /** The status that the transaction has after the step, where the message says so. */
  status?: Json;
  messages: string[];
}

const WEBHOOK_LINE = 'The service sends a webhook:';

/** The Markdown of a workflow's walkthrough. Throws if no transaction of the examples goes all the way. */
export function walkthrough(bundle: Bundle, name: string): string {
  const workflow = readWorkflow(name);
  const [create] = workflow.steps;
  const creation = operations(bundle).find(({ id }) => id === create?.operationId);
  if (!creation) throw new Error(`openapi/workflows/${name}.arazzo.yaml does not begin with an operation`);
  for (const { name: story } of requestExamples(creation).filter(({ body }) => fits(workflow, body as JsonObject))) {
    const scenes = play(bundle, workflow, creation, story);
    if (scenes)
      return scenes
        .map(({ title, messages }, index) => [`**${index + 1}. ${title}**`, ...messages].join('\n\n'))
        .join('\n\n');
  }
  throw new Error(`openapi/workflows/${name}.arazzo.yaml: no transaction of the examples has a message for every step`);
}

function readWorkflow(name: string): Workflow {
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

/** The scenes of one transaction, or undefined if the examples lack one of them. */
function play(bundle: Bundle, workflow: Workflow, creation: Operation, story: string): Scene[] | undefined {
  const created = responseOf(creation, (_value, name) => name === story);
  const id = (created?.value as JsonObject | undefined)?.['transaction_id'];
  if (id === undefined) return undefined;
  const scenes = workflow.steps.map((step, index) =>
    index === 0 ? exchange(bundle, step, (_value, name) => name === story) : sceneOf(bundle, step, String(id)),
  );
  if (!scenes.every((scene) => scene !== undefined)) return undefined;
  return withResult(bundle, String(id), scenes).map(withoutRepetition);
}

/** A workflow that only polls still ends with a webhook, which comes before the first response that has the result. */
function withResult(bundle: Bundle, id: string, scenes: Scene[]): Scene[] {
  const first = scenes.findIndex(({ status }) => status === 'SUCCESS');
  if (scenes[first]?.messages.includes(WEBHOOK_LINE)) return scenes;
  const sent = notification(bundle, id, 'SUCCESS');
  if (!sent) return scenes;
  return scenes.toSpliced(first < 0 ? scenes.length : first, 0, {
    title: 'Wait for the result',
    messages: [WEBHOOK_LINE, sent],
  });
}

/** A webhook with the body of the response before it. */
function withoutRepetition(scene: Scene, index: number, all: Scene[]): Scene {
  const repeats = scene.messages[0] === WEBHOOK_LINE && scene.messages.at(-1) === all[index - 1]?.messages.at(-1);
  return repeats
    ? { ...scene, messages: ['The service also sends a webhook, whose body is that of the response above.'] }
    : scene;
}

type Test = (value: Json, name: string) => boolean;

/** A step that waits for a status is a webhook where one reports it. */
function sceneOf(bundle: Bundle, step: Step, id: string): Scene | undefined {
  const status = step.successCriteria.map(({ condition }) => /status == '(\w+)'/.exec(condition)?.[1]).find(Boolean);
  const webhook = status && notification(bundle, id, status);
  if (webhook) return { title: step.description, status, messages: [WEBHOOK_LINE, webhook] };
  const about: Test = (value) => memberOf(value, 'transaction_id') === id;
  const wanted: Test = (value, name) => about(value, name) && (!status || memberOf(value, 'status') === status);
  return (
    exchange(bundle, step, wanted) ?? exchange(bundle, step, (value) => memberOf(value, 'transaction_id') === undefined)
  );
}

/** A request and its response, of the first response that passes. */
function exchange(bundle: Bundle, step: Step, wanted: Test): Scene | undefined {
  const operation = operations(bundle).find(({ id }) => id === step.operationId);
  const response = operation && responseOf(operation, wanted);
  if (!operation || !response) return undefined;
  const body = exampleOf(operation.request, response.name)?.value;
  const id = String(memberOf(response.value, 'transaction_id'));
  const [query] = requestExamples(operation).filter(({ name }) => name === response.name);
  const search = new URLSearchParams(query?.query).toString();
  const target = `${operation.path.replace(/\{\w+\}/, id)}${search && `?${search}`}`;
  return {
    title: step.description,
    status: memberOf(response.value, 'status') ?? null,
    messages: [
      `[${operation.id}](#operation/${operation.id})`,
      message(`${operation.method.toUpperCase()} ${target}`, body),
      `The service responds with ${response.code}:`,
      message('', response.value),
    ],
  };
}

function responseOf(operation: Operation, wanted: Test): (Example & { code: string }) | undefined {
  const all = successes(operation).flatMap(({ status, body }) =>
    (body?.examples ?? []).map((example) => ({ ...example, code: status })),
  );
  return all.find(({ value, name }) => wanted(value, name));
}

function notification(bundle: Bundle, id: string, status: string): string | undefined {
  const sent = webhooks(bundle)
    .flatMap(({ request }) => request?.examples ?? [])
    .find(({ value }) => memberOf(value, 'transaction_id') === id && memberOf(value, 'status') === status);
  return sent && message('', sent.value);
}

function memberOf(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

/** A request line, a body, or both, as a block of code. */
function message(line: string, body?: Json): string {
  const text = body === undefined ? '' : JSON.stringify(body, null, 2);
  return `\`\`\`${line ? 'http' : 'json'}\n${[line, text].filter(Boolean).join('\n\n')}\n\`\`\``;
}
