/**
 * Plays a walkthrough in a separate sandbox with a frozen clock and manual channels. Only the reader's actions change
 * its state, and the same actions with the same seed lead to the same state.
 */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { hasStandardSignature, TIMESTAMP, TOLERANCE_SECONDS } from '../../../../contract/src/webhook-signature.ts';
import type { Walkthrough, WalkthroughStep } from '../../walkthroughs.ts';
import { FAULTS } from './faults.ts';
import { type Action, NEXT, splitAction } from './play-link.ts';
import { type Access, createSandboxClient, type Outcome, type Sandbox, type Service, serviceAt } from './service.ts';

/** A sandbox in the page, as far as the run needs it. */
interface PageSandbox {
  readonly url: string;
  readonly fetch: typeof fetch;
  addMerchant(request: { available: Record<string, number> }): Promise<{ key: string; secret: string }>;
  close(): Promise<void>;
}

/** `startSandbox` of the gateway. */
export type Start = (options: {
  seed: string;
  now: Date;
  onWebhook: (request: Request) => Promise<Response>;
}) => Promise<PageSandbox>;

/** A request and its response. */
export interface Exchange {
  line: string;
  body?: Json;
  status?: number;
  json?: Json;
  /** There was no response. */
  error?: string;
}

/** Something that the reader did. */
export interface Entry {
  title: string;
  /** The number of the step, if it was one. */
  step?: number;
  exchange?: Exchange;
}

/** A webhook as it arrived. */
export interface Delivery {
  at: string;
  id: string;
  status: string;
  headers: [name: string, value: string][];
  body: string;
  /** The reason of a refusal. */
  refusal?: string;
  /** One with this ID was accepted before. */
  isRepeated: boolean;
}

/** The state of the play. */
export interface Progress {
  /** Completed steps. */
  step: number;
  log: readonly Entry[];
  deliveries: readonly Delivery[];
  id?: string;
  /** The statuses that the transaction has had. */
  path: readonly string[];
  reason?: string;
  /** The customer of the creation is one whose transactions are declined with this code. */
  customer?: string;
  /** The problem with the last action, which was carried out unless it was refused. */
  trouble?: string;
  isRefused?: boolean;
  isOver: boolean;
}

export interface WalkthroughRun {
  readonly service: Service;
  readonly sandbox: Sandbox;
  /** Resolves with the progress after the action. */
  perform(action: Action): Promise<Progress>;
  close(): Promise<void>;
}

export const BLANK: Progress = { step: 0, log: [], deliveries: [], path: [], isOver: false };

/** The time after each action, in which what is due happens: settlement, and the first retry of a webhook with its jitter. */
const PAUSE = '6s';
const HOUR_MS = 3_600_000;
const DELIVERIES_MAX = 200;
const FAILED = 'FAILED';

interface Props {
  readonly walkthrough: Walkthrough;
  readonly seed: string;
  readonly access: Access & { fetch: typeof fetch };
  readonly sandbox: Sandbox;
}

/** Starts a sandbox at the walkthrough's time, with its wallets. */
export async function runWalkthrough(start: Start, walkthrough: Walkthrough, seed: string): Promise<WalkthroughRun> {
  const { kind, method, now, available } = walkthrough;
  const deliveries: Delivery[] = [];
  let receive: ((request: Request) => Promise<Delivery>) | undefined;
  const page = await start({
    seed,
    // The clock can be frozen at a later time only.
    now: new Date(Date.parse(now) - HOUR_MS),
    async onWebhook(request) {
      const delivery = await receive?.(request);
      if (delivery && deliveries.push(delivery) > DELIVERIES_MAX) deliveries.shift();
      return new Response(null, { status: delivery?.refusal ? 401 : 204 });
    },
  });
  const { key, secret } = await page.addMerchant({ available });
  const access = { baseUrl: page.url, apiKey: key, fetch: page.fetch };
  const service = serviceAt(access);
  const sandbox = createSandboxClient(service, access);
  receive = (request) => readDelivery(request, { walkthrough, sandbox, secret, deliveries });
  required(await sandbox.call('/clock/freeze', { at: now }));
  required(await sandbox.call('/clock/signatures', { time: 'merchant' }));
  required(await sandbox.call(`/channels/${kind}/${method}`, { condition: 'manual' }, 'PUT'));
  const props: Props = { walkthrough, seed, access, sandbox };
  let progress = BLANK;
  return {
    ...{ service, sandbox },
    async perform(action) {
      const { trouble: _, isRefused: __, ...before } = progress;
      const after = await carryOut(action, before, props);
      await sandbox.advance(PAUSE);
      progress = { ...(await withTransaction(after, props)), deliveries: [...deliveries] };
      return progress;
    },
    close: () => page.close(),
  };
}

