/** Compares the state machines: which states there are, and which moves between them the contract admits. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';
import type { Comparison } from './change.ts';
import { compareWords } from './fields.ts';
import { asObject, childObject, type Node, show, unionKeys } from './node.ts';

/** Compares the tables of both documents. */
export function compareMachines(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const name of unionKeys(before.value, after.value)) {
    const [old, now] = [childObject(before, name), childObject(after, name)];
    compareStates(comparison, name, childObject(old, 'states'), childObject(now, 'states'));
    compareMoves(comparison, name, old, now);
    compareWords(comparison, `${name} title`, old.value['title'], now.value['title'], `${now.pointer}/title`);
  }
}

function compareStates(comparison: Comparison, name: string, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const state of unionKeys(before.value, after.value)) {
    const [old, now] = [childObject(before, state), childObject(after, state)];
    const label = `${name} state ${state}`;
    if (after.value[state] === undefined) {
      const why = 'Programs that wait for it wait forever.';
      comparison.add({ level: 'major', pointer: old.pointer, message: `${label} removed`, why });
    } else if (before.value[state] === undefined) {
      comparison.add({ level: 'minor', pointer: now.pointer, message: `${label} added` });
    } else compareState(comparison, label, old, now);
  }
}

function compareState(comparison: Comparison, label: string, old: Node<JsonObject>, now: Node<JsonObject>): void {
  if (old.value['final'] !== now.value['final']) {
    const message = `${label} is ${now.value['final'] === true ? 'final now' : 'no longer final'}`;
    const why = 'Programs stop, or continue, at a state for which that was right before.';
    comparison.add({ level: 'major', pointer: `${now.pointer}/final`, message, why });
  }
  if (!isDeepStrictEqual(old.value['flows'], now.value['flows'])) {
    const message = `${label}: flows ${show(old.value['flows'])} → ${show(now.value['flows'])}`;
    comparison.add({ level: 'minor', pointer: `${now.pointer}/flows`, message });
  }
  for (const key of unionKeys(old.value, now.value).filter((field) => field !== 'final' && field !== 'flows')) {
    compareWords(comparison, `${label}: ${key}`, old.value[key], now.value[key], now.pointer + toPointer(key));
  }
}

function compareMoves(comparison: Comparison, name: string, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const [old, now] = [moves(before), moves(after)];
  for (const [move, { pointer }] of old) {
    if (now.has(move)) continue;
    const why = 'Programs that cause this move, or wait for it, no longer get it.';
    comparison.add({ level: 'major', pointer, message: `${name} move ${move} removed`, why });
  }
  for (const [move, { value, pointer }] of now) {
    const other = old.get(move);
    if (!other) {
      comparison.add({ level: 'minor', pointer, message: `${name} move ${move} added` });
      continue;
    }
    for (const key of unionKeys(other.value, value)) {
      compareWords(comparison, `${name} move ${move}: ${key}`, other.value[key], value[key], pointer + toPointer(key));
    }
  }
}

/** The moves by their ends and who causes them, whatever their order. */
function moves({ value, pointer }: Node<JsonObject>): Map<string, Node<JsonObject>> {
  const list = value['transitions'];
  return new Map(
    (Array.isArray(list) ? list : []).map((entry, index) => {
      const move = asObject(entry);
      const name = `${move['from'] ?? 'creation'} → ${move['to']} by ${move['by']}`;
      return [name, { value: move, pointer: `${pointer}/transitions/${index}` }];
    }),
  );
}
