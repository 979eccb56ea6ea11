/** Valid requests in unusual forms, and amounts at the limits: a service accepts them like usual ones. */
import { type Json, type JsonObject, readMember } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Check, Context } from '../../core/check.ts';
import type { Finding } from '../../core/finding.ts';
import { foundStatus, judgeResponse } from '../../core/judge.ts';
import { creationBody, isSuccess, judgeEcho, KINDS, OPERATION_NAMES } from '../../core/transactions.ts';
import { type Contract, findSuccess } from '../../document/contract.ts';
import type { Exchange, ServiceCall } from '../../service/exchange.ts';
import { KIND_LEVELS } from '../levels.ts';
import { judgeRoundTrip, noBody, unfinishedBodies, unfinishedBody } from './round-trip.ts';

interface Form {
  readonly name: string;
  readonly title: string;
  /** Id of the assumption that allows it. */
  readonly rests: string;
  readonly write: (body: JsonObject, key: string) => Omit<ServiceCall, 'operation'>;
}

/** The body with its amount written differently. */
const withAmount = (write: (amount: number) => string) => (body: JsonObject) => ({
  text: JSON.stringify(body).replace(/"amount":(\d+)/, (_member, amount) => `"amount":${write(Number(amount))}`),
});

const withCustomer = (customer: JsonObject) => (body: JsonObject) => ({
  body: { ...body, customer: { ...(body['customer'] as JsonObject), ...customer } },
});

