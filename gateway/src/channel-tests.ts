/** `payments-gateway/channel-tests`: tests of a channel for vitest. They check everything that the gateway relies on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { throwOnOldNode } from '../../contract/src/node-version.ts';
import { requestExamples } from '../../generated/examples.ts';
import gatewayPackage from '../package.json' with { type: 'json' };
import {
  type Channel,
  type ChannelResponse,
  ChannelUnavailable,
  type InboundNotification,
} from './channels/channel.ts';
import { requireDefinition } from './channels/definition.ts';
import { withCheckedResults } from './channels/results.ts';
import { contractMethods, withChannel } from './domain/methods.ts';
import { applyPaymentEvent, openPayment } from './domain/payment.ts';
import { openPayout } from './domain/payout.ts';
import type { Items, Payment, Payout } from './domain/transaction.ts';
import { randomIds } from './platform/ids.ts';
import { paymentOrder, payoutOrder } from './transactions/orders.ts';

/** A channel and its backend: the provider's sandbox, or a fake. */
export interface ChannelSetup {
  readonly channel: Channel;
  /** Pays an amount as the customer does it. Omit it for a channel that takes the customer's word that a payment is paid. */
  pay?(payment: Payment, amount: number): Promise<void>;
  /** A notification about the transaction, as the provider sends it. Needed if the channel takes notifications. */
  notify?(transactionId: string): InboundNotification;
  /** Makes the backend carry out the next request, and respond to it with 503. Omit it if the backend can't. */
  failNext?(): Promise<void>;
  /** Customer data and accounts that the provider's sandbox accepts. */
  readonly customers?: {
    readonly payment?: Partial<Payment['customer']>;
    readonly payout?: Partial<Payout['customer']>;
  };
  /** Called after the last test. */
  close?(): Promise<void>;
}

interface ChannelCheck {
  readonly title: string;
  readonly run: (setup: ChannelSetup) => Promise<void>;
  /** The required state of the backend. */
  readonly needs?: 'pay' | 'notify' | 'failNext';
}

const ITEMS: Items = {
  name: 'Asha Rao',
  phone: '+919812345671',
  email: 'asha@example.com',
  account_number: 'asha@bank',
};
/** Between two times that a question is asked which the channel leaves open. */
const PAUSE_MS = 100;
const PAID_MORE = 100;

throwOnOldNode(gatewayPackage);

/** Registers the tests. `open` is called once, before the first of them. */
export function describeChannel(name: string, open: () => Promise<ChannelSetup>): void {
  describe(`the channel ${name}`, () => {
    let setup: ChannelSetup;
    beforeAll(async () => {
      setup = await open();
    });
    afterAll(() => setup?.close?.());
    for (const { title, run, needs } of CHANNEL_CHECKS) {
      it(title, async ({ skip }) => {
        if (needs === 'notify' && !setup.channel.notification) skip('it takes no notifications');
        if (needs === 'pay' && !setup.pay) skip('it takes the word of the customer');
        if (needs === 'failNext' && !setup.failNext) skip('its backend never fails');
        await run(setup);
      });
    }
  });
}

