/** Parts of the contract that a run covered: measured from its messages, or declared by its checks. */

import { type Json, openEnum } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Result } from '../core/check.ts';
import { findEvent } from '../core/events.ts';
import { listHistories, listObservations } from '../core/history.ts';
import type { Contract } from '../document/contract.ts';
import { readString } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';
import { listAssumptions, machineByKind, transitionName } from './clause-text.ts';
import { COVERAGE_KINDS, type Coverage, type CoverageKind, type UndeclaredField } from './report.ts';
import { listAssumptionsAt, SchemaWalk } from './schema-walk.ts';

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

/** The coverage as reports show it, and the fields that the contract doesn't declare. */
export function measureCoverage(run: JudgedRun): { coverage: Coverage; undeclared: UndeclaredField[] } {
  const { exercised, undeclared } = observeRun(run);
  const coverage = Object.fromEntries(
    COVERAGE_KINDS.map((kind) => [
      kind,
      [...exercised[kind]].map(([name, checks]) => ({
        ...{ name, count: checks.size },
        checks: [...checks].slice(0, CHECKS_SHOWN),
      })),
    ]),
  ) as unknown as Coverage;
  return { coverage, undeclared };
}

/** Reads the journal. */
export function observeRun(run: JudgedRun): { exercised: CoveredParts; undeclared: UndeclaredField[] } {
  const recorder = new CoverageRecorder(run);
  observeExchanges(run, recorder);
  observeTransactions(run, recorder);
  recorder.close();
  for (const { id, clause, verdict, covered } of run.results) {
    for (const [kind, name] of covered) recorder.note(kind, name, id);
    const name = `${clause.pointer} (${clause.rests})`;
    if (!recorder.parts.clauses.has(name)) recorder.parts.clauses.set(name, new Set());
    if (verdict === 'not reached' || verdict === 'fault') continue;
    for (const assumption of listAssumptions(run.contract, clause)) recorder.note('assumptions', assumption.id, id);
    recorder.note('clauses', name, id);
  }
  return { exercised: recorder.parts as CoveredParts, undeclared: [...recorder.undeclared.values()] };
}

/** Collects the parts of the contract with the checks that cover them. */
class CoverageRecorder {
  readonly contract: Contract;
  readonly walk: SchemaWalk;
  readonly parts: Record<CoverageKind, Map<string, Set<string>>>;
  /** Leaves out the preflight's part of the journal. */
  readonly #checks: ReadonlySet<string>;
  readonly #touched = new Map<string, Set<string>>();
  readonly #assumptions = new Map<string, string[]>();
  readonly undeclared = new Map<string, UndeclaredField & { count: number }>();

  constructor({ contract, plan, results }: JudgedRun) {
    this.contract = contract;
    this.#checks = new Set(results.map(({ id }) => id));
    this.walk = new SchemaWalk(contract.bundle);
    const declared = plan.flatMap(({ covers = [], mayCover = [] }) => [...covers, ...mayCover]);
    const names = listParts(contract, this.walk);
    for (const [kind, name] of declared) names[kind] = [...(names[kind] ?? []), name];
    this.parts = Object.fromEntries(
      COVERAGE_KINDS.map((kind) => [kind, new Map(names[kind]?.map((name) => [name, new Set<string>()]))]),
    ) as unknown as Record<CoverageKind, Map<string, Set<string>>>;
  }

