/** Realistic texts: a service accepts all that the schemas allow, and returns them unchanged. */
import fc from 'fast-check';
import { type JsonObject, openEnum, readMember, resolve, type Schema } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Check, Context, CoveredPart } from '../../core/check.ts';
import { type Finding, NotReached } from '../../core/finding.ts';
import { foundStatus } from '../../core/judge.ts';
import type { Settings } from '../../core/settings.ts';
import {
  actionBody,
  findAction,
  isSuccess,
  judgeEcho,
  KINDS,
  OPERATION_NAMES,
  readStatus,
  type TrackedTransaction,
  toRequestedKey,
} from '../../core/transactions.ts';
import { type Contract, findSuccess } from '../../document/contract.ts';
import type { Journal } from '../../service/exchange.ts';
import { KIND_LEVELS } from '../levels.ts';
import { createOrFinding, judgeFound, judgeRoundTrip, unfinishedBody } from './round-trip.ts';
import { PAIRS, type Pair, type Sample, samples, uniqueText } from './samples.ts';

type Bounded = Schema & { readonly maxLength?: number };

/** Texts with a required form, or that select a simulation. */
const FORMED = new Set(['id', 'account_number', 'bank_code']);
const UNKNOWN_METHOD = 'METHOD_UNKNOWN_TO_THE_CONTRACT';
/** The item whose value no service can verify. */
const FREE_ITEM = 'name';
/** The item that a service validates, as far as it can. */
const REFERENCE = 'tid';
const REFERENCE_LENGTH_MAX = 60;
/** ASCII characters that most forms of references exclude. */
const NO_REFERENCE = '<no "transfer" {has} this; reference?>';

export function textChecks(contract: Contract, settings: Settings): Check[] {
  const lengthMax = readMaxLength(contract);
  const all = samples(settings.seed, lengthMax);
  const limits = contract.assumption('string-limits');
  const orders = contract.assumption('order-id');
  const base = { phase: 'parallel', levels: [] } as const;
  return [
    ...KINDS.flatMap((kind) => {
      const { create: operation } = OPERATION_NAMES[kind];
      const own = { ...base, operation, partOf: KIND_LEVELS[kind] };
      const fields = ['merchant_order_id', ...freeTexts(contract, kind)];
      return [
        ...all.map(
          (sample): Check => ({
            ...{ ...own, id: `text/${operation}/${sample.name}`, clause: limits },
            covers: fields.map((field) => ['texts', `${operation} ${field} ${sample.name}`]),
            title: `${operation} accepts ${sample.title} in its texts, and returns the order ID unchanged`,
            run: (context) => judgeText(context, kind, sample, lengthMax),
          }),
        ),
        ...PAIRS.map(
          (pair): Check => ({
            ...{ ...own, id: `text/${operation}/differing-${pair.name}`, clause: orders },
            covers: [['identities', `${operation} with order IDs that differ ${pair.title}`]],
            title: `Order IDs of ${kind}s that differ ${pair.title} are two orders`,
            run: (context) => judgePair(context, kind, pair),
          }),
        ),
        {
          ...{ ...own, id: `text/${operation}/customer-id`, clause: limits },
          covers: all.map(({ name }): CoveredPart => ['texts', `${operation} id ${name}`]),
          title: `${operation} accepts any text as the ID of a customer`,
          run: (context: Context) => judgeCustomerId(context, kind, all),
        },
        {
          ...{ ...own, id: `text/${operation}/unknown-method`, clause: contract.assumption('enums-open') },
          covers: [['texts', `${operation} payment_method_type unknown`]] satisfies CoveredPart[],
          title: `${operation} accepts a payment method outside the contract`,
          run: (context: Context) => judgeUnknownMethod(context, kind),
        },
      ];
    }),
    ...all.map(
      (sample): Check => ({
        ...{ ...base, id: `text/confirmPayment/${sample.name}`, operation: 'confirmPayment', clause: limits },
        title: `clarifyPayment and confirmPayment accept ${sample.title} in their items`,
        covers: [['texts', `confirmPayment items ${sample.name}`]],
        partOf: ['payments-h2h'],
        run: (context) => judgeItems(context, sample),
      }),
    ),
  ];
}