/** Checks of a channel whose results are checked as in the gateway: an invalid one throws. */
const BEHAVIOR: readonly ChannelCheck[] = [
  {
    title: 'starts a payment once, however often it is asked to',
    async run(setup) {
      const payment = newPayment(setup);
      const first = await settled(() => setup.channel.initiate(payment, Date.now()));
      expect(await settled(() => setup.channel.initiate(payment, Date.now()))).toEqual(first);
      expect(accepted(payment, first.event).version).toBe(payment.version + 1);
    },
  },
  {
    title: 'offers amounts in minor units, to an account',
    async run(setup) {
      const { payData } = await askedPayment(setup);
      expect(payData?.receiver_account).toMatch(/./);
      expect(payData?.available_amounts.length).toBeGreaterThan(0);
      for (const amount of payData?.available_amounts ?? [])
        expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
    },
  },
  {
    title: 'does not call a payment paid before it is',
    needs: 'pay',
    async run(setup) {
      const payment = await confirmedPayment(setup);
      const now = Date.now();
      const answer = await setup.channel.verify(payment, now);
      expect(answer).not.toHaveProperty('event');
      if ('askAgainAt' in answer) expect(answer.askAgainAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
    },
  },
  {
    title: 'says what was paid, each time that it is asked',
    async run(setup) {
      const payment = await confirmedPayment(setup);
      const amount = setup.pay ? payment.amount + PAID_MORE : payment.amount;
      await setup.pay?.(payment, amount);
      for (const _ of ['first', 'second']) {
        const answer = await settled(() => setup.channel.verify(payment, Date.now()));
        expect(answer).toEqual({ event: { type: 'succeeded', amountPaid: amount } });
      }
    },
  },
  {
    title: 'finds a payment that was paid and never confirmed',
    needs: 'pay',
    async run(setup) {
      const payment = await askedPayment(setup);
      await setup.pay?.(payment, payment.amount);
      const answer = await settled(() => setup.channel.verify(payment, Date.now()));
      expect(answer.event).toEqual({ type: 'succeeded', amountPaid: payment.amount });
    },
  },
  {
    title: 'cancels a payment, each time that it is asked to',
    async run(setup) {
      const payment = await askedPayment(setup);
      for (const _ of ['first', 'second']) {
        const answer = await settled(() => setup.channel.cancel(payment, Date.now()));
        expect(answer).toEqual({ event: { type: 'cancelled' } });
      }
    },
  },
  {
    title: 'reports no success of a cancelled payment',
    async run(setup) {
      const payment = await askedPayment(setup);
      await settled(() => setup.channel.cancel(payment, Date.now()));
      const answer = await setup.channel.verify(payment, Date.now());
      if ('event' in answer) expect(answer.event.type).not.toBe('succeeded');
    },
  },
  {
    title: 'collects nothing for a payment that it has cancelled',
    needs: 'pay',
    async run(setup) {
      const payment = await askedPayment(setup);
      await settled(() => setup.channel.cancel(payment, Date.now()));
      await setup.pay?.(payment, payment.amount).catch(() => undefined);
      expect(await settled(() => setup.channel.cancel(payment, Date.now()))).toEqual({ event: { type: 'cancelled' } });
    },
  },
  {
    title: 'does not cancel a payment that is paid',
    needs: 'pay',
    async run(setup) {
      const payment = await askedPayment(setup);
      await setup.pay?.(payment, payment.amount);
      expect(await settled(() => setup.channel.cancel(payment, Date.now()))).toEqual({ event: { type: 'found_paid' } });
    },
  },
  {
    title: 'cancels a payment that it has never seen',
    async run(setup) {
      const unseen = newPayment(setup);
      const answer = await settled(() => setup.channel.cancel(unseen, Date.now()));
      expect(answer).toEqual({ event: { type: 'cancelled' } });
    },
  },
  {
    title: 'sends a payout once, however often it is asked to',
    async run(setup) {
      const payout = newPayout(setup);
      for (const _ of ['first', 'second']) {
        const answer = await settled(() => setup.channel.payOut(payout, Date.now()));
        expect(answer).toEqual({ event: { type: 'succeeded' } });
      }
    },
  },
  {
    title: 'leaves the outcome of a payout open after a 503',
    needs: 'failNext',
    async run(setup) {
      const payout = newPayout(setup);
      await setup.failNext?.();
      const first = await setup.channel.payOut(payout, Date.now()).catch((error: unknown) => error);
      expect(first).not.toBeInstanceOf(ChannelUnavailable);
      expect(first).not.toMatchObject({ event: { type: 'declined' } });
      const result = await settled(() => setup.channel.payOut(payout, Date.now()));
      expect(result).toEqual({ event: { type: 'succeeded' } });
    },
  },
  {
    title: 'tells how a payout has ended, and sends none to find out',
    async run(setup) {
      const { channel } = setup;
      const payout = newPayout(setup);
      await settled(() => channel.payOut(payout, Date.now()));
      const answer = await channel.verifyPayout({ ...payout, status: 'SUCCESS' }, Date.now());
      if ('event' in answer) expect(answer.event).toEqual({ type: 'succeeded' });
      const unsent = { ...newPayout(setup), status: 'FAILED' } as const;
      const found = await channel.verifyPayout(unsent, Date.now()).catch(() => undefined);
      expect(found).not.toEqual({ event: { type: 'succeeded' } });
    },
  },
  {
    title: 'knows which transaction a notification is about',
    needs: 'notify',
    async run({ channel, notify }) {
      const { id } = newPayment({ channel });
      if (!notify) throw new Error('The channel takes notifications. Give describeChannel one: notify(transactionId).');
      expect(channel.notification?.(notify(id))).toBe(id);
    },
  },
  {
    title: 'takes no notification that its provider did not send',
    needs: 'notify',
    async run({ channel, notify }) {
      const { id } = newPayment({ channel });
      const genuine = notify?.(id) ?? { headers: {}, body: Buffer.alloc(0) };
      const longer = Buffer.concat([genuine.body, Buffer.from(' ')]);
      const forged = [
        { ...genuine, headers: {} },
        { headers: {}, body: Buffer.alloc(0) },
        { headers: {}, body: Buffer.from('{') },
      ];
      for (const request of forged) expect(channel.notification?.(request)).toBeUndefined();
      // A signature covers the body. A channel whose provider sends only a secret recognizes the request by that.
      expect([undefined, id]).toContain(channel.notification?.({ ...genuine, body: longer }));
    },
  },
];

/** Behavior that the gateway relies on. A check throws if the channel doesn't hold it. */
export const CHANNEL_CHECKS: readonly ChannelCheck[] = [
  {
    title: 'has every call, and a name that can be part of an address',
    run: async ({ channel }) => requireDefinition({ channels: [channel] }),
  },
  ...BEHAVIOR.map(({ run, ...check }) => ({
    ...check,
    run: (setup: ChannelSetup) => run({ ...setup, channel: withCheckedResults(setup.channel) }),
  })),
];

type Settled<E> = Extract<ChannelResponse<E>, { event: E }>;

/** Asks until the channel has decided, as the gateway does. The test's time limit ends it. */
async function settled<E>(ask: () => Promise<ChannelResponse<E>>): Promise<Settled<E>> {
  for (;;) {
    const answer = await ask();
    if ('event' in answer) return answer as Settled<E>;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function newPayment({ channel, customers }: ChannelSetup): Payment {
  const now = Date.now();
  const { body } = requestExamples.createPayment['h2h-upi'];
  const customer = { ...body.customer, ...customers?.payment };
  const id = randomIds.newId('pay', now);
  const methods = withChannel(contractMethods, channel.name);
  const order = paymentOrder({ ...body, merchant_order_id: id, customer });
  return openPayment({ methods, id, merchantId: 10_001, order, now, checkoutToken: '' }).transaction;
}

function newPayout({ channel, customers }: ChannelSetup): Payout {
  const now = Date.now();
  const { body } = requestExamples.createPayout['imps-inr'];
  const id = randomIds.newId('out', now);
  const methods = withChannel(contractMethods, channel.name);
  const order = payoutOrder({ ...body, merchant_order_id: id, customer: { ...body.customer, ...customers?.payout } });
  return openPayout({ methods, id, merchantId: 10_001, order, now, fundsHold: 'held' }).transaction;
}

/** The payment after the event. Throws IllegalMove where the gateway would. */
function accepted(payment: Payment, event: Parameters<typeof applyPaymentEvent>[2]): Payment {
  const methods = withChannel(contractMethods, payment.channel);
  return applyPaymentEvent(methods, { ...payment, unlimited: true }, event, Date.now()).transaction;
}

/** A payment whose customer knows what to pay. */
async function askedPayment(setup: ChannelSetup): Promise<Payment> {
  const payment = newPayment(setup);
  const begun = accepted(payment, (await settled(() => setup.channel.initiate(payment, Date.now()))).event);
  if (begun.status !== 'EXTRA_DATA_NEEDED') return begun;
  return accepted(begun, (await settled(() => setup.channel.clarify(begun, ITEMS, Date.now()))).event);
}

/** A payment whose customer says that it is paid. */
async function confirmedPayment(setup: ChannelSetup): Promise<Payment> {
  return accepted(await askedPayment(setup), { type: 'confirmed', items: { tid: '412345678901' } });
}
