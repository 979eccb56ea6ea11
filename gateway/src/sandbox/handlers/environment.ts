/** Conditions of the merchant's customers, banks and channels, and the test data of the channels. */
import type { Channel, TestDatum } from '../../../../generated/sandbox/types.ts';
import { SCENARIOS, type Scenario } from '../../channels/scenarios.ts';
import { findMethod, type Method, type Methods, selectChannel } from '../../domain/methods.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import { drainWallet as drain, fundWallet as fund, getBalance } from '../../ledger/wallets.ts';
import { milliseconds } from '../../management/parameters.ts';
import { raiseUsage } from '../../transactions/customer-usage.ts';
import { findPlan } from '../../transactions/orders.ts';
import { selectSetting } from '../channels.ts';
import type { SandboxCall, SandboxOperation, SandboxServices } from '../operation.ts';
import type { SandboxState } from '../sandbox-state.ts';

const SLOW_MS_MAX = 30_000;
/** Customers that one merchant can block. */
const BLOCKED_MAX = 1_000;

export const listChannels: SandboxOperation<'listChannels'> = async ({ sandboxState, methods }, { merchant }) => ({
  data: methods.map((method) => viewChannel(sandboxState, merchant.id, method)),
});

export const setChannel: SandboxOperation<'setChannel'> = async (
  { sandboxState, methods },
  { merchant, parameters, body },
) => {
  const { kind, method: name } = parameters;
  const method = requireMethod(methods, kind, name);
  const delayMs = body.delay === undefined ? undefined : milliseconds(body.delay);
  if (delayMs !== undefined && delayMs > SLOW_MS_MAX) {
    throw invalid([{ pointer: '/delay', message: `must be at most ${SLOW_MS_MAX / 1_000}s` }]);
  }
  const setting = { condition: body.condition, ...(delayMs !== undefined && { delayMs }) };
  await sandboxState.change(merchant.id, (settings) => ({
    ...settings,
    channels: { ...settings.channels, [`${kind} ${name}`]: setting },
  }));
  return viewChannel(sandboxState, merchant.id, method);
};

export const fundWallet: SandboxOperation<'fundWallet'> = async (services, call) => {
  const { amount } = call.body;
  const room = await services.store.unit((db) => fund(db, createPosting(services, call), amount));
  if (room !== undefined)
    throw invalid([{ pointer: '/amount', message: `must be at most ${room}: a wallet holds no more` }]);
  return getBalance(services, call);
};

export const drainWallet: SandboxOperation<'drainWallet'> = async (services, call) => {
  const available = await services.store.unit((db) => drain(db, createPosting(services, call), call.body.amount));
  if (available !== undefined) {
    throw invalid([{ pointer: '/amount', message: `must be at most ${available}, which is available` }]);
  }
  return getBalance(services, call);
};

export const blockCustomer: SandboxOperation<'blockCustomer'> = async (
  { sandboxState },
  { merchant, parameters, body },
) => {
  const { customer_id: id } = parameters;
  await sandboxState.change(merchant.id, (settings) => {
    const blocked = { ...settings.blocked, [id]: body.decline_reason ?? 'KYC_BLOCKED' };
    if (Object.keys(blocked).length > BLOCKED_MAX) {
      throw new ProblemError('wrong-state', `${BLOCKED_MAX} customers are blocked, which is the most. Unblock some.`);
    }
    return { ...settings, blocked };
  });
};

export const unblockCustomer: SandboxOperation<'unblockCustomer'> = async (
  { sandboxState },
  { merchant, parameters },
) => {
  await sandboxState.change(merchant.id, (settings) => {
    const { [parameters.customer_id]: _, ...blocked } = settings.blocked ?? {};
    return { ...settings, blocked };
  });
};

export const useCustomerLimits: SandboxOperation<'useCustomerLimits'> = async (
  { store, time, channels, methods },
  { merchant, parameters, body },
) => {
  const { kind, method: name, amount } = body;
  const method = findMethod(methods, kind, name);
  const [currency] = method?.currencies ?? [];
  if (!method || currency === undefined) {
    const names = methods.filter((one) => one.kind === kind);
    const known = names.map((one) => one.name).join(', ');
    throw invalid([{ pointer: '/method', message: `must be one of ${known}` }]);
  }
  const { customer_id: id } = parameters;
  if (findPlan(channels, { kind, channel: selectChannel(method, {}), customer: { id } })) {
    const message = 'is a test customer, who has no limits; use another id, or decline-LIMIT_EXCEEDED';
    throw invalid([{ in: 'path', pointer: '/customer_id', message }]);
  }
  const customer = { merchantId: merchant.id, kind, customerId: id, currency };
  const { now } = time.at(merchant.id);
  await store.unit((db) => raiseUsage(db, customer, amount ?? method.limits.perDay, now));
};

function createPosting(
  { time, ids }: SandboxServices,
  { merchant, parameters }: SandboxCall<'fundWallet' | 'drainWallet'>,
) {
  const { now } = time.at(merchant.id);
  const { currency } = parameters;
  return { id: ids.newId('led', now, merchant.id, currency, ids.count()), merchantId: merchant.id, currency, now };
}

function viewChannel(sandboxState: SandboxState, merchantId: number, { kind, name }: Method): Channel {
  const { condition, delayMs } = selectSetting(sandboxState, kind, name, merchantId);
  return { kind, method: name, condition, ...(delayMs !== undefined && { delay_ms: delayMs }) };
}

function requireMethod(methods: Methods, kind: Method['kind'], name: string): Method {
  const method = findMethod(methods, kind, name);
  if (!method)
    throw new ProblemError(
      'not-found',
      `Method not found: ${kind} method ${name}. Use one that GET /sandbox/channels returns.`,
    );
  return method;
}

/** In minor units; every method takes it. */
const AMOUNT = 1_000;

export const listTestData: SandboxOperation<'listTestData'> = async ({ methods }) => {
  const first = { payment: firstMethod(methods, 'payment'), payout: firstMethod(methods, 'payout') };
  const data = SCENARIOS.flatMap((scenario): TestDatum[] => {
    const { kind, field, value, summary } = scenario;
    const method = first[kind];
    return method ? [{ kind, field, value, summary, request: smallestRequest(scenario, method) }] : [];
  });
  return { data };
};

/** Without `return_url` the flow is host to host, in which every row takes effect. */
function smallestRequest({ field, value }: Scenario, { name, currencies }: Method): TestDatum['request'] {
  return {
    amount: AMOUNT,
    currency: currencies[0],
    customer: { id: 'anyone', [field.replace('customer.', '')]: value },
    payment_method_type: name,
  };
}

/** The first of the contract's methods that works without a redirect. */
function firstMethod(methods: Methods, kind: Method['kind']): Method | undefined {
  return methods.find((method) => method.kind === kind && method.flows.includes('h2h') && !method.sandbox);
}
