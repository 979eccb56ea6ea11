/** Parts of the contract that a run covered: operations and transactions in its messages, and parts that checks declare. */
import {
  atPointer,
  type Bundle,
  findResponse,
  isObject,
  type Json,
  resolve,
  type Schema,
} from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { Check, Result } from '../core/check.ts';
import { listHistories, listObservations } from '../core/history.ts';
import { declineReasons, findEvent, KINDS } from '../core/transactions.ts';
import type { Contract } from '../document/contract.ts';
import { type Journal, readString } from '../service/exchange.ts';
import { listAssumptions } from './clause-text.ts';
import { COVERAGE_KINDS, type Coverage, type CoverageKind, type UndeclaredField } from './report.ts';

export interface JudgedRun {
  readonly contract: Contract;
  readonly journal: Journal;
  /** All checks of the claimed levels, which determine the parts to cover. */
  readonly plan: readonly Pick<Check, 'covers' | 'mayCover'>[];
  readonly results: readonly Pick<Result, 'id' | 'clause' | 'verdict' | 'covered'>[];
}

/** For each part of the contract, by kind and name, the checks that exercised it. */
export type CoveredParts = Readonly<Record<CoverageKind, ReadonlyMap<string, ReadonlySet<string>>>>;

const CHECKS_SHOWN = 5;

export function measureCoverage(run: JudgedRun): Coverage {
  const exercised = observeRun(run);
  return Object.fromEntries(
    COVERAGE_KINDS.map((kind) => [
      kind,
      [...exercised[kind]].map(([name, checks]) => ({
        ...{ name, count: checks.size },
        checks: [...checks].slice(0, CHECKS_SHOWN),
      })),
    ]),
  ) as unknown as Coverage;
}

export function observeRun(run: JudgedRun): CoveredParts {
  const { contract, plan, results } = run;
  const declared = plan.flatMap(({ covers = [], mayCover = [] }) => [...covers, ...mayCover]);
  const names = listParts(contract);
  for (const [kind, name] of declared) names[kind] = [...(names[kind] ?? []), name];
  const parts = Object.fromEntries(
    COVERAGE_KINDS.map((kind) => [kind, new Map(names[kind]?.map((name) => [name, new Set<string>()]))]),
  ) as unknown as Record<CoverageKind, Map<string, Set<string>>>;
  // Leaves out the requests of the preflight.
  const ids = new Set(results.map(({ id }) => id));
  const note: Recorder['note'] = (kind, name, check) => {
    if (ids.has(check)) parts[kind].get(name)?.add(check);
  };
  const known = new Map<string, string[]>();
  const noteAssumptions: Recorder['noteAssumptions'] = (pointer, check) => {
    const assumptions = known.get(pointer) ?? listAssumptionsIn(contract.bundle, atPointer(contract.bundle, pointer));
    known.set(pointer, assumptions);
    for (const id of assumptions) note('assumptions', id, check);
  };
  observeExchanges(run, { note, noteAssumptions });
  observeTransactions(run, { note, noteAssumptions });
  for (const { id, clause, verdict, covered } of results) {
    for (const [kind, name] of covered) note(kind, name, id);
    if (verdict === 'not reached' || verdict === 'fault') continue;
    for (const assumption of listAssumptions(contract, clause)) note('assumptions', assumption.id, id);
  }
  return parts;
}

interface Recorder {
  /** Notes that a check exercised a part. Parts that the contract doesn't have are ignored. */
  note(kind: CoverageKind, name: string, check: string): void;
  /** Notes the assumptions of an operation's request, a response or a webhook, by its pointer. */
  noteAssumptions(pointer: string, check: string): void;
}

/** The names of all parts that messages can cover. */
function listParts(contract: Contract): Partial<Record<CoverageKind, string[]>> {
  const { operations, webhooks, bundle, machines } = contract;
  return {
    operations: operations.map(({ id }) => id),
    responses: operations.flatMap(({ id, responses }) => responses.map(({ status }) => `${id} ${status}`)),
    statuses: KINDS.flatMap((kind) => Object.keys(machines[kind].states).map((status) => `${kind} ${status}`)),
    transitions: KINDS.flatMap((kind) =>
      machines[kind].transitions
        .filter(({ tolerated }) => !tolerated)
        .map(({ from, to }) => transitionName(kind, from, to)),
    ),
    'decline reasons': KINDS.flatMap((kind) => declineReasons(contract, kind).map((code) => `${kind} ${code}`)),
    webhooks: webhooks.map(({ id }) => id),
    assumptions: bundle['x-assumptions'].map(({ id }) => id),
  };
}