  /** Notes that a check exercised a part. Parts that the contract doesn't have are ignored. */
  note(kind: CoverageKind, name: string, check: string): void {
    if (this.#checks.has(check)) this.parts[kind].get(name)?.add(check);
  }

  /** Notes that a schema applied. `close` derives the rest once for each schema, since there are many values. */
  noteSchema(pointer: string, check: string): void {
    const checks = this.#touched.get(pointer);
    if (checks) checks.add(check);
    else this.#touched.set(pointer, new Set([check]));
  }

  /** Notes the properties, keywords and assumptions of the schemas that applied. */
  close(): void {
    for (const [pointer, checks] of this.#touched) {
      const keywords = this.walk.assertions(pointer).map((keyword) => `${pointer}/${keyword}`);
      for (const check of checks) {
        this.note('properties', pointer, check);
        for (const keyword of keywords) this.note('keywords', keyword, check);
        this.noteAssumptions(pointer, check);
      }
    }
  }

  /** Notes the assumptions that a place names. */
  noteAssumptions(pointer: string, check: string): void {
    const known = this.#assumptions.get(pointer) ?? listAssumptionsAt(this.contract.bundle, pointer);
    this.#assumptions.set(pointer, known);
    for (const id of known) this.note('assumptions', id, check);
  }

  noteUndeclared(operation: string, status: string, pointer: string): void {
    const key = `${operation} ${status} ${pointer}`;
    const known = this.undeclared.get(key) ?? { operation, status, pointer, count: 0 };
    this.undeclared.set(key, { ...known, count: known.count + 1 });
  }
}

/** The names of all parts that messages can cover. The clauses come from the checks. */
function listParts(contract: Contract, walk: SchemaWalk): Partial<Record<CoverageKind, string[]>> {
  const { operations, webhooks, bundle } = contract;
  const responses = operations.flatMap(({ id, responses: all }) => all.map((response) => ({ id, ...response })));
  const reached = new Set<string>();
  for (const { request, responses: all } of [...operations, ...webhooks]) {
    for (const body of [request, ...all.map((response) => response.body)]) {
      if (body) walk.reach(`${body.pointer}/schema`, reached);
    }
  }
  const machines = machineByKind(contract);
  return {
    operations: operations.map(({ id }) => id),
    responses: responses.map(({ id, status }) => `${id} ${status}`),
    examples: responses.flatMap(({ id, status, body }) =>
      (body?.examples ?? []).map(({ name }) => `${id} ${status} ${name}`),
    ),
    properties: [...reached].filter((pointer) => /\/properties\/[^/]+$/.test(pointer)),
    keywords: [...reached].flatMap((pointer) => walk.assertions(pointer).map((keyword) => `${pointer}/${keyword}`)),
    statuses: machines.flatMap(([kind, { states }]) => Object.keys(states).map((status) => `${kind} ${status}`)),
    transitions: machines.flatMap(([kind, { transitions }]) =>
      transitions.filter(({ tolerated }) => !tolerated).map(({ from, to }) => transitionName(kind, from, to)),
    ),
    'decline reasons': declineNames(contract),
    webhooks: webhooks.map(({ id }) => id),
    assumptions: bundle['x-assumptions'].map(({ id }) => id),
  };
}

function declineNames({ bundle }: Contract): string[] {
  const schemas: [TransactionKind, string][] = [
    ['payment', 'PaymentDeclineReason'],
    ['payout', 'PayoutDeclineReason'],
  ];
  return schemas.flatMap(([kind, name]) => {
    const schema = bundle.components.schemas[name];
    return ((schema && openEnum(schema)?.known) ?? []).map((code) => `${kind} ${code}`);
  });
}

function observeExchanges({ contract, journal }: JudgedRun, recorder: CoverageRecorder): void {
  const keys = new Map<string, string[]>();
  for (const { id, responses } of contract.operations) {
    for (const { status, body } of responses) {
      for (const { name, value } of body?.examples ?? []) {
        const key = `${id} ${status} ${toExampleKey(recorder.walk, body?.pointer, value)}`;
        keys.set(key, [...(keys.get(key) ?? []), `${id} ${status} ${name}`]);
      }
    }
  }
  for (const { call, check, status, body, requestText } of journal.exchanges) {
    const { id, request, responses, pointer } = call.operation;
    const response = responses.find((one) => one.status === String(status));
    if (status >= 200 && status < 300) recorder.note('operations', id, check);
    recorder.note('responses', `${id} ${status}`, check);
    recorder.noteAssumptions(pointer, check);
    if (response) recorder.noteAssumptions(response.pointer, check);
    const schema = (at: string) => recorder.noteSchema(at, check);
    if (request && requestText !== undefined && call.body !== undefined) {
      recorder.walk.touch(`${request.pointer}/schema`, call.body, { schema, undeclared: () => {} });
    }
    if (!response?.body || body === undefined) continue;
    const undeclared = (at: string) => status < 300 && recorder.noteUndeclared(id, String(status), at);
    recorder.walk.touch(`${response.body.pointer}/schema`, body, { schema, undeclared });
    for (const name of keys.get(`${id} ${status} ${toExampleKey(recorder.walk, response.body.pointer, body)}`) ?? []) {
      recorder.note('examples', name, check);
    }
  }
}

function observeTransactions({ contract, journal }: JudgedRun, recorder: CoverageRecorder): void {
  for (const history of listHistories(journal)) {
    const { kind, creation } = history;
    let from: string | null = null;
    for (const { exchange, body, status, delivery } of listObservations(history)) {
      const { check } = exchange ?? creation;
      recorder.note('statuses', `${kind} ${status}`, check);
      const reason = readString(body, 'decline_reason');
      if (reason !== undefined) recorder.note('decline reasons', `${kind} ${reason}`, check);
      if (status !== from) recorder.note('transitions', transitionName(kind, from, status), check);
      from = status;
      const event = delivery && findEvent(contract, kind, status)?.operation;
      if (!event) continue;
      recorder.note('webhooks', event.id, check);
      recorder.noteAssumptions(event.pointer, check);
      const schema = (at: string) => recorder.noteSchema(at, check);
      if (event.request) recorder.walk.touch(`${event.request.pointer}/schema`, body, { schema, undeclared: () => {} });
    }
  }
}

/** A key shared by an example and similar responses: status, decline reason, kind of problem, and known fields. */
function toExampleKey(walk: SchemaWalk, mediaPointer: string | undefined, value: Json): string {
  const told = ['status', 'decline_reason', 'type'].map((name) => readString(value, name) ?? '');
  return [...told, ...knownFields(walk, mediaPointer, value)].join(' ');
}

function knownFields(walk: SchemaWalk, mediaPointer: string | undefined, value: Json): string[] {
  if (typeof value !== 'object' || value === null || mediaPointer === undefined) return [];
  const unknown = new Set<string>();
  walk.touch(`${mediaPointer}/schema`, value, {
    schema: () => {},
    undeclared: (pointer) => unknown.add(pointer.slice(1)),
  });
  return Object.keys(value)
    .filter((name) => !unknown.has(name))
    .sort();
}