function readMaxLength({ bundle }: Contract): number {
  const { maxLength } = (bundle.components.schemas['MerchantOrderId'] ?? {}) as Bounded;
  if (maxLength === undefined) throw new Error('the contract has no longest order ID');
  return maxLength;
}

function judgeText(context: Context, kind: TransactionKind, sample: Sample, lengthMax: number): Promise<Finding[]> {
  const { contract, orderId } = context;
  const body = unfinishedBody(context, kind);
  const refusal = contract.assumption('string-limits');
  return judgeShortest(sample.text, (text, waits) => {
    const customer = { ...(body['customer'] as JsonObject) };
    for (const name of freeTexts(contract, kind)) customer[name] = text;
    const order = uniqueText(orderId(), text, lengthMax);
    return judgeRoundTrip(context, kind, { ...body, customer }, { order, unpaid: true, waits }, refusal);
  });
}

/** The ID of a test customer can select a simulation, so only the creation is judged. */
async function judgeCustomerId(context: Context, kind: TransactionKind, all: readonly Sample[]): Promise<Finding[]> {
  const { contract } = context;
  const refusal = contract.assumption('string-limits');
  const body = unfinishedBody(context, kind);
  const judge = async (id: string) => {
    const own = { ...body, customer: { ...(body['customer'] as JsonObject), id } };
    const made = await createOrFinding(context, kind, own, { unpaid: kind === 'payment' }, refusal);
    return Array.isArray(made) ? made : judgeEcho(contract, kind, made.call.body, made.creation);
  };
  for (const { text } of all) {
    const findings = await judgeShortest(text, judge);
    if (findings.length > 0) return findings;
  }
  return [];
}

/** The fields of a customer that can be any text. */
function freeTexts({ bundle, operation }: Contract, kind: TransactionKind): string[] {
  const request = resolve(bundle, operation(OPERATION_NAMES[kind].create).request?.schema ?? {});
  const customer = resolve(bundle, request.properties?.['customer'] ?? {});
  return Object.entries(customer.properties ?? {}).flatMap(([name, property]) => {
    const schema = resolve(bundle, property);
    const { type, format, pattern } = openEnum(schema)?.open ?? schema;
    const free = type === 'string' && format === undefined && (pattern === undefined || !pattern.includes('+'));
    return free && !FORMED.has(name) ? [name] : [];
  });
}

async function judgePair(context: Context, kind: TransactionKind, { write }: Pair): Promise<Finding[]> {
  const body = unfinishedBody(context, kind);
  const clause = context.contract.assumption('order-id');
  const made: TrackedTransaction[] = [];
  for (const [index, order] of write(context.orderId()).entries()) {
    const own = { ...body, amount: Number(body['amount']) + index };
    const one = await createOrFinding(context, kind, own, { order, unpaid: true }, clause);
    if (Array.isArray(one)) return one;
    made.push(one);
  }
  const [one, other] = made;
  if (one && other && one.id === other.id) {
    const expected = `another transaction than that of ${JSON.stringify(readMember(one.call.body, 'merchant_order_id'))}`;
    const found = `${one.id} again`;
    return [{ at: 'body /transaction_id', expected, found, binds: true, clause, exchange: other.creation }];
  }
  return (await Promise.all(made.map((tracked) => judgeFound(context, tracked)))).flat();
}

/** It is declined later, if the service doesn't have it. */
function judgeUnknownMethod(context: Context, kind: TransactionKind): Promise<Finding[]> {
  const body = { ...unfinishedBody(context, kind), payment_method_type: UNKNOWN_METHOD };
  const refusal = context.contract.assumption('enums-open');
  return judgeRoundTrip(context, kind, body, { unpaid: true }, refusal);
}

