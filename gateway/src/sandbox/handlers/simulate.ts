/** Simulates customers, banks and channels on demand. */
import type {
  AskForConfirmationRequest,
  AskForDataRequest,
  DeclinePaymentRequest,
  SucceedPaymentRequest,
} from '../../../../generated/sandbox/types.ts';
import type { Database } from '../../database/store.ts';
import { IllegalMove, type PaymentEvent, type PayoutEvent } from '../../domain/events.ts';
import { findMethod, type Methods } from '../../domain/methods.ts';
import { applyPaymentEvent } from '../../domain/payment.ts';
import { applyPayoutEvent } from '../../domain/payout.ts';
import { isDue } from '../../domain/schedule.ts';
import type { Payment, Payout, Step, Transaction } from '../../domain/transaction.ts';
import { ProblemError } from '../../http/problems.ts';
import { readRemainingCapacity } from '../../ledger/wallets.ts';
import type { Merchant } from '../../merchants/merchants.ts';
import { advanceTransaction, retryOnConflict } from '../../transactions/advance.ts';
import { commitStep } from '../../transactions/commit-step.ts';
import { type OfKind, transactionById } from '../../transactions/rows.ts';
import { viewPayment, viewPayout } from '../../transactions/view.ts';
import type { SandboxServices } from '../operation.ts';

/** Applies a simulation event to a transaction. Throws IllegalMove if it is not legal. */
type Simulation<T extends Transaction, Body> = (transaction: T, body: Body, now: number, methods: Methods) => Step<T>;

/** Named in the history as the cause of simulated steps. */
const BY = 'simulation';

const event =
  <Body>(make: (payment: Payment, body: Body, methods: Methods) => PaymentEvent): Simulation<Payment, Body> =>
  (payment, body, now, methods) =>
    applyPaymentEvent(methods, payment, make(payment, body, methods), now, BY);

const declined = { type: 'declined' } as const;

/** By the last part of the operation's path. */
export const PAYMENT_SIMULATIONS = {
  'ask-for-data': event<AskForDataRequest>((_payment, { items }) => ({ type: 'clarification_needed', items })),
  'ask-for-confirmation': event<AskForConfirmationRequest>((payment, { available_amounts }, methods) => {
    const payData = {
      receiver_account: payment.payData?.receiver_account ?? `collect@${payment.channel}`,
      available_amounts: available_amounts ?? [payment.amount],
    };
    const asked = { payData, confirm: findMethod(methods, 'payment', payment.method)?.confirm ?? [] };
    return payment.status === 'EXTRA_DATA_NEEDED'
      ? { type: 'clarified', items: payment.clarifying ?? {}, ...asked }
      : { type: 'confirmation_needed', ...asked };
  }),
  pay: event<object>(({ flow, status }) => {
    // The customer has no account to pay to yet.
    if (status === 'EXTRA_DATA_NEEDED') throw new IllegalMove(status, 'found_paid');
    return flow === 'redirect' ? { type: 'paid', items: {} } : { type: 'found_paid' };
  }),
  succeed: event<SucceedPaymentRequest>((payment, { amount_paid }) => ({
    type: 'succeeded',
    amountPaid: amount_paid ?? Number(payment.supplied['amount'] ?? payment.amount),
  })),
  decline: event<DeclinePaymentRequest>((_payment, { decline_reason }) => ({ ...declined, reason: decline_reason })),
  expire: (payment: Payment, _body: object, now: number, methods: Methods) => {
    // In VERIFYING the customer has acted in time.
    if (payment.status === 'VERIFYING') throw new IllegalMove(payment.status, 'expired');
    return applyPaymentEvent(methods, payment, { ...declined, reason: 'TIMEOUT_EXPIRED' }, now, BY);
  },
} as const;

export const PAYOUT_SIMULATIONS = {
  succeed: (payout: Payout, _body: object, now: number) => applyPayoutEvent(payout, { type: 'succeeded' }, now, BY),
  decline: (payout: Payout, { decline_reason }: { decline_reason: string }, now: number) =>
    applyPayoutEvent(payout, { ...declined, reason: decline_reason } satisfies PayoutEvent, now, BY),
} as const;