function observeExchanges({ journal }: JudgedRun, { note, noteAssumptions }: Recorder): void {
  for (const { call, check, status } of journal.exchanges) {
    const { id, pointer } = call.operation;
    const response = findResponse(call.operation, status);
    if (status >= 200 && status < 300) note('operations', id, check);
    note('responses', `${id} ${status}`, check);
    noteAssumptions(pointer, check);
    if (response) noteAssumptions(response.pointer, check);
  }
}

function observeTransactions({ contract, journal }: JudgedRun, { note, noteAssumptions }: Recorder): void {
  for (const history of listHistories(journal)) {
    const { kind, creation } = history;
    let from: string | null = null;
    for (const { exchange, body, status, delivery } of listObservations(history)) {
      const { check } = exchange ?? creation;
      note('statuses', `${kind} ${status}`, check);
      const reason = readString(body, 'decline_reason');
      if (reason !== undefined) note('decline reasons', `${kind} ${reason}`, check);
      if (status !== from) note('transitions', transitionName(kind, from, status), check);
      from = status;
      const event = delivery && findEvent(contract, kind, status)?.operation;
      if (!event) continue;
      note('webhooks', event.id, check);
      noteAssumptions(event.pointer, check);
    }
  }
}

function transitionName(kind: string, from: string | null, to: string): string {
  return `${kind} ${from ?? '(none)'} → ${to}`;
}

/** The assumptions that a part of the document names, with its schemas, and without the responses of an operation. */
function listAssumptionsIn(bundle: Bundle, node: unknown, seen = new Set<unknown>()): string[] {
  if (typeof node !== 'object' || node === null || seen.has(node)) return [];
  seen.add(node);
  const { 'x-assumption': own = [], responses: _, ...parts } = resolve<Marked>(bundle, node);
  return [own, ...Object.values(parts).map((part) => listAssumptionsIn(bundle, part, seen))].flat();
}

interface Marked {
  readonly 'x-assumption'?: string | string[];
  readonly responses?: object;
}

/** Fields of successful responses that the contract doesn't declare. */
export function countUndeclared({ contract, journal }: Pick<JudgedRun, 'contract' | 'journal'>): UndeclaredField[] {
  const found = new Map<string, UndeclaredField & { count: number }>();
  for (const { call, status, body } of journal.exchanges) {
    const { id: operation } = call.operation;
    const media = findResponse(call.operation, status)?.body;
    if (!media || body === undefined || status >= 300) continue;
    for (const pointer of listUndeclared(contract.bundle, media.schema, body)) {
      const key = `${operation} ${status} ${pointer}`;
      const { count = 0 } = found.get(key) ?? {};
      found.set(key, { operation, status: String(status), pointer, count: count + 1 });
    }
  }
  return [...found.values()];
}

/** The fields that the contract doesn't declare, as JSON pointers into the value; `*` stands for any index. */
export function listUndeclared(bundle: Bundle, schema: Schema, value: Json, at = ''): string[] {
  const parts = listSchemas(bundle, schema, value);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return items.flatMap((item) => value.flatMap((one) => listUndeclared(bundle, item, one, `${at}/*`)));
  }
  if (!isObject(value) || parts.every(({ properties }) => properties === undefined)) return [];
  const isOpen = parts.some(({ additionalProperties = false }) => additionalProperties !== false);
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = at + toPointer(name);
    const declared = parts.flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : []));
    if (declared.length === 0) return isOpen ? [] : [here];
    return declared.flatMap((one) => (one ? listUndeclared(bundle, one, inner, here) : []));
  });
}

/** The schema with all its parts, and the variant that the discriminator names. */
function listSchemas(bundle: Bundle, schema: Schema, value: Json): Schema[] {
  const whole = resolve(bundle, schema);
  const { allOf = [], anyOf = [], oneOf = [], discriminator } = whole;
  const name = discriminator && isObject(value) ? String(value[discriminator.propertyName]) : '';
  const variant = discriminator && Object.hasOwn(discriminator.mapping, name) ? discriminator.mapping[name] : undefined;
  const variants = variant === undefined ? oneOf : oneOf.filter(({ $ref }) => $ref === variant);
  return [whole, ...[...allOf, ...anyOf, ...variants].flatMap((part) => listSchemas(bundle, part, value))];
}
