/** Defects in each field that the document's examples show. */
import { loadContract } from '../../../../conformance/src/document/contract.ts';
import type { Json, JsonObject, Schema } from '../../../../contract/src/model.ts';
import { findPlace, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';

/** A response or webhook; of transactions, in one status. */
interface Shown {
  /** Such as `getPayment/200/SUCCESS` or `paymentFailed/FAILED`. */
  readonly id: string;
  /** Operation or webhook. */
  readonly on: string;
  /** Status code; undefined for a webhook. */
  readonly code?: number;
  /** Status of the transaction; undefined for other bodies. */
  readonly status?: string;
  readonly schema: Schema;
  readonly examples: readonly Json[];
}

type Path = readonly string[];

const ITEM = '*';
/** The reference service never sends these. */
const UNSENT = [413, 429, 500, 503];
const HOUR_MS = 3_600_000;
const contract = loadContract();

const SHOWN: readonly Shown[] = [
  ...contract.operations.flatMap(({ id, responses }) =>
    responses.flatMap(({ status, body }) => (body ? listShown(id, Number(status), body.schema, body.examples) : [])),
  ),
  ...contract.webhooks.flatMap(({ id, request }) =>
    request ? listShown(id, undefined, request.schema, request.examples) : [],
  ),
].filter(({ code = 0 }) => !UNSENT.includes(code));

function listShown(
  on: string,
  code: number | undefined,
  schema: Schema,
  examples: readonly { readonly value: Json }[],
): Shown[] {
  const byStatus = Map.groupBy(examples, ({ value }) => toObject(value)['status']);
  return [...byStatus].map(([status, some]) => {
    // Problems have a numeric status.
    const isTransaction = typeof status === 'string';
    const id = [on, code, isTransaction ? status : undefined].filter((part) => part !== undefined).join('/');
    return {
      ...{ id, on, schema, examples: some.map(({ value }) => value) },
      ...(code !== undefined && { code }),
      ...(isTransaction && { status }),
    };
  });
}

/** The value that the defect shows instead; undefined to drop the field. */
type Change = (field: {
  readonly holder: JsonObject;
  readonly name: string;
  readonly earlier: Json;
}) => Json | undefined;

/** Faults that break the schema, and that the checks of one operation find. */
const SHAPES: Readonly<Record<string, Change>> = {
  dropped: () => undefined,
  null: () => null,
  'other-type': ({ holder, name }) => {
    const value = holder[name];
    if (typeof value === 'string') return value.length;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  },
};

/** Faults in the value alone. */
const VALUES: Readonly<Record<string, Change>> = {
  'other-value': ({ holder, name }) => findOther(name, holder[name] ?? null),
  swapped: ({ holder, name }) => holder[findSibling(holder, name) ?? name],
  stale: ({ earlier }) => earlier,
};

/** Fields that change while a service runs. */
const CHANGING = ['status', 'available', 'pending', 'last_updated_at'];
/** Texts for people can say anything, types of problems can be other URIs, and a list of violations can be incomplete. */
const FREE = ['message', 'detail', 'type', 'violations'];
/** Fields whose value no one but the service knows. */
const OWN = ['merchant_id'];
/** Fields of the request, and the ID in its path. */
const ECHOED = ['amount', 'currency', 'merchant_order_id', 'payment_method', 'payment_method_type', 'transaction_id'];
/** Values of problems that only several checks together reveal. */
const REVEALED_LATER = ['title', 'pointer'];
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  currency: ['DZD', 'INR'],
  payment_method: ['CARD', 'UPI_IN'],
  payment_method_type: ['CARD', 'UPI_IN'],
  decline_reason: ['LIMIT_EXCEEDED', 'INTERNAL_ERROR'],
};

/** Another value that the schema allows. */
function findOther(name: string, value: Json): Json {
  const other = OTHERS[name]?.find((one) => one !== value);
  if (other !== undefined) return other;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return value.slice(1);
  if (typeof value !== 'string') return value;
  if (name === 'status')
    return value === 'CREATED' ? 'EXTRA_DATA_NEEDED' : value === 'PROCESSING' ? 'SUCCESS' : 'CREATED';
  if (/_at$/.test(name)) return new Date(Date.parse(value) - HOUR_MS).toISOString();
  return /^https?:/.test(value) ? 'https://pay.example/elsewhere' : `${value}x`;
}

/** The next field of the same type with another value. */
function findSibling(holder: JsonObject, name: string): string | undefined {
  const names = Object.keys(holder);
  const others = [...names.slice(names.indexOf(name) + 1), ...names.slice(0, names.indexOf(name))];
  const isAlike = (one: string) => typeof holder[one] === typeof holder[name] && /_at$/.test(one) === /_at$/.test(name);
  return others.find((one) => isAlike(one) && holder[one] !== holder[name]);
}

/** Whether the fault changes an example into a body that no service may send. */
function isDefective({ schema, examples, on, status, code = 0 }: Shown, path: Path, fault: string): boolean {
  const name = path.at(-1) ?? '';
  const change = SHAPES[fault] ?? VALUES[fault];
  const changed = examples.flatMap((example) => change && apply(change, structuredClone(example), path, () => 'x'));
  if (!changed.some((one, index) => JSON.stringify(one) !== JSON.stringify(examples[index]))) return false;
  if (fault in SHAPES) return changed.some((one) => one !== undefined && contract.mistakes(schema, one).length > 0);
  if (code >= 400) return fault === 'other-value' && !FREE.includes(name);
  if (fault === 'stale') return CHANGING.includes(name);
  // A service can create a transaction in another status, and move it before anyone reads it.
  const isCreated = name === 'status' && /^create/.test(on) && status !== 'CREATED';
  return !FREE.includes(name) && !(fault === 'other-value' && (isCreated || OWN.includes(name)));
}