/** Bodies with which it is tried whether an event is legal. */
const TRIAL = { items: ['name'], decline_reason: 'INTERNAL_ERROR' };

/** Simulation events that are currently legal for a transaction. */
export function legalEvents(methods: Methods, transaction: Transaction, now: number): string[] {
  const simulations = transaction.kind === 'payment' ? PAYMENT_SIMULATIONS : PAYOUT_SIMULATIONS;
  return Object.entries(simulations)
    .filter(([, simulate]) =>
      isLegal(() => (simulate as Simulation<Transaction, object>)(transaction, TRIAL, now, methods)),
    )
    .map(([name]) => name);
}

function isLegal(simulate: () => unknown): boolean {
  try {
    simulate();
    return true;
  } catch (error) {
    if (error instanceof IllegalMove) return false;
    throw error;
  }
}

interface SimulationCall {
  readonly merchant: Merchant;
  readonly parameters: { readonly transaction_id: string };
  readonly body: object;
}

export function simulatePayment(name: keyof typeof PAYMENT_SIMULATIONS) {
  const simulate = PAYMENT_SIMULATIONS[name] as Simulation<Payment, object>;
  return async (services: SandboxServices, call: SimulationCall) =>
    viewPayment(await act(services, call, 'payment', name, simulate));
}

export function simulatePayout(name: keyof typeof PAYOUT_SIMULATIONS) {
  const simulate = PAYOUT_SIMULATIONS[name] as Simulation<Payout, object>;
  return async (services: SandboxServices, call: SimulationCall) =>
    viewPayout(await act(services, call, 'payout', name, simulate));
}

/** The gateway's own due steps come first, so that the event meets the transaction in the state that its merchant expects. */
async function act<K extends Transaction['kind']>(
  services: SandboxServices,
  { merchant, parameters, body }: SimulationCall,
  kind: K,
  name: string,
  simulate: Simulation<OfKind<K>, object>,
): Promise<OfKind<K>> {
  const { store, time, channels, methods } = services;
  const { transaction } = await retryOnConflict(async () => {
    const found = await transactionById(store.read, parameters.transaction_id, { merchantId: merchant.id, kind });
    if (!found) throw new ProblemError('not-found', `No ${kind} of this merchant has this id.`);
    const { now } = time.at(merchant.id);
    if (isDue(found, now)) {
      await advanceTransaction(services, found);
      return undefined;
    }
    if (!channels.find(found.channel)?.sandbox) throw refused(found, name, []);
    let step: Step<OfKind<K>>;
    try {
      step = simulate(found, body, now, methods);
    } catch (error) {
      if (error instanceof IllegalMove) throw refused(found, name, legalEvents(methods, found, now));
      throw error;
    }
    return commitStep(services, step, {
      alone: true,
      async decide(db, decided) {
        await requireRoom(db, decided, legalEvents(methods, found, now));
        return decided;
      },
    });
  });
  return transaction;
}

/** Throws the problem with money that the wallet can't take in. */
async function requireRoom(db: Database, { transaction, entries }: Step, legal: string[]) {
  const { merchantId, currency } = transaction;
  const collected = entries.find(({ from }) => from === 'channel');
  if (!collected) return;
  const room = await readRemainingCapacity(db, merchantId, currency);
  if (collected.amount <= room) return;
  const message = `The ${currency} wallet has room for ${room}, and the payment would add ${collected.amount}.`;
  throw new ProblemError('wrong-state', `${message} Drain it first: POST /sandbox/wallets/${currency}/drain.`, {
    members: { legal_events: legal },
  });
}

function refused({ kind, status }: Transaction, name: string, legal: readonly string[]): ProblemError {
  const instead = legal.length > 0 ? `Legal now: ${legal.join(', ')}.` : 'No event is legal any more.';
  return new ProblemError('wrong-state', `The ${kind} is ${status}; ${name} is not legal. ${instead}`, {
    members: { legal_events: legal },
  });
}