const FORMS: readonly Form[] = [
  {
    name: 'amount-with-zeros',
    title: 'an amount with a fraction of zero',
    rests: 'amounts',
    write: withAmount((amount) => `${amount}.00`),
  },
  {
    name: 'amount-with-exponent',
    title: 'an amount with an exponent',
    rests: 'amounts',
    write: withAmount((amount) => `${amount}e0`),
  },
  {
    name: 'charset',
    title: 'a media type with a parameter',
    rests: 'errors',
    write: (body) => ({ body, mediaType: 'application/json; charset=utf-8' }),
  },
  {
    name: 'media-type-case',
    title: 'a media type in another case',
    rests: 'errors',
    write: (body) => ({ body, mediaType: 'Application/JSON' }),
  },
  {
    name: 'accepts-all',
    title: 'a request that accepts XML and anything else',
    rests: 'errors',
    write: (body) => ({ body, headers: { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' } }),
  },
  {
    name: 'chunked',
    title: 'a body in chunks, or asks for its length',
    rests: 'errors',
    write: (body) => ({ body, headers: { 'transfer-encoding': 'chunked' } }),
  },
  {
    name: 'scheme',
    title: 'the authentication scheme in lower case',
    rests: 'auth',
    write: (body, key) => ({ body, authorization: `bearer ${key}` }),
  },
  {
    name: 'contact',
    title: 'an email address with a plus sign, and a phone number with separators',
    rests: 'string-limits',
    write: withCustomer({ email: 'asha.rao+orders@mail.example.com', phone: '+91 (98123) 45-671' }),
  },
  {
    name: 'long-urls',
    title: 'URLs of 2,048 characters',
    rests: 'string-limits',
    write: (body) => ({
      body: {
        ...body,
        callback_url: longUrl(String(body['callback_url'])),
        ...('return_url' in body && { return_url: longUrl(String(body['return_url'])) }),
      },
    }),
  },
  ...['constructor', '__proto__', 'toString'].map((method) => ({
    name: `method-${method}`,
    title: `the unknown payment method ${method}`,
    rests: 'enums-open',
    write: (body: JsonObject) => ({ body: { ...body, payment_method_type: method } }),
  })),
];

const URL_LENGTH_MAX = 2_048;

/** The URL with a query that makes it as long as the contract allows. */
export function longUrl(url: string): string {
  const start = `${url}${url.includes('?') ? '&' : '?'}filler=`;
  return start.padEnd(URL_LENGTH_MAX, 'x');
}

export function formChecks(contract: Contract): Check[] {
  return KINDS.flatMap((kind) => {
    const { create: operation } = OPERATION_NAMES[kind];
    return FORMS.map(
      (form): Check => ({
        ...{ id: `form/${operation}/${form.name}`, clause: contract.assumption(form.rests), operation },
        title: `${operation} accepts ${form.title}`,
        ...{ phase: 'parallel', levels: [], partOf: KIND_LEVELS[kind] },
        run: (context) => judgeForm(context, kind, form),
      }),
    );
  });
}

async function judgeForm(context: Context, kind: TransactionKind, { rests, write }: Form): Promise<Finding[]> {
  const { contract, receiver, orderId, send, settings } = context;
  const operation = contract.operation(OPERATION_NAMES[kind].create);
  const body: Json = creationBody(unfinishedBody(context, kind), orderId(), receiver.endpoint().url);
  const call = { unpaid: true, ...write(body, settings.key) };
  const exchange = await send({ operation, ...call });
  if (wantsLength(exchange)) return [];
  if (!isSuccess(operation, exchange)) return [refused(contract, exchange, rests)];
  return [
    ...judgeResponse(contract, exchange, exchange.status),
    ...judgeEcho(contract, kind, call.body ?? body, exchange),
  ];
}

/** HTTP allows a service to refuse a body without a length, if it says so. */
function wantsLength({ call, status, body }: Exchange): boolean {
  if (call.headers?.['transfer-encoding'] === undefined) return false;
  const violations = readMember(body, 'violations');
  const isHeader = Array.isArray(violations) && violations.some((one) => readMember(one, 'in') === 'header');
  return status === 411 || (status === 400 && isHeader);
}

function refused(contract: Contract, exchange: Exchange, rests: string): Finding {
  const { status } = findSuccess(exchange.call.operation);
  return { at: 'status', expected: status, found: foundStatus(exchange), clause: contract.assumption(rests), exchange };
}

/** Amounts that lose a unit when they are divided by 100 and multiplied by 100 again as floats, and then cut off. */
const INEXACT = [29, 1_003, 1_000_005];
/** The first integer that a 32-bit float can't represent, and both sides of the limits of 32-bit integers. */
const LIMITS = [2 ** 24 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32];

/** The amounts to test, in minor units: the contract's minimum and maximum, and the limits between them. */
function boundaries({ bundle }: Contract): number[] {
  const { minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = (bundle.components.schemas['Amount'] ?? {}) as {
    minimum?: number;
    maximum?: number;
  };
  return [minimum, ...[...INEXACT, ...LIMITS].filter((limit) => minimum < limit && limit < maximum), maximum];
}

export function amountChecks(contract: Contract): Check[] {
  return KINDS.flatMap((kind) =>
    boundaries(contract).map((amount): Check => {
      const { create } = OPERATION_NAMES[kind];
      return {
        id: `amount/${create}/${amount}`,
        title: `A ${kind} of ${amount} minor units has the same amount in every response`,
        clause: contract.assumption('amounts'),
        ...{ phase: 'parallel', operation: create, levels: [], partOf: KIND_LEVELS[kind] },
        covers: [['boundaries', `${create} ${amount}`]],
        run: (context) => judgeAmount(context, kind, amount),
      };
    }),
  );
}

/** Limits are the service's own. They decline the transaction, and the request is accepted. */
async function judgeAmount(context: Context, kind: TransactionKind, amount: number): Promise<Finding[]> {
  const all = unfinishedBodies(context, kind);
  if (all.length === 0) throw noBody(context, kind);
  const refusal = context.contract.assumption('amounts');
  const findings = await Promise.all(
    all.map(async (body) => {
      const unpaid = kind === 'payment' || (await isBeyond(context, String(body['currency']), amount));
      return judgeRoundTrip(context, kind, { ...body, amount }, { unpaid }, refusal);
    }),
  );
  return findings.flat();
}

async function isBeyond({ fixtures }: Context, currency: string, amount: number): Promise<boolean> {
  const balance = await fixtures.balance(currency);
  return balance !== undefined && balance.available + balance.pending < amount;
}
