/**
 * A channel for a provider with an HTTP API: collections of money from customers, transfers to them, signed notifications
 * and a daily statement. Copy it, and change what your provider does differently.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type CallContext,
  type CancelEvent,
  type Channel,
  type ChannelPayment,
  type ChannelPayout,
  type ChannelResponse,
  ChannelUnavailable,
  type InboundNotification,
  type Items,
  type PaymentEvent,
  type PayoutEvent,
  type StatementEntry,
} from 'payments-gateway';

export interface HttpChannelOptions {
  /** Its name in the methods, and in the address of its notifications: `/channels/<name>/notifications`. */
  readonly name: string;
  /** Base URL of the provider's API, without a slash at its end. */
  readonly url: string;
  readonly apiKey: string;
  /** Signs the provider's notifications. */
  readonly notificationSecret: string;
  /** Milliseconds to wait for a response. The gateway itself waits for 4000. Defaults to 3000. */
  readonly timeoutMs?: number;
  /** Milliseconds until an open question is asked again, in case that no notification comes. Defaults to 15000. */
  readonly pollMs?: number;
}

/** Calls in a row that fail before the channel is paused. */
const FAILURES_MAX = 5;
const PAUSE_MS = 5_000;

/** The provider's reasons, as the contract names them. */
const REASONS: Readonly<Record<string, string>> = {
  account_unknown: 'INVALID_ACCOUNT_DETAILS',
  refused_by_bank: 'BANK_REJECTED',
  expired: 'TIMEOUT_EXPIRED',
};

interface Collection {
  readonly state: 'awaiting' | 'paid' | 'refused' | 'cancelled';
  /** The account that the customer pays to. */
  readonly account: string;
  /** In minor units; set once it is paid. */
  readonly paid?: number;
  readonly reason?: string;
}

interface Transfer {
  readonly state: 'processing' | 'paid' | 'refused';
  readonly reason?: string;
}

export function httpChannel(options: HttpChannelOptions): Channel {
  const { name, pollMs = 15_000, notificationSecret } = options;
  const call = providerCalls(options);

  /** Sends the payment, or gets it as it is if the provider has it already: the key makes both the same request. */
  const collect = ({ id, amount, currency, customer }: ChannelPayment, context?: CallContext, items: Items = {}) => {
    const body = { amount, currency, customer: { ...customer, ...items } };
    return call<Collection>('POST', '/collections', { id, context, body });
  };

  async function begin(
    payment: ChannelPayment,
    context?: CallContext,
    items?: Items,
  ): Promise<ChannelResponse<PaymentEvent>> {
    const { state, account, reason } = await collect(payment, context, items);
    if (state === 'paid') return { event: { type: 'found_paid' } };
    if (state !== 'awaiting') return { event: declined(state, reason) };
    // By redirect, the customer says on the payment page that it is paid.
    if (payment.flow === 'redirect') return { askAgainAt: undefined };
    const asked = {
      payData: { receiver_account: account, available_amounts: [payment.amount] },
      confirm: ['tid'],
    };
    return { event: items ? { type: 'clarified', items, ...asked } : { type: 'confirmation_needed', ...asked } };
  }

  function payoutResult({ state, reason }: Transfer, now: number): ChannelResponse<PayoutEvent> {
    if (state === 'paid') return { event: { type: 'succeeded' } };
    if (state === 'processing') return { askAgainAt: now + pollMs };
    return { event: declined(state, reason) };
  }

  return {
    name,
    sandbox: false,

    initiate: (payment, _now, context) => begin(payment, context),

    clarify: (payment, items, _now, context) => begin(payment, context, items),

    async verify(payment, now, context): Promise<ChannelResponse<PaymentEvent>> {
      const { state, paid, reason } = await call<Collection>('GET', `/collections/${payment.id}`, {
        id: payment.id,
        context,
      });
      // The amount that the provider has collected, which can differ from the requested one.
      if (state === 'paid' && paid !== undefined) return { event: { type: 'succeeded', amountPaid: paid } };
      if (state !== 'awaiting') return { event: declined(state, reason) };
      // Before the customer confirms, only a notification is a reason to ask.
      return { askAgainAt: payment.status === 'VERIFYING' ? now + pollMs : undefined };
    },

    async cancel({ id }, _now, context): Promise<ChannelResponse<CancelEvent>> {
      const { state } = await call<Collection>('POST', `/collections/${id}/cancel`, { id, context });
      if (state === 'paid') return { event: { type: 'found_paid' } };
      requireEnded(state);
      return { event: { type: 'cancelled' } };
    },

    async payOut(
      { id, amount, currency, customer }: ChannelPayout,
      now,
      context,
    ): Promise<ChannelResponse<PayoutEvent>> {
      // Repeats the order to query its state. The idempotency key makes this safe even if the first request arrived.
      const transfer = await call<Transfer>('POST', '/transfers', {
        id,
        context,
        body: { amount, currency, customer },
      });
      return payoutResult(transfer, now);
    },

    async verifyPayout({ id }, now, context): Promise<ChannelResponse<PayoutEvent>> {
      return payoutResult(await call<Transfer>('GET', `/transfers/${id}`, { id, context }), now);
    },

    notification: (request) => notifiedId(request, notificationSecret),

    statement: (file) => readStatement(file.toString()),
  };
}

