/**
 * What goes wrong with webhooks on purpose. Before the first attempt of an event, the rules that match it are selected and
 * counted, in one unit of work; its later attempts ask no rule that wasn't selected then.
 */
import type { WebhookFaultRule } from '../../../generated/sandbox/types.ts';
import { assignFaultRules, bringForward, type Delivery } from '../store/outbox.ts';
import type { Database } from '../store/store.ts';
import type { DeliveryFaults, DeliveryPlan } from '../webhooks/faults.ts';
import { activeWebhookFaults, type Settings } from './settings.ts';
import type { World } from './world.ts';

/** An event waits this long for the next one of its address, in milliseconds. */
const REORDER_MS = 5_000;
/** Addresses at which an event may be held back at a time. */
const HELD_MAX = 100;

export class WebhookFaults implements DeliveryFaults {
  readonly #world: World;
  readonly #wake: () => void;

  /** Calls `wake` when an event is due that was held back. */
  constructor(world: World, wake: () => void) {
    this.#world = world;
    this.#wake = wake;
  }

  /** What goes wrong with a delivery; undefined, at once, for merchants without rules. */
  planOf(delivery: Delivery): Promise<DeliveryPlan> | undefined {
    const { webhookFaults = [] } = this.#world.of(delivery.merchantId);
    return webhookFaults.length === 0 ? undefined : this.#plan(delivery);
  }

  async #plan(delivery: Delivery): Promise<DeliveryPlan> {
    const selected = delivery.faultRules ?? (await this.#select(delivery));
    const settings = this.#world.of(delivery.merchantId);
    const rules = (settings.webhookFaults ?? []).filter(({ id }) => selected.includes(id));
    const waitUntil = delivery.faultRules === undefined ? this.#waitUntil(delivery, rules, settings) : undefined;
    const faults = rules
      .filter(({ attempts }) => delivery.attempts < attempts)
      .flatMap(({ fault }) => (fault === 'delay' || fault === 'reorder' ? [] : [fault]));
    const onSent = settings.heldBack?.[delivery.address] && (() => this.#release(delivery));
    return { waitUntil, faults, onSent };
  }

  /** Selects and counts the rules that match a new event. Returns their ids. */
  async #select(delivery: Delivery): Promise<readonly string[]> {
    const { merchantId, id, attempts } = delivery;
    const first = (settings: Settings) =>
      attempts > 0 ? [] : activeWebhookFaults(settings).filter((rule) => matches(rule, delivery));
    if (first(this.#world.of(merchantId)).length === 0) return [];
    let selected: readonly WebhookFaultRule[] = [];
    await this.#world.change(merchantId, async (settings, db) => {
      selected = first(settings).filter(({ fault }) => fault !== 'reorder' || mayHold(settings, delivery));
      const ids = selected.map((rule) => rule.id);
      if (!(await assignFaultRules(db, id, ids))) selected = [];
      return selected.length === 0 ? settings : this.#count(settings, selected, delivery);
    });
    return selected.map((rule) => rule.id);
  }

  #count(settings: Settings, selected: readonly WebhookFaultRule[], { merchantId, id, address }: Delivery): Settings {
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
    { heldBack }: Settings,
  ): number | undefined {
    const held = heldBack?.[address];
    const times = rules.flatMap(({ fault, delay_ms: delayMs = 0 }) =>
      fault === 'delay' ? [this.#later(merchantId, delayMs)] : [],
    );
    if (held?.id === id) times.push(held.until);
    return times.length > 0 ? Math.max(...times) : undefined;
  }

  /** Another event of the address was sent, or the one that was held back itself. */
  async #release({ id, merchantId, address }: Delivery): Promise<void> {
    const now = this.#world.storeNow();
    await this.#world.change(merchantId, async (settings, db) => {
      const { [address]: held, ...heldBack } = settings.heldBack ?? {};
      if (!held) return settings;
      if (held.id !== id) await bringForward(db, held.id, held.until, now);
      return { ...settings, heldBack };
    });
    this.#wake();
  }

  /** The store's time that comes so much later for the merchant. */
  #later(merchantId: number, ms: number): number {
    const { now, stored } = this.#world.at(merchantId);
    return stored(now + ms);
  }
}

/** The settings without some of the rules. What was held back is due now. */
export async function withoutWebhookFaults(
  { heldBack = {}, ...settings }: Settings,
  removed: (rule: WebhookFaultRule) => boolean,
  db: Database,
  now: number,
): Promise<Settings> {
  for (const { id, until } of Object.values(heldBack)) await bringForward(db, id, until, now);
  return { ...settings, webhookFaults: (settings.webhookFaults ?? []).filter((rule) => !removed(rule)) };
}

function matches({ address, transaction_id: transactionId }: WebhookFaultRule, delivery: Delivery): boolean {
  return (
    (address === undefined || address === delivery.address) &&
    (transactionId === undefined || transactionId === delivery.transactionId)
  );
}

/** The event after one that is held back goes before it. */
function mayHold({ heldBack = {} }: Settings, { address }: Delivery): boolean {
  return heldBack[address] === undefined && Object.keys(heldBack).length < HELD_MAX;
}
