/** Methods of a merchant, with its limits within the gateway's. */
import type {
  MethodLimits as LimitsView,
  MerchantMethodList,
  SetMethodRequest,
} from '../../../../generated/management/types.ts';
import { findMethod, findSetting, type MethodSettings, type Methods, narrowLimits } from '../../domain/methods.ts';
import type { MethodLimits } from '../../domain/transaction.ts';
import { type BodyViolation, invalid, ProblemError } from '../../http/problems.ts';
import { lockMerchant, setMethods } from '../../merchants/merchants.ts';
import { requireMerchant } from '../lookups.ts';
import type { ManagementOperation } from '../operation.ts';

export const listMerchantMethods: ManagementOperation<'listMerchantMethods'> = async (
  { store, methods },
  { parameters },
) => {
  const merchant = await requireMerchant(store.read, parameters);
  return viewMethods(methods, merchant.methods);
};

export const setMerchantMethod: ManagementOperation<'setMerchantMethod'> = async (
  { store, methods },
  { parameters, body, record },
) => {
  const { kind, method: name } = parameters;
  await requireMerchant(store.read, parameters);
  const method = findMethod(methods, kind, name);
  if (!method) {
    const known = methods.filter((one) => one.kind === kind).map((one) => one.name);
    throw new ProblemError('not-found', `There is no ${kind} method ${name}. The methods are ${known.join(', ')}.`);
  }
  const limits = readLimits(body);
  requireNarrower(method.limits, limits);
  const setting = {
    ...(body.enabled === false && { disabled: true as const }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  return store.unit(async (db) => {
    await lockMerchant(db, Number(parameters.merchant_id));
    const merchant = await requireMerchant(db, parameters);
    const key = `${kind} ${name}`;
    const { [key]: _, ...others } = merchant.methods ?? {};
    const settings: MethodSettings = Object.keys(setting).length > 0 ? { ...others, [key]: setting } : others;
    await setMethods(db, merchant.id, settings);
    await record(db, { merchantId: merchant.id, subject: describeSetting(key, body) });
    return viewMethods(methods, settings);
  });
};

function readLimits({ min, max, per_day: perDay, per_month: perMonth }: SetMethodRequest): Partial<MethodLimits> {
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(perDay !== undefined && { perDay }),
    ...(perMonth !== undefined && { perMonth }),
  };
}

const MEMBERS = { min: 'min', max: 'max', perDay: 'per_day', perMonth: 'per_month' } as const;

/** Throws a problem for limits that are wider than the gateway's, and for limits that no amount meets. */
function requireNarrower(gateway: MethodLimits, limits: Partial<MethodLimits>): void {
  const violations: BodyViolation[] = [];
  for (const [name, member] of Object.entries(MEMBERS) as [keyof MethodLimits, string][]) {
    const limit = limits[name] ?? gateway[name];
    const isWider = name === 'min' ? limit < gateway.min : limit > gateway[name];
    const side = name === 'min' ? 'at least' : 'at most';
    if (isWider) violations.push({ pointer: `/${member}`, message: `must be ${side} ${gateway[name]}, the gateway's` });
  }
  const { min, max, perDay, perMonth } = narrowLimits(gateway, limits);
  const least = Math.min(max, perDay, perMonth);
  if (violations.length === 0 && min > least) {
    violations.push({ pointer: '/min', message: `must be at most ${least}, the lowest of the other limits` });
  }
  if (violations.length > 0) throw invalid(violations);
}

function describeSetting(key: string, { reason: _, ...set }: SetMethodRequest): string {
  return `${key} ${JSON.stringify(set)}`;
}

function viewMethods(methods: Methods, settings: MethodSettings | undefined): MerchantMethodList {
  return {
    data: methods.map((method) => {
      const { disabled, limits = {} } = findSetting(settings, method) ?? {};
      return {
        ...{ kind: method.kind, method: method.name, title: method.title, currencies: [...method.currencies] },
        enabled: disabled !== true,
        limits: viewLimits(narrowLimits(method.limits, limits)),
        gateway_limits: viewLimits(method.limits),
      };
    }),
  };
}

function viewLimits({ min, max, perDay, perMonth }: MethodLimits): LimitsView {
  return { min, max, per_day: perDay, per_month: perMonth };
}