/** Throws unless the provider moves no money. An unknown state doesn't decide: the gateway asks again, and alerts. */
function requireEnded(state: string): void {
  if (state !== 'refused' && state !== 'cancelled')
    throw new Error(`unexpected state in the provider's response: ${state}`);
}

function declined(state: string, reason = ''): { readonly type: 'declined'; readonly reason: string } {
  requireEnded(state);
  return { type: 'declined', reason: REASONS[reason] ?? 'INTERNAL_ERROR' };
}

interface ProviderRequest {
  /** The transaction's, which is the idempotency key. */
  readonly id: string;
  readonly context?: CallContext | undefined;
  readonly body?: object;
}

/**
 * Calls the provider. Throws ChannelUnavailable if the provider certainly did nothing. Any other error leaves the
 * outcome open, and the gateway asks again.
 */
function providerCalls({ url, apiKey, timeoutMs = 3_000 }: HttpChannelOptions) {
  const admit = circuit();
  return async <T>(method: 'GET' | 'POST', path: string, { id, context, body }: ProviderRequest): Promise<T> => {
    const finished = admit();
    const traceparent = context?.traceparent;
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': id,
        // With traces, the provider's spans belong to the payment's.
        ...(traceparent && { traceparent }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: Error & { cause?: { code?: string } }) => {
      finished(false);
      if (error.cause?.code === 'ECONNREFUSED') throw new ChannelUnavailable('CHANNEL_DOWN', { cause: error });
      throw error;
    });
    finished(response.status < 500);
    if (await isRefusal(response)) throw new ChannelUnavailable('CHANNEL_OVERLOADED');
    if (!response.ok) throw new Error(`the provider responded with ${response.status} to ${method} ${path}`);
    return (await response.json()) as T;
  };
}

/**
 * Whether the provider has documented that it hasn't processed such a request. Any other response can follow one that it
 * has processed, even a 503, for example from a proxy in front of the provider.
 */
async function isRefusal(response: Response): Promise<boolean> {
  if (response.status !== 429) return false;
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: unknown };
  return error === 'not_processed';
}

/**
 * A circuit breaker. While it is open, it throws ChannelUnavailable, so that payments are declined at once instead of
 * waiting for a provider that is down. The first call after a pause tries again.
 */
function circuit(): () => (succeeded: boolean) => void {
  let failures = 0;
  let pausedUntil = 0;
  return () => {
    if (Date.now() < pausedUntil) throw new ChannelUnavailable('CHANNEL_DOWN');
    return (succeeded) => {
      failures = succeeded ? 0 : failures + 1;
      if (failures >= FAILURES_MAX) pausedUntil = Date.now() + PAUSE_MS;
    };
  };
}

/** `X-Signature` is the HMAC-SHA256 of the body, in hex. The gateway believes only the id, so a replay does no harm. */
function notifiedId({ headers, body }: InboundNotification, secret: string): string | undefined {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(String(headers['x-signature']), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  try {
    const { reference } = JSON.parse(new TextDecoder().decode(body)) as { reference?: unknown };
    return typeof reference === 'string' ? reference : undefined;
  } catch {
    return undefined;
  }
}

/** A CSV with a line for each movement of money: `reference,amount,currency`. */
function readStatement(text: string): StatementEntry[] {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  if (head !== 'reference,amount,currency') throw new Error('not a statement: it begins with another line');
  return lines.map((line, index) => {
    const [transactionId = '', amount = '', currency = ''] = line.split(',');
    if (!/^\d+$/.test(amount)) throw new Error(`line ${index + 2} has no amount in minor units: ${line}`);
    return { transactionId, amount: Number(amount), currency };
  });
}
