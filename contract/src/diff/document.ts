/**
 * Compares two documents, and rates every change by the version that it needs.
 *
 * Redocly's `diff` was tried first. It passes over `x-` fields (state machines, decline texts), takes the growth of an
 * open enumeration, every loosened limit and every tightened one for breaking, and reads a webhook's headers as if the
 * merchant sent them. Each of these would need an exception here, so the comparison is made here.
 *
 * Known limits: a pattern or format that changed counts as breaking, since two patterns cannot be ordered; a renamed
 * component counts as removed and added; prose is not understood, so a changed promise in a description is rated
 * editorial.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Bundle, JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';
import { addition, type Change, Comparison, removal, type Scope } from './change.ts';
import { compareRest, compareWords } from './fields.ts';
import { asObject, bare, childObject, follow, listObjects, type Node, show, unionKeys } from './node.ts';
import { compareOperations, compareSecuritySchemes, OPERATION, WEBHOOK } from './operation.ts';

/** Everything in which the revision differs from the base, the gravest first. A change of `info.version` itself does not count. */
export function compareDocuments(base: Bundle, revision: Bundle): Change[] {
  const [before, after] = [bare(base as unknown as JsonObject), bare(revision as unknown as JsonObject)];
  const comparison = new Comparison(before, after);
  const old: Node<JsonObject> = { value: before, pointer: '' };
  const now: Node<JsonObject> = { value: after, pointer: '' };
  const scope: Scope = { comparison, direction: 'toService', place: '' };
  comparePaths(comparison, childObject(old, 'paths'), childObject(now, 'paths'));
  compareWebhooks(comparison, childObject(old, 'webhooks'), childObject(now, 'webhooks'));
  compareMachines(comparison, childObject(old, 'x-state-machines'), childObject(now, 'x-state-machines'));
  compareAssumptions(comparison, old, now);
  compareServers(comparison, old, now);
  compareInfo(comparison, childObject(old, 'info'), childObject(now, 'info'));
  compareComponents(comparison, childObject(old, 'components'), childObject(now, 'components'));
  compareRest(scope, old, now, HANDLED);
  return comparison.changes();
}

const HANDLED = new Set([
  'paths',
  'webhooks',
  'components',
  'info',
  'servers',
  'security',
  'x-state-machines',
  'x-assumptions',
]);

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

function comparePaths(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const path of unionKeys(before.value, after.value)) {
    const old = follow(comparison, 'base', childObject(before, path));
    const now = follow(comparison, 'revision', childObject(after, path));
    const scope: Scope = { comparison, direction: 'toService', place: '' };
    for (const method of unionKeys(old.value, now.value).filter((key) => METHODS.has(key))) {
      const [from, to] = [childObject(old, method), childObject(now, method)];
      const name = `operation ${method.toUpperCase()} ${path}`;
      if (now.value[method] === undefined) removal(scope, from.pointer, `${name} removed`);
      else if (old.value[method] === undefined) addition(scope, to.pointer, `${name} added`);
      else compareOperations(comparison, OPERATION, from, to);
    }
    compareRest(scope, old, now, METHODS);
  }
}

function compareWebhooks(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const scope: Scope = { comparison, direction: 'toMerchant', place: '' };
  for (const name of unionKeys(before.value, after.value)) {
    const old = follow(comparison, 'base', childObject(before, name));
    const now = follow(comparison, 'revision', childObject(after, name));
    if (after.value[name] === undefined) removal(scope, old.pointer, `webhook ${name} removed`);
    else if (before.value[name] === undefined) addition(scope, now.pointer, `webhook ${name} added`);
    else {
      compareOperations(comparison, WEBHOOK, childObject(old, 'post'), childObject(now, 'post'));
      compareRest(scope, old, now, new Set(['post']));
    }
  }
}

/** A changed assumption may affect both sides; its reasons are prose. */
function compareAssumptions(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const [old, now] = [listObjects(before, 'x-assumptions', readId), listObjects(after, 'x-assumptions', readId)];
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(id), now.get(id)];
    const pointer = (to ?? from)?.pointer ?? '';
    if (from?.value['assumed'] !== to?.value['assumed']) {
      const verb = from ? (to ? 'changed; see whether callers or services have to' : 'removed') : 'added';
      comparison.add({ level: 'minor', pointer, message: `assumption ${id} ${verb}` });
    }
    if (!from || !to) continue;
    for (const key of unionKeys(from.value, to.value).filter((name) => name !== 'assumed')) {
      const name = `assumption ${id}: ${key}`;
      compareWords(comparison, name, from.value[key], to.value[key], pointer + toPointer(key));
    }
  }
}

function compareServers(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const [old, now] = [listObjects(before, 'servers', formatAddress), listObjects(after, 'servers', formatAddress)];
  const scope: Scope = { comparison, direction: 'toService', place: '' };
  for (const [url, { pointer }] of old) if (!now.has(url)) removal(scope, pointer, `server ${url} removed`);
  for (const [url, { value, pointer }] of now) {
    const other = old.get(url);
    if (other) compareWords(comparison, `server ${url}`, other.value, value, pointer);
    else addition(scope, pointer, `server ${url} added`);
  }
}

function readId({ id }: JsonObject): string {
  return String(id);
}

/** The URL with the defaults of its variables, in which two servers can differ alone. */
function formatAddress({ url, variables }: JsonObject): string {
  return String(url).replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = asObject(asObject(variables)[name])['default'];
    return typeof value === 'string' ? value : mark;
  });
}

function compareInfo(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const key of unionKeys(before.value, after.value).filter((name) => name !== 'version')) {
    const pointer = after.pointer + toPointer(key);
    compareWords(comparison, `info ${key}`, before.value[key], after.value[key], pointer);
  }
}

/**
 * Generated types use schema names, so removing a name breaks programs. A component that no message uses is compared as
 * text, since no other comparison covers it.
 */
function compareComponents(comparison: Comparison, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const schemes = 'securitySchemes';
  compareSecuritySchemes(comparison, childObject(before, schemes), childObject(after, schemes));
  for (const kind of unionKeys(before.value, after.value).filter((name) => name !== schemes)) {
    const [old, now] = [childObject(before, kind), childObject(after, kind)];
    for (const name of unionKeys(old.value, now.value)) {
      const [from, to] = [old.value[name], now.value[name]];
      const pointer = now.pointer + toPointer(name);
      if (kind === 'schemas' && (from === undefined || to === undefined)) {
        compareSchemaNames(comparison, pointer, name, to !== undefined);
      } else if (!comparison.reached.has(pointer) && !isDeepStrictEqual(from, to)) {
        compareWords(comparison, `unused ${kind} ${name}`, from, to, pointer);
      }
    }
  }
}

function compareSchemaNames(comparison: Comparison, pointer: string, name: string, added: boolean): void {
  const scope: Scope = { comparison, direction: 'toMerchant', place: '' };
  const why = 'Programs that name its generated type no longer compile.';
  if (added) addition(scope, pointer, `schema ${name} added`);
  else comparison.add({ level: 'major', pointer, message: `schema ${name} removed`, why });
}

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
  const [old, now] = [listObjects(before, 'transitions', formatMove), listObjects(after, 'transitions', formatMove)];
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

/** Identifies a move by its ends and its cause, whatever the order of the moves. */
function formatMove({ from, to, by }: JsonObject): string {
  return `${from ?? 'creation'} → ${to} by ${by}`;
}