/** The progress after an action, without what follows from it in the sandbox. */
async function carryOut(action: Action, progress: Progress, props: Props): Promise<Progress> {
  const [verb, object = ''] = splitAction(action);
  if (action === NEXT)
    return progress.isOver ? refused(progress, 'The walkthrough is over.') : takeStep(progress, props);
  if (verb === 'later') return after(progress, `${object} later`, await props.sandbox.advance(object));
  if (verb === 'fault') {
    const { label = '', path = '', rule } = FAULTS[object] ?? {};
    return after(progress, label, await props.sandbox.call(path, rule));
  }
  const { kind } = props.walkthrough;
  if (verb === 'decline') {
    const title = `The ${kind} is declined: ${object}`;
    if (progress.id === undefined) return { ...logged(progress, { title }), customer: object };
    return after(progress, title, await simulate(progress, props, verb, { decline_reason: object }));
  }
  if (progress.id === undefined) return refused(progress, `There is no ${kind} yet.`);
  return after(progress, `Simulated: ${action.replaceAll('-', ' ')}`, await simulate(progress, props, action));
}

function logged(progress: Progress, entry: Entry): Progress {
  return { ...progress, log: [...progress.log, entry] };
}

function refused(progress: Progress, trouble: string): Progress {
  return { ...progress, trouble, isRefused: true };
}

function after(progress: Progress, title: string, { problem }: Outcome): Progress {
  return problem === undefined ? logged(progress, { title }) : refused(progress, problem);
}

function simulate({ id = '' }: Progress, { walkthrough, sandbox }: Props, event: string, body: JsonObject = {}) {
  return sandbox.simulate(`${walkthrough.kind}s`, id, event, body);
}

/** Takes the next step. Without a success it remains the next one. */
async function takeStep(progress: Progress, props: Props): Promise<Progress> {
  const step = props.walkthrough.steps[progress.step] as WalkthroughStep;
  const entry: Entry = { title: step.title, step: progress.step + 1 };
  // It is refused if the reader has simulated it before.
  if (step.event) await simulate(progress, props, step.event);
  let exchange = await send(step, progress, props);
  if (step.awaits && isSuccess(exchange) && (exchange?.json as JsonObject | undefined)?.['status'] !== step.awaits) {
    // The service's actions. The status shows which of them can no longer happen.
    const [event] = Object.entries(props.walkthrough.events).find(([, status]) => status === step.awaits) ?? [];
    if (event) await simulate(progress, props, event);
    exchange = await send(step, progress, props);
  }
  const next = logged(progress, { ...entry, ...(exchange && { exchange }) });
  if (!isSuccess(exchange)) return { ...next, trouble: describeError(exchange) };
  const id = progress.id ?? (exchange?.json as JsonObject | undefined)?.['transaction_id'];
  return { ...next, step: progress.step + 1, ...(id !== undefined && { id: String(id) }) };
}

/** A step without a request succeeds. */
function isSuccess(exchange: Exchange | undefined): boolean {
  return exchange === undefined || (exchange.status !== undefined && exchange.status < 400);
}

