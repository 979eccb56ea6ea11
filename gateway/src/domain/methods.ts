/**
 * Payment methods as data. UPI_IN and IMPS_IN come from the source (2.5); what it leaves open about them, and the
 * methods marked `sandbox`, are this gateway's choice.
 */
import type { Currency } from '../../../generated/types.ts';
import type { Flow } from './transaction.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface Method {
  readonly name: string;
  readonly title: string;
  readonly kind: 'payment' | 'payout';
  readonly currencies: readonly Currency[];
  /** Exists only in this gateway; the contract does not name it as a known value. */
  readonly sandbox: boolean;
  readonly flows: readonly Flow[];
  /** Customer data without which the transaction is declined. */
  readonly requires: readonly string[];
  /** Customer data that is asked for by EXTRA_DATA_NEEDED when it is missing. */
  readonly clarify: readonly string[];
  /** What confirm_data must contain. */
  readonly confirm: readonly string[];
  /** Form of the account, where the method has one. */
  readonly account?: RegExp;
  /** Amounts in minor units: of one transaction, and of one customer in a day and in a month (UTC). */
  readonly limits: { readonly min: number; readonly max: number; readonly perDay: number; readonly perMonth: number };
  /** How long the customer has to act, in milliseconds. */
  readonly validityMs: number;
  /** From SUCCESS to available, in milliseconds. */
  readonly settlementMs: number;
  /** Names of the channels: customers whose KYC level is TRUSTED have one of their own. */
  readonly channels: { readonly standard: string; readonly trusted: string };
}

const PAYMENT = {
  kind: 'payment',
  settlementMs: 2_000,
  limits: { min: 100, max: 10_000_000, perDay: 20_000_000, perMonth: 100_000_000 },
} as const;

const PAYOUT = {
  kind: 'payout',
  flows: ['h2h'],
  clarify: [],
  confirm: [],
  validityMs: 24 * HOUR,
  settlementMs: 0,
  limits: { min: 1_000, max: 20_000_000, perDay: 50_000_000, perMonth: 500_000_000 },
} as const;

const UPI_ADDRESS = /^[A-Za-z0-9._-]{2,}@[A-Za-z][A-Za-z0-9]+$/;

const WALLETS = [
  ['WALLET_EG', 'EGP', 'Wallet in Egypt'],
  ['WALLET_MA', 'MAD', 'Wallet in Morocco'],
  ['WALLET_DZ', 'DZD', 'Wallet in Algeria'],
] as const;

const METHODS: readonly Method[] = [
  {
    ...PAYMENT,
    name: 'UPI_IN',
    title: 'UPI',
    currencies: ['INR'],
    sandbox: false,
    flows: ['h2h', 'redirect'],
    requires: [],
    clarify: ['name', 'phone'],
    confirm: ['amount', 'tid'],
    account: UPI_ADDRESS,
    validityMs: 15 * MINUTE,
    channels: { standard: 'upi-standard', trusted: 'upi-trusted' },
  },
  ...WALLETS.map(
    ([name, currency, title]): Method => ({
      ...PAYMENT,
      name,
      title,
      currencies: [currency],
      sandbox: true,
      flows: ['redirect'],
      requires: ['phone'],
      clarify: [],
      confirm: [],
      validityMs: 30 * MINUTE,
      channels: { standard: `${currency.toLowerCase()}-standard`, trusted: `${currency.toLowerCase()}-trusted` },
    }),
  ),
  {
    ...PAYOUT,
    name: 'IMPS_IN',
    title: 'IMPS bank transfer',
    currencies: ['INR'],
    sandbox: false,
    requires: ['account_number', 'bank_code'],
    account: /^([0-9]{9,18}|[A-Za-z0-9._-]{2,}@[A-Za-z][A-Za-z0-9]+)$/,
    channels: { standard: 'imps-standard', trusted: 'imps-trusted' },
  },
  ...WALLETS.map(
    ([name, currency, title]): Method => ({
      ...PAYOUT,
      name,
      title,
      currencies: [currency],
      sandbox: true,
      requires: ['account_number'],
      account: /^[0-9]{9,15}$/,
      channels: { standard: `${currency.toLowerCase()}-standard`, trusted: `${currency.toLowerCase()}-trusted` },
    }),
  ),
];

const BY_NAME = {
  payment: byName('payment'),
  payout: byName('payout'),
} as const satisfies Record<Method['kind'], ReadonlyMap<string, Method>>;

function byName(kind: Method['kind']): ReadonlyMap<string, Method> {
  return new Map(METHODS.filter((method) => method.kind === kind).map((method) => [method.name, method]));
}

/** The method of this kind and name, if this gateway has it. */
export function findMethod(kind: Method['kind'], name: string): Method | undefined {
  return BY_NAME[kind].get(name);
}

/** The name of the channel that carries the customer's transactions; empty without a method, which is declined. */
export function channelFor(method: Method | undefined, customer: { readonly kyc_level?: string | undefined }): string {
  return method?.channels[customer.kyc_level === 'TRUSTED' ? 'trusted' : 'standard'] ?? '';
}

/** Every method. */
export function allMethods(): readonly Method[] {
  return METHODS;
}
