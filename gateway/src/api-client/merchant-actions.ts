/** Operations of the sandbox and the management API as methods: `payments.decline(id, 'LIMIT_EXCEEDED')`, `clock.advance('2h')`. */
import type {
  Event,
  EventList,
  LoggedRequest,
  Merchant,
  Replayed,
  RequestList,
  TransactionDetails,
  TransactionList,
} from '../../../generated/management/types.ts';
import type {
  Balance,
  Channel,
  ChannelList,
  ChaosList,
  ChaosRequest,
  ChaosRule,
  Clock,
  Condition,
  Payment,
  Payout,
  SampleResults,
  SignedEvent,
  WebhookFaultList,
  WebhookFaultRequest,
  WebhookFaultRule,
} from '../../../generated/sandbox/types.ts';
import {
  type Access,
  type ApiCall,
  type BodyOf,
  type CallApi,
  callManagement,
  callSandbox,
  type OperationId,
} from './client.ts';

type Kind = 'payment' | 'payout';

type Call = CallApi<'sandbox'>;
type Manage = CallApi<'management'>;
type CurrencyName = ApiCall<'sandbox', 'fundWallet'>['path'] extends infer P | undefined
  ? P extends { currency: infer C }
    ? C
    : never
  : never;

/** The query of a list of transactions, with the statuses that they can have. */
type Filter<Id extends OperationId<'management'>, Status> = Omit<
  NonNullable<ApiCall<'management', Id>['query']>,
  'status'
> & {
  readonly status?: Status;
};

const of = (transaction_id: string) => ({ transaction_id });

/** Methods for a merchant's key. Each throws an ApiError with the reason. */
export function createMerchantActions(access: Access) {
  const call: Call = (id, options) => callSandbox(access, id, options);
  const manage: Manage = (id, options) => callManagement(access, id, options);
  return {
    ...transactionActions(call, manage),
    ...environmentActions(call),
    ...faultActions(call),
    ...webhookActions(call, manage),
    /** Deletes the merchant's transactions, events and settings. Key and secret stay. */
    reset: (): Promise<Merchant> => call('resetMerchant'),
  };
}

export type MerchantActions = ReturnType<typeof createMerchantActions>;

function transactionActions(call: Call, manage: Manage) {
  return {
    payments: {
      /** Newest first. */
      list: (query: Filter<'listPayments', Payment['status']> = {}): Promise<TransactionList> =>
        manage('listPayments', { query }),
      /** The payment with its history. */
      inspect: (id: string): Promise<TransactionDetails> => manage('getPayment', { path: of(id) }),
      /** CREATED → EXTRA_DATA_NEEDED. */
      askForData: (id: string, ...items: string[]): Promise<Payment> =>
        call('askForPaymentData', { path: of(id), body: { items } }),
      /** CREATED or EXTRA_DATA_NEEDED → PAY_CONFIRMATION_NEEDED. Amounts are in minor units. */
      askForConfirmation: (id: string, ...amounts: number[]): Promise<Payment> =>
        call('askForPaymentConfirmation', {
          path: of(id),
          body: amounts.length > 0 ? { available_amounts: amounts } : {},
        }),
      /** CREATED or PAY_CONFIRMATION_NEEDED → VERIFYING. */
      pay: (id: string): Promise<Payment> => call('payPayment', { path: of(id) }),
      /** VERIFYING → SUCCESS. The amount is in minor units; by default what was confirmed or requested. */
      succeed: (id: string, amountPaid?: number): Promise<Payment> =>
        call('succeedPayment', { path: of(id), body: amountPaid === undefined ? {} : { amount_paid: amountPaid } }),
      /** → FAILED, for any reason. */
      decline: (id: string, reason: BodyOf<'sandbox', 'declinePayment'>['decline_reason']): Promise<Payment> =>
        call('declinePayment', { path: of(id), body: { decline_reason: reason } }),
      /** → FAILED with TIMEOUT_EXPIRED. */
      expire: (id: string): Promise<Payment> => call('expirePayment', { path: of(id) }),
    },
    payouts: {
      /** Newest first. */
      list: (query: Filter<'listPayouts', Payout['status']> = {}): Promise<TransactionList> =>
        manage('listPayouts', { query }),
      /** The payout with its history. */
      inspect: (id: string): Promise<TransactionDetails> => manage('getPayout', { path: of(id) }),
      /** PROCESSING → SUCCESS. */
      succeed: (id: string): Promise<Payout> => call('succeedPayout', { path: of(id) }),
      /** PROCESSING → FAILED, for any reason. */
      decline: (id: string, reason: BodyOf<'sandbox', 'declinePayout'>['decline_reason']): Promise<Payout> =>
        call('declinePayout', { path: of(id), body: { decline_reason: reason } }),
    },
  };
}