function describeError({ status, json, error }: Exchange = { line: '' }): string {
  if (error !== undefined)
    return `No response: ${error}. The service may have done the work. Send the same request again.`;
  const { title, detail = '' } = json as { title?: string; detail?: string };
  return `${status}: ${title}. ${detail} The step is not done: send the same request again, or go back.`;
}

/** Sends the request of a step, if it has one. */
async function send({ request }: WalkthroughStep, progress: Progress, props: Props): Promise<Exchange | undefined> {
  if (!request) return undefined;
  const { access, seed, walkthrough } = props;
  const values: Record<string, string> = { transaction_id: progress.id ?? '', order_id: `order-${seed}` };
  const fill = (text: string) =>
    text.replace(/\{(transaction_id|order_id)\}/g, (_, name: string) => values[name] ?? '');
  const filled =
    request.body === undefined ? undefined : (JSON.parse(fill(JSON.stringify(request.body))) as JsonObject);
  const customer = progress.customer === undefined ? undefined : walkthrough.declines[progress.customer]?.customer;
  const body = filled && customer && filled['customer'] ? withCustomer(filled, customer) : filled;
  const target = fill(request.target);
  const exchange = { line: `${request.method} ${target}`, ...(body && { body }) };
  const headers = { authorization: `Bearer ${access.apiKey}`, ...(body && { 'content-type': 'application/json' }) };
  const init = { method: request.method, headers, ...(body && { body: JSON.stringify(body) }) };
  try {
    const response = await access.fetch(new Request(access.baseUrl + target, init));
    return { ...exchange, status: response.status, json: (await response.json()) as Json };
  } catch (error) {
    return { ...exchange, error: (error as Error).message };
  }
}

function withCustomer(body: JsonObject, id: string): JsonObject {
  return { ...body, customer: { ...(body['customer'] as JsonObject), id } };
}

/** The progress with the state of its transaction. */
async function withTransaction(progress: Progress, { walkthrough, sandbox }: Props): Promise<Progress> {
  const { kind, steps } = walkthrough;
  const isDone = progress.step === steps.length;
  if (progress.id === undefined) return { ...progress, isOver: isDone };
  const { json } = required(await sandbox.inspect(`${kind}s`, progress.id));
  const statuses: string[] = json.timeline.flatMap(({ status }: { status?: string }) => status ?? []);
  const path = statuses.filter((status, index) => status !== statuses[index - 1]);
  const { status, decline_reason: reason } = json.resource;
  return { ...progress, path, ...(reason && { reason }), isOver: isDone || status === FAILED };
}

interface Receiver extends Pick<Props, 'walkthrough' | 'sandbox'> {
  secret: string;
  deliveries: readonly Delivery[];
}

/** Receives a webhook the way a receiver should: verifies the signature first and recognizes duplicates. */
async function readDelivery(
  request: Request,
  { walkthrough, sandbox, secret, deliveries }: Receiver,
): Promise<Delivery> {
  const { headers } = walkthrough;
  const body = await request.text();
  const header = (name = '') => request.headers.get(name) ?? '';
  const [id, timestamp] = [header(headers.id), header(headers.timestamp)];
  const at: string = required(await sandbox.call('/clock')).json.now;
  const isRecent = Math.abs(Date.parse(at) / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  const isSigned = await hasStandardSignature(header(headers.signatures[0]), { id, timestamp, body }, secret);
  const refusal =
    TIMESTAMP.test(timestamp) && isRecent ? !isSigned && "the signature doesn't match" : 'the timestamp is too old';
  return {
    ...{ at, id, body, headers: [...request.headers] as [string, string][] },
    status: String((JSON.parse(body) as JsonObject)['status']),
    isRepeated: deliveries.some((one) => one.id === id && !one.refusal),
    ...(refusal && { refusal }),
  };
}

function required(outcome: Outcome): Outcome {
  if (outcome.problem !== undefined) throw new Error(outcome.problem);
  return outcome;
}
