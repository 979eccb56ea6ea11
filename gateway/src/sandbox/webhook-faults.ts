/**
 * Faults of webhooks. Before the first attempt of an event, the matching rules are selected and counted in one unit of
 * work. Later attempts use only the selected rules.
 */
import type { WebhookFaultRule } from '../../../generated/sandbox/types.ts';
import { text } from '../database/row-mapper.ts';
import type { Database, Store } from '../database/store.ts';
import { expiredSecret } from '../merchants/signing-secrets.ts';
import { importKey, type SecretKey } from '../platform/crypto.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { DeliveryInterceptor, InterceptedAttempt, InterceptorParts } from '../webhooks/delivery-interceptor.ts';
import { type AddressedMessage, createSendMessage, type SentMessage } from '../webhooks/message.ts';
import { type Delivery, toEventId } from '../webhooks/outbox.ts';
import type { SendResult } from '../webhooks/retries.ts';
import { readWireFormat, signingKey } from '../webhooks/signature.ts';
import { createSign, type KeyCache, type Sign, Unsigned } from '../webhooks/signer.ts';
import { makeDue } from './merchant-due.ts';
import type { SandboxState } from './sandbox-state.ts';
import { activeWebhookFaults, type HeldEvent, readClock, type SandboxSettings } from './settings.ts';

/** An event waits this long for the next one of its address, in milliseconds. */
const REORDER_MS = 5_000;
/** Addresses at which an event may be held back at a time. */
const HELD_MAX = 100;

/** Faults of an attempt. */
interface Plan {
  readonly faults: readonly AttemptFault[];
  /** Called when the endpoint has responded, or hasn't in time. */
  readonly onSent: (() => Promise<void>) | undefined;
}

export class WebhookFaults implements DeliveryInterceptor {
  readonly #sandboxState: SandboxState;
  readonly #store: Store;
  readonly #wake: () => void;
  readonly #sendFaulty: ReturnType<typeof faultySender>;
  /** Selected faults of claimed, unsent deliveries. */
  readonly #plans = new WeakMap<Delivery, Plan>();

  /** Calls `wake` when a held-back event becomes due. */
  constructor(sandboxState: SandboxState, wake: () => void, parts: InterceptorParts) {
    this.#sandboxState = sandboxState;
    this.#store = parts.store;
    this.#wake = wake;
    this.#sendFaulty = faultySender(parts);
  }

  /** Undefined at once for merchants without rules. */
  heldUntil(delivery: Delivery): Promise<number | undefined> | undefined {
    const { webhookFaults = [] } = this.#sandboxState.of(delivery.merchantId);
    return webhookFaults.length === 0 ? undefined : this.#plan(delivery);
  }

  send(delivery: Delivery): Promise<InterceptedAttempt> | undefined {
    const plan = this.#plans.get(delivery);
    return plan && this.#send(delivery, plan);
  }

