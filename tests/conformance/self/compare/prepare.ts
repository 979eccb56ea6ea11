/**
 * The contract for tools that only replay its examples: the transactions that the examples name exist, in the states
 * that they show. They are made in the sound gateway itself, so that no defect keeps a tool from its work.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import { verifyService } from '../../../../conformance/src/run/verify.ts';
import { type Bundle, type Json, type JsonObject, readBundle, resolve } from '../../../../contract/src/model.ts';
import { objectOf } from '../alteration.ts';
import type { Sound, SoundGateway } from '../sound.ts';

export interface Prepared {
  readonly document: Bundle;
  /** A transaction or an order for each parameter, for tools that use one value for all requests. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A merchant whose transactions show what the examples of the reads show. */
export interface Stage {
  readonly sound: Sound;
  prepare(): Promise<Prepared>;
}

const READS = ['getPayment', 'findPayment', 'getPayout'];
const ACTIONS = {
  clarifyPayment: { until: 'EXTRA_DATA_NEEDED', field: 'clarify_data', list: 'clarify' },
  confirmPayment: { until: 'PAY_CONFIRMATION_NEEDED', field: 'confirm_data', list: 'confirm' },
} as const;
const CREATIONS = ['createPayment', 'createPayout'];
const POLL_MS = 20;
const POLLS_MAX = 500;

/** Takes transactions to the states of the examples once; the actions get new ones for each service. */
export async function openStage(gateway: SoundGateway): Promise<Stage> {
  const sound = await gateway.merchants();
  const { url: baseUrl, key, secret } = sound;
  const { journal } = await verifyService({ baseUrl, key, secret, driver: 'gateway', only: ['replay'] });
  const values = new Map<string, Readonly<Record<string, string>>>();
  for (const { check, call } of journal.exchanges) {
    const { id } = call.operation;
    if (READS.some((read) => read === id && check.startsWith(`replay/${read}/`))) {
      values.set(check, { ...call.path, ...call.query });
    }
  }
  return {
    sound,
    async prepare() {
      const document = readBundle();
      const parameters: Record<string, string> = {};
      for (const operation of operationsOf(document)) {
        const id = operation.operationId ?? '';
        if (CREATIONS.includes(id)) renameOrders(document, operation);
        if (id in ACTIONS) await prepareActions(document, operation, id as keyof typeof ACTIONS, sound);
        for (const parameter of (operation.parameters ?? []).map((one) => resolve(document, one))) {
          for (const [name, example] of Object.entries(parameter.examples ?? {})) {
            const value = values.get(`replay/${id}/${name}`)?.[parameter.name];
            if (value !== undefined) Object.assign(example, { value });
            parameters[`${id} ${parameter.name}`] ??= String(resolve(document, example).value);
          }
        }
      }
      return { document, parameters };
    },
  };
}

type RawOperation = NonNullable<Bundle['paths'][string][string]>;

function operationsOf({ paths }: Bundle): RawOperation[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId !== undefined);
}

/** The examples of a request body, each as a value of its own that may be changed. */
function requestExamples(document: Bundle, { requestBody }: RawOperation): [name: string, value: JsonObject][] {
  const examples = requestBody?.content['application/json']?.examples ?? {};
  return Object.entries(examples).map(([name, example]) => {
    const own = structuredClone(resolve(document, example));
    examples[name] = own;
    return [name, objectOf(own.value)];
  });
}

function renameOrders(document: Bundle, operation: RawOperation): void {
  for (const [, body] of requestExamples(document, operation)) body['merchant_order_id'] = `order-${randomUUID()}`;
}

async function prepareActions(
  document: Bundle,
  operation: RawOperation,
  id: keyof typeof ACTIONS,
  sound: Sound,
): Promise<void> {
  const { until, field, list } = ACTIONS[id];
  const [parameter] = (operation.parameters ?? []).map((one) => resolve(document, one));
  for (const [name, body] of requestExamples(document, operation)) {
    const payment = await waitingPayment(sound, until);
    const asked = (payment[list] as Json[]).map(String);
    body[field] = { ...objectOf(body[field]), ...gatewayDriver.items(asked, payment) };
    Object.assign(parameter?.examples?.[name] ?? {}, { value: payment['transaction_id'] });
  }
}

async function waitingPayment(sound: Sound, until: string): Promise<JsonObject> {
  const body = {
    ...gatewayDriver.payment({ flow: 'h2h', until }),
    ...{ merchant_order_id: `order-${randomUUID()}`, callback_url: 'http://127.0.0.1:9/' },
  };
  let payment = await send(sound, '/payments', { method: 'POST', body: JSON.stringify(body) });
  for (let polls = 0; payment['status'] !== until; polls += 1) {
    if (polls === POLLS_MAX) throw new Error(`the payment stayed in ${payment['status']}; expected ${until}`);
    await pause(POLL_MS);
    payment = await send(sound, `/payments/${payment['transaction_id']}`);
  }
  return payment;
}

async function send({ url, key }: Sound, path: string, init: RequestInit = {}): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { ...init, headers });
  return (await response.json()) as JsonObject;
}