async function judgeItems(context: Context, sample: Sample): Promise<Finding[]> {
  const { contract, driver, fixtures, send } = context;
  const clause = contract.assumption('string-limits');
  const tracked = await fixtures.reachNew({ flow: 'h2h', until: 'EXTRA_DATA_NEEDED' }).catch((error: unknown) => {
    if (!(error instanceof NotReached)) throw error;
    return fixtures.reachNew({ flow: 'h2h', until: 'PAY_CONFIRMATION_NEEDED' });
  });
  let isConfirmed = false;
  for (let asked = ''; asked !== toRequestedKey(tracked); ) {
    asked = toRequestedKey(tracked);
    const { operation: id, field = '' } = findAction(readStatus(tracked)) ?? {};
    if (id === undefined) break;
    const operation = contract.operation(id);
    const given = (actionBody(driver, tracked)?.[field] ?? {}) as JsonObject;
    const sendItems = (names: readonly string[]) =>
      send({ operation, path: { transaction_id: tracked.id }, body: { [field]: replaced(given, names, sample.text) } });
    const isReference = REFERENCE in given && isWritten(sample.text);
    let exchange = await sendItems(isReference ? [FREE_ITEM, REFERENCE] : [FREE_ITEM]);
    // A service can know that there is no such transfer.
    const isUnknown = exchange.status >= 300 && isReference && !(await takesAnyReference(context));
    if (isUnknown) exchange = await sendItems([FREE_ITEM]);
    if (exchange.status >= 300) {
      const expected = findSuccess(operation).status;
      return [{ at: 'status', expected, found: foundStatus(exchange), clause, exchange }];
    }
    isConfirmed ||= id === 'confirmPayment';
    await fixtures.read(tracked);
  }
  if (isConfirmed) return [];
  throw new NotReached(
    `the payment stayed in ${readStatus(tracked)}`,
    'let `payment` of the driver return one to confirm',
  );
}

function replaced(items: JsonObject, names: readonly string[], text: string): JsonObject {
  return Object.fromEntries(Object.entries(items).map(([name, value]) => [name, names.includes(name) ? text : value]));
}

/** Whether a person could write the text into a field of a form. */
function isWritten(text: string): boolean {
  return text.length <= REFERENCE_LENGTH_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

const accepting = new WeakMap<Journal, Promise<boolean>>();

/** Whether a payment can be confirmed with a reference that no transfer has, so that only its characters matter. */
function takesAnyReference(context: Context): Promise<boolean> {
  const known = accepting.get(context.journal);
  if (known) return known;
  const tried = tryReference(context, NO_REFERENCE);
  accepting.set(context.journal, tried);
  return tried;
}

async function tryReference({ contract, driver, fixtures, send }: Context, reference: string): Promise<boolean> {
  const operation = contract.operation('confirmPayment');
  const tracked = await fixtures.reachNew({ flow: 'h2h', until: 'PAY_CONFIRMATION_NEEDED' });
  const given = (actionBody(driver, tracked)?.['confirm_data'] ?? {}) as JsonObject;
  const body = { confirm_data: replaced(given, [REFERENCE], reference) };
  return isSuccess(operation, await send({ operation, path: { transaction_id: tracked.id }, body }));
}

/** Each attempt creates a transaction. */
const ATTEMPTS_MAX = 20;

/** Judges a text. Unless `waits`, the service gets no time to find the transaction. */
type Judge = (text: string, waits: boolean) => Promise<Finding[]>;

/** Judges the text. Returns the findings of its shortest part that still has some. */
export async function judgeShortest(text: string, judge: Judge): Promise<Finding[]> {
  let findings = await judge(text, true);
  const characters = [...text];
  if (findings.length === 0 || characters.length < 2) return findings;
  let attempts = 0;
  const passes = async (some: readonly string[]): Promise<boolean> => {
    const shorter = some.join('');
    if (shorter === text) return false;
    if (shorter === '' || attempts === ATTEMPTS_MAX) return true;
    attempts += 1;
    const found = await judge(shorter, false).catch((): Finding[] => {
      // The findings so far are proven, so shrinking ends here.
      attempts = ATTEMPTS_MAX;
      return [];
    });
    if (found.length > 0) findings = found;
    return found.length === 0;
  };
  const texts = fc.array(fc.constantFrom(...new Set(characters)), { maxLength: characters.length });
  await fc.check(fc.asyncProperty(texts, passes), { examples: [[characters]], numRuns: 1 });
  return findings;
}