  async #send(delivery: Delivery, { faults, onSent }: Plan): Promise<InterceptedAttempt> {
    const { sent, sendFurther } = await this.#sendFaulty({ ...delivery, id: toEventId(delivery) }, faults);
    return {
      sent,
      sendFurther: async () => {
        const further = (await sendFurther?.()) ?? [];
        await onSent?.();
        return further;
      },
    };
  }

  async #plan(delivery: Delivery): Promise<number | undefined> {
    const before = await selectedFaults(this.#store.read, delivery.id);
    const selected = before ?? (await this.#select(delivery));
    const settings = this.#sandboxState.of(delivery.merchantId);
    const rules = (settings.webhookFaults ?? []).filter(({ id }) => selected.includes(id));
    const faults = rules
      .filter(({ attempts }) => delivery.attempts < attempts)
      .flatMap(({ fault }) => (fault === 'delay' || fault === 'reorder' ? [] : [fault]));
    const onSent = settings.heldBack?.[delivery.address] && (() => this.#release(delivery));
    if (faults.length > 0 || onSent) this.#plans.set(delivery, { faults, onSent });
    return before === undefined ? this.#waitUntil(delivery, rules, settings) : undefined;
  }

  /** Selects and counts the rules that match a new event. Returns their ids. */
  async #select(delivery: Delivery): Promise<readonly string[]> {
    const { merchantId, id, attempts } = delivery;
    const first = (settings: SandboxSettings) =>
      attempts > 0 ? [] : activeWebhookFaults(settings).filter((rule) => matches(rule, delivery));
    if (first(this.#sandboxState.of(merchantId)).length === 0) return [];
    let selected: readonly WebhookFaultRule[] = [];
    await this.#sandboxState.change(merchantId, async (settings, db) => {
      selected = first(settings).filter(({ fault }) => fault !== 'reorder' || mayHold(settings, delivery));
      const ids = selected.map((rule) => rule.id);
      if (!(await selectFaults(db, id, ids))) selected = [];
      return selected.length === 0 ? settings : this.#count(settings, selected, delivery);
    });
    return selected.map((rule) => rule.id);
  }

  #count(
    settings: SandboxSettings,
    selected: readonly WebhookFaultRule[],
    { merchantId, id, address }: Delivery,
  ): SandboxSettings {
    const webhookFaults = (settings.webhookFaults ?? []).map((rule) =>
      selected.includes(rule) && rule.events_left !== undefined ? { ...rule, events_left: rule.events_left - 1 } : rule,
    );
    const held = selected.some(({ fault }) => fault === 'reorder');
    const until = this.#later(merchantId, REORDER_MS);
    return {
      ...settings,
      webhookFaults,
      ...(held && { heldBack: { ...settings.heldBack, [address]: { id, until } } }),
    };
  }

  #waitUntil(
    { id, merchantId, address }: Delivery,
    rules: readonly WebhookFaultRule[],
    { heldBack }: SandboxSettings,
  ): number | undefined {
    const held = heldBack?.[address];
    const times = rules.flatMap(({ fault, delay_ms: delayMs = 0 }) =>
      fault === 'delay' ? [this.#later(merchantId, delayMs)] : [],
    );
    if (held?.id === id) times.push(held.until);
    return times.length > 0 ? Math.max(...times) : undefined;
  }

  /** Another event for the address was sent, or the held-back one itself. */
  async #release({ id, merchantId, address }: Delivery): Promise<void> {
    const now = this.#sandboxState.storeNow();
    await this.#sandboxState.change(merchantId, async (settings, db) => {
      const { [address]: held, ...heldBack } = settings.heldBack ?? {};
      if (!held) return settings;
      if (held.id !== id) await release(db, held, settings, now);
      return { ...settings, heldBack };
    });
    this.#wake();
  }

  /** The time that comes so much later for the merchant. */
  #later(merchantId: number, ms: number): number {
    return this.#sandboxState.at(merchantId).now + ms;
  }
}

/** The settings without some of the rules. What was held back is due now. */
export async function withoutWebhookFaults(
  { heldBack = {}, ...settings }: SandboxSettings,
  removed: (rule: WebhookFaultRule) => boolean,
  db: Database,
  now: number,
): Promise<SandboxSettings> {
  for (const held of Object.values(heldBack)) await release(db, held, settings, now);
  return { ...settings, webhookFaults: (settings.webhookFaults ?? []).filter((rule) => !removed(rule)) };
}

function release(db: Database, { id, until }: HeldEvent, { clock }: SandboxSettings, now: number): Promise<void> {
  return makeDue(db, id, readClock(clock, now).toStoreTime(until), now);
}

function matches({ address, transaction_id: transactionId }: WebhookFaultRule, delivery: Delivery): boolean {
  return (
    (address === undefined || address === delivery.address) &&
    (transactionId === undefined || transactionId === delivery.transactionId)
  );
}

/** The next event is sent before a held-back one. */
function mayHold({ heldBack = {} }: SandboxSettings, { address }: Delivery): boolean {
  return heldBack[address] === undefined && Object.keys(heldBack).length < HELD_MAX;
}

