/**
 * Payment methods as data for every gateway. UPI_IN and IMPS_IN come from the source (2.5). Details that it leaves
 * open, and the methods marked `sandbox`, are this gateway's choice.
 */
import type { Currency } from '../../../generated/types.ts';
import type { Flow, MethodLimits } from './transaction.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A merchant's settings of a method. */
export interface MethodSetting {
  readonly disabled?: true;
  /** They apply where they are narrower than the method's. */
  readonly limits?: Partial<MethodLimits>;
}

/** A merchant's settings by kind and name, such as `payment UPI_IN`. */
export type MethodSettings = Readonly<Record<string, MethodSetting>>;

export interface Method {
  readonly name: string;
  readonly title: string;
  readonly kind: 'payment' | 'payout';
  readonly currencies: readonly Currency[];
  /** Exists only without real money. The contract does not list it as a known value. */
  readonly sandbox: boolean;
  readonly flows: readonly Flow[];
  /** Customer data without which the transaction is declined. */
  readonly requires: readonly string[];
  /** Customer data requested with EXTRA_DATA_NEEDED if it is missing. */
  readonly clarify: readonly string[];
  /** Items that confirm_data must contain. */
  readonly confirm: readonly string[];
  /** Format of the account, if the method has one. */
  readonly account?: RegExp;
  readonly limits: MethodLimits;
  /** Time that the customer has to act, in milliseconds. */
  readonly validityMs: number;
  /** From SUCCESS to available, in milliseconds. */
  readonly settlementMs: number;
  /** Channel names. Customers with the KYC level TRUSTED can have a separate one. */
  readonly channels: { readonly standard: string; readonly trusted?: string };
}

/** The methods of a gateway. No two of a kind have the same name. */
export type Methods = readonly Method[];

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

const UPI_IN: Method = {
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
};

const IMPS_IN: Method = {
  ...PAYOUT,
  name: 'IMPS_IN',
  title: 'IMPS bank transfer',
  currencies: ['INR'],
  sandbox: false,
  requires: ['account_number', 'bank_code'],
  account: /^([0-9]{9,18}|[A-Za-z0-9._-]{2,}@[A-Za-z][A-Za-z0-9]+)$/,
  channels: { standard: 'imps-standard', trusted: 'imps-trusted' },
};

/** The methods that the contract names. */
export const contractMethods: Methods = [UPI_IN, IMPS_IN];

/** The contract's methods, and sandbox-only methods for the other currencies. */
export const sandboxMethods: Methods = [
  UPI_IN,
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
  IMPS_IN,
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

/** The methods with this channel for every customer. */
export function withChannel(methods: Methods, channel: string): Methods {
  return methods.map((method) => ({ ...method, channels: { standard: channel } }));
}

/** The method of this kind and name, if any. */
export function findMethod(methods: Methods, kind: Method['kind'], name: string): Method | undefined {
  return methods.find((method) => method.name === name && method.kind === kind);
}

/** The setting of a method, if the merchant has one. */
export function findSetting(
  settings: MethodSettings | undefined,
  { kind, name }: Pick<Method, 'kind' | 'name'>,
): MethodSetting | undefined {
  return settings?.[`${kind} ${name}`];
}

/** The methods that a merchant may use, with its limits. */
export function applySettings(methods: Methods, settings: MethodSettings | undefined): Methods {
  if (!settings) return methods;
  return methods.flatMap((method) => {
    const { disabled, limits = {} } = findSetting(settings, method) ?? {};
    return disabled ? [] : { ...method, limits: narrowLimits(method.limits, limits) };
  });
}

export function narrowLimits(limits: MethodLimits, narrower: Partial<MethodLimits>): MethodLimits {
  const least = (name: Exclude<keyof MethodLimits, 'min'>) => Math.min(limits[name], narrower[name] ?? limits[name]);
  return {
    min: Math.max(limits.min, narrower.min ?? limits.min),
    max: least('max'),
    perDay: least('perDay'),
    perMonth: least('perMonth'),
  };
}

/** The limits of a transaction: its merchant's at its creation, or else the method's. */
export function findLimits(
  methods: Methods,
  { kind, method, limits }: { readonly kind: Method['kind']; readonly method: string; readonly limits?: MethodLimits },
): MethodLimits | undefined {
  return limits ?? findMethod(methods, kind, method)?.limits;
}

/** The name of the channel for the customer's transactions. Empty without a method, which is declined. */
export function selectChannel(
  method: Method | undefined,
  customer: { readonly kyc_level?: string | undefined },
): string {
  if (!method) return '';
  const { standard, trusted = standard } = method.channels;
  return customer.kyc_level === 'TRUSTED' ? trusted : standard;
}