/** Applies the change wherever the body has the field. */
function apply(change: Change, body: Json, path: Path, earlier: (holder: JsonObject, value: Json) => Json): Json {
  for (const { holder, name } of listHolders(body, path)) {
    const value = change({ holder, name, earlier: earlier(holder, holder[name] ?? null) });
    if (value === undefined) delete holder[name];
    else holder[name] = value;
  }
  return body;
}

function listHolders(body: Json | undefined, path: Path): { holder: JsonObject; name: string }[] {
  const [name, ...rest] = path;
  if (name === undefined || typeof body !== 'object' || body === null) return [];
  if (Array.isArray(body)) return name === ITEM ? body.flatMap((item) => listHolders(item, rest)) : [];
  if (rest.length > 0) return listHolders(body[name], rest);
  return name in body ? [{ holder: body, name }] : [];
}

function listPaths(value: Json, prefix: Path = []): Path[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => listPaths(item, [...prefix, ITEM]));
  return Object.entries(toObject(value)).flatMap(([name, inner]) => {
    const path = [...prefix, name];
    return [path, ...listPaths(inner, path)];
  });
}

function createDefect(shown: Shown, path: Path, fault: string): Defect {
  const { id, on, code, status } = shown;
  const change = SHAPES[fault] ?? VALUES[fault];
  const name = path.at(-1) ?? '';
  const isFoundAlone = fault in SHAPES || (Number(code) >= 400 && !REVEALED_LATER.includes(name));
  const isEchoed = fault === 'other-value' && path.length === 1 && ECHOED.includes(name);
  const row = {
    id: `${id}/${path.join('.')}/${fault}`,
    foundBy: isFoundAlone ? findCheck(shown) : isEchoed ? findEchoCheck(shown, name) : '',
    // Money that is pending from the start can be of earlier payments.
    ...(path.at(-1) === 'pending' &&
      fault === 'other-value' &&
      ({ foundBy: 'money/settlement', verdict: 'not reached' } as const)),
    // Webhooks are told apart by their status, so one with an earlier status is missing.
    ...(path.at(-1) === 'status' &&
      fault === 'stale' &&
      code === undefined &&
      ({ foundBy: findCheck(shown), verdict: 'violating' } as const)),
  };
  return {
    ...row,
    alter() {
      const seen = new Map<string, Json[]>();
      let altered = false;
      /** The last different value of the field, for the same transaction or wallet. */
      const noteAll = (body: Json | undefined, subject: string) => (holder: JsonObject, value: Json) => {
        const key = `${subject} ${toObject(body)['transaction_id'] ?? ''} ${holder['currency'] ?? ''}`;
        const values = seen.get(key) ?? [];
        if (values.at(-1) !== value) seen.set(key, [...values, value]);
        return values.findLast((one) => one !== value) ?? value;
      };
      const show = (body: Json | undefined, subject: string, isHere: boolean) => {
        const earlier = noteAll(body, subject);
        if (body === undefined || change === undefined) return;
        if (isHere) {
          const before = JSON.stringify(body);
          apply(change, body, path, earlier);
          altered ||= JSON.stringify(body) !== before;
        } else for (const { holder, name } of listHolders(body, path)) earlier(holder, holder[name] ?? null);
      };
      return {
        tookEffect: () => altered,
        response({ status: sent, body }, { operation, headers }) {
          const isHere =
            operation === on && sent === code && (status ?? toObject(body)['status']) === toObject(body)['status'];
          show(body, headers['authorization'] ?? '', isHere);
        },
        webhook(webhook) {
          const { kind, status: told } = findPlace('webhook', webhook.body);
          show(webhook.body, '', code === undefined && told === status && /payout/i.test(on) === (kind === 'payout'));
        },
      };
    },
  };
}

/** The check of the body's shape. */
function findCheck({ on, code }: Shown): string {
  if (code === undefined) return `webhook/arrives/${on}`;
  return code >= 400 ? `response/${on}/errors` : `replay/${on}`;
}

/** The check that compares the field with the request. */
function findEchoCheck({ on, code }: Shown, name: string): string {
  if (name === 'transaction_id' && (code === undefined || /^create/.test(on))) return '';
  if (code === undefined) return 'webhook/echo';
  const isRead = /^(get|find)/.test(on) && name !== 'transaction_id';
  return isRead ? `consistency/${on === 'getPayout' ? 'payout' : 'payment'}/echo` : `replay/${on}`;
}

export const fields: readonly Defect[] = SHOWN.flatMap((shown) => {
  const paths = new Map(shown.examples.flatMap((example) => listPaths(example)).map((path) => [path.join('.'), path]));
  return [...paths.values()].flatMap((path) =>
    [...Object.keys(SHAPES), ...Object.keys(VALUES)]
      .filter((fault) => isDefective(shown, path, fault))
      .map((fault) => createDefect(shown, path, fault)),
  );
});