/** Ids of the rules selected for a delivery, or undefined before the selection. */
async function selectedFaults(db: Database, deliveryId: string): Promise<readonly string[] | undefined> {
  const row = await db.get('select rules from webhook_fault_selections where event_id = ?', deliveryId);
  return row && text('rules')(row).split(' ');
}

/** Selects rules for a delivery. Returns false if they were selected already, or the delivery is gone. */
export async function selectFaults(db: Database, deliveryId: string, rules: readonly string[]): Promise<boolean> {
  const selected = await db.run(
    `insert into webhook_fault_selections (event_id, rules) select id, cast(? as text) from events where id = ?
     on conflict (event_id) do nothing`,
    rules.join(' '),
    deliveryId,
  );
  return selected === 1;
}

/** A fault of a single attempt. */
type AttemptFault = Exclude<WebhookFaultRule['fault'], 'delay' | 'reorder'>;

/** Far outside the tolerance of receivers. */
const STALE_MS = 3_600_000;
const KEY_BYTES = 32;
const DROPPED: SendResult = { failure: 'not sent: dropped by a webhook fault' };

function faultySender(parts: InterceptorParts) {
  const { connections, timers } = parts;
  return async (message: AddressedMessage, faults: readonly AttemptFault[]): Promise<InterceptedAttempt> => {
    const dropped = faults.includes('drop');
    const send = dropped ? async () => DROPPED : connections.send;
    const { headers, ...made } = await createSendMessage(parts, wrongSign(parts, faults), send, timers)(message);
    const fault = faults.find((one) => one !== 'duplicate');
    if (!headers || dropped) return { sent: { ...made, fault } };
    const repeat = async (): Promise<readonly SentMessage[]> => {
      const sendAgain = createSendMessage(parts, async () => ({ ...headers }), connections.send, timers);
      return [{ ...(await sendAgain(message)), fault: 'duplicate' }];
    };
    return { sent: { ...made, headers, fault }, sendFurther: faults.includes('duplicate') ? repeat : undefined };
  };
}

/** Signs as the delivery does, but with another time, other keys, or without signatures. */
function wrongSign(parts: InterceptorParts, faults: readonly AttemptFault[]): Sign {
  const { time, bundle } = parts;
  const stale: Pick<MerchantTime, 'signedAt'> = { signedAt: (id) => time.signedAt(id) - STALE_MS };
  const sign = createSign(faults.includes('stale_timestamp') ? stale : time, bundle, wrongKeys(parts, faults));
  if (!faults.includes('missing_signature')) return sign;
  const { signatures } = readWireFormat(bundle);
  return async (message) => {
    const headers = await sign(message);
    if (!(headers instanceof Unsigned)) for (const name of signatures) delete headers[name];
    return headers;
  };
}

function wrongKeys(parts: InterceptorParts, faults: readonly AttemptFault[]): Pick<KeyCache, 'get'> {
  const { keys } = parts;
  const wrong = faults.includes('wrong_signature')
    ? unknownKey
    : faults.includes('rotated_secret')
      ? endedKey
      : undefined;
  if (!wrong) return keys;
  return {
    // These faults also require a secret.
    get: async (merchantId) => ((await keys.get(merchantId)).length === 0 ? [] : [await wrong(parts, merchantId)]),
  };
}

async function unknownKey({ ids }: InterceptorParts, merchantId: number): Promise<SecretKey> {
  return importKey(ids.bytes(KEY_BYTES, 'wrong key', merchantId));
}

/** The key of the secret that a rotation has ended. Without one, an unknown key. */
async function endedKey(parts: InterceptorParts, merchantId: number): Promise<SecretKey> {
  const { store, time } = parts;
  const secret = await expiredSecret(store.read, merchantId, time.at(merchantId).now);
  return secret === undefined ? unknownKey(parts, merchantId) : signingKey(secret);
}