function environmentActions(call: Call) {
  return {
    clock: {
      read: (): Promise<Clock> => call('getClock'),
      /** By a duration such as `30s`, `15m`, `2h` or `3d`, or to a time. What becomes due on the way happens in order. */
      advance: (to: string | Date): Promise<Clock> =>
        call('advanceClock', { body: to instanceof Date ? { to: to.toISOString() } : { by: to } }),
      /** Now, or at a later time. */
      freeze: (at?: Date): Promise<Clock> => call('freezeClock', { body: at ? { at: at.toISOString() } : {} }),
      /** Back to the real time. What waits for a later time still waits for it. */
      release: (): Promise<Clock> => call('releaseClock'),
      /** Dates webhook signatures with the `merchant`'s clock, or with the `real` time, which is the default. */
      signWith: (time: BodyOf<'sandbox', 'setSignatureTime'>['time']): Promise<Clock> =>
        call('setSignatureTime', { body: { time } }),
    },
    channels: {
      list: (): Promise<ChannelList> => call('listChannels'),
      /** The condition of a method's channel: up, down, overloaded, slow, lost_response or manual. */
      set: (kind: Kind, method: string, condition: Condition, delay?: string): Promise<Channel> =>
        call('setChannel', { path: { kind, method }, body: { condition, ...(delay !== undefined && { delay }) } }),
    },
    wallets: {
      /** Adds to the available balance, in minor units. */
      fund: (currency: CurrencyName, amount: number): Promise<Balance> =>
        call('fundWallet', { path: { currency }, body: { amount } }),
      /** Takes from the available balance, in minor units. Defaults to all of it. */
      drain: (currency: CurrencyName, amount?: number): Promise<Balance> =>
        call('drainWallet', { path: { currency }, body: amount === undefined ? {} : { amount } }),
    },
    customers: {
      /** Their transactions are declined from now on; with KYC_BLOCKED unless another reason is given. */
      block: (customer_id: string, reason?: string): Promise<undefined> =>
        call('blockCustomer', { path: { customer_id }, body: reason === undefined ? {} : { decline_reason: reason } }),
      unblock: (customer_id: string): Promise<undefined> => call('unblockCustomer', { path: { customer_id } }),
      /** Counts an amount against the limits of today and this month; by default the limit of a day. */
      useLimits: (customer_id: string, kind: Kind, method: string, amount?: number): Promise<undefined> =>
        call('useCustomerLimits', {
          path: { customer_id },
          body: { kind, method, ...(amount !== undefined && { amount }) },
        }),
    },
  };
}

function faultActions(call: Call) {
  return {
    chaos: {
      list: (): Promise<ChaosList> => call('listChaos'),
      /** Lets requests go wrong until the rule ends, or `clear()`. */
      add: (rule: ChaosRequest): Promise<ChaosRule> => call('addChaos', { body: rule }),
      clear: (): Promise<undefined> => call('clearChaos'),
    },
    webhookFaults: {
      list: (): Promise<WebhookFaultList> => call('listWebhookFaults'),
      /** Lets webhooks go wrong until the rule ends, or `clear()`. */
      add: (rule: WebhookFaultRequest): Promise<WebhookFaultRule> => call('addWebhookFault', { body: rule }),
      clear: (): Promise<undefined> => call('clearWebhookFaults'),
    },
  };
}

function webhookActions(call: Call, manage: Manage) {
  return {
    events: {
      /** Newest first. */
      list: (query: ApiCall<'management', 'listEvents'>['query'] = {}): Promise<EventList> =>
        manage('listEvents', { query }),
      /** The event with every attempt to deliver it. */
      read: (event_id: string): Promise<Event> => manage('getEvent', { path: { event_id } }),
      /** The request that delivers it, signed now. */
      sign: (event_id: string): Promise<SignedEvent> => call('signEvent', { path: { event_id } }),
      resend: (event_id: string): Promise<Event> => manage('resendEvent', { path: { event_id } }),
      /** All events since a time, or all undelivered ones. */
      replay: (since?: Date): Promise<Replayed> =>
        manage('replayEvents', {
          body: { since: (since ?? new Date(0)).toISOString(), state: since ? 'all' : 'undelivered' },
        }),
      /** An example of each event of the contract, or of the named ones. */
      sendSamples: (url: string, ...events: string[]): Promise<SampleResults> =>
        call('sendSampleEvents', { body: { url, ...(events.length > 0 && { events }) } }),
    },
    requests: {
      /** Newest first. */
      list: (query: ApiCall<'management', 'listRequests'>['query'] = {}): Promise<RequestList> =>
        manage('listRequests', { query }),
      read: (request_id: string): Promise<LoggedRequest> => manage('getRequest', { path: { request_id } }),
    },
  };
}
