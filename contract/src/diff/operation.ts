/**
 * Compares two operations or two webhooks: parameters, bodies, responses, callbacks, security.
 * A request goes to the service and its response to the merchant; for a webhook it is the other way round.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';
import { addition, type Comparison, type Direction, effect, removal, type Scope } from './change.ts';
import { compareRest, compareWords } from './fields.ts';
import { asObject, child, childObject, follow, type Node, unionKeys } from './node.ts';
import { compareRequired, compareSchemas } from './schema.ts';

/** Directions of an operation's messages, and the name of its request. */
interface Kind {
  request: Direction;
  answer: Direction;
  requestName: string;
}

export const OPERATION: Kind = { request: 'toService', answer: 'toMerchant', requestName: 'request' };
export const WEBHOOK: Kind = { request: 'toMerchant', answer: 'toService', requestName: 'event' };

export function compareOperations(
  comparison: Comparison,
  kind: Kind,
  before: Node<JsonObject>,
  after: Node<JsonObject>,
): void {
  const id = String(after.value['operationId'] ?? after.pointer);
  const request: Scope = { comparison, direction: kind.request, place: `${id} ${kind.requestName}` };
  const answer: Scope = { comparison, direction: kind.answer, place: id };
  compareParameters(request, before, after);
  compareBodies(request, before, after);
  compareAnswers(answer, childObject(before, 'responses'), childObject(after, 'responses'));
  compareCallbacks(answer, childObject(before, 'callbacks'), childObject(after, 'callbacks'));
  compareSecurity({ ...request, place: id }, before, after);
  compareRest(
    { ...request, place: id },
    before,
    after,
    new Set(['parameters', 'requestBody', 'responses', 'callbacks', 'security']),
  );
}

// --- requests -----------------------------------------------------------------------------------------------------

function compareParameters(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const old = parameters(scope.comparison, 'base', before);
  const now = parameters(scope.comparison, 'revision', after);
  for (const [name, node] of old) {
    const other = now.get(name);
    if (other) compareValued(scope, name, node, other);
    else removal(scope, node.pointer, `${name} removed`);
  }
  for (const [name, node] of now) if (!old.has(name)) addValued(scope, name, node);
}

/** The parameters by place and name. Names of headers are the same in any case. */
function parameters(
  comparison: Comparison,
  side: 'base' | 'revision',
  operation: Node<JsonObject>,
): Map<string, Node<JsonObject>> {
  const list = operation.value['parameters'];
  return new Map(
    (Array.isArray(list) ? list : []).map((value, index) => {
      const node = follow(comparison, side, { value, pointer: `${operation.pointer}/parameters/${index}` });
      const name = String(node.value['name']);
      return [`${node.value['in']} parameter ${node.value['in'] === 'header' ? name.toLowerCase() : name}`, node];
    }),
  );
}

/** A parameter or header that only the new document has. */
function addValued(scope: Scope, name: string, { value, pointer }: Node<JsonObject>): void {
  if (value['required'] === true) effect(scope, 'narrows', pointer, `required ${name} added`);
  else addition(scope, pointer, `optional ${name} added`);
}

/** A parameter or header that both documents have. */
function compareValued(scope: Scope, name: string, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const must = { old: before.value['required'] === true, now: after.value['required'] === true };
  compareRequired(scope, `${after.pointer}/required`, name, must);
  compareSchemas(scope, child(before, 'schema'), child(after, 'schema'));
  compareExamples(scope, before, after);
  compareRest(scope, before, after, new Set(['name', 'in', 'required', 'schema', 'examples']));
}

function compareBodies(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const key = 'requestBody';
  const from = follow(scope.comparison, 'base', child(before, key));
  const to = follow(scope.comparison, 'revision', child(after, key));
  if (before.value[key] === undefined && after.value[key] === undefined) return;
  if (after.value[key] === undefined) removal(scope, from.pointer, 'body removed');
  else if (before.value[key] === undefined) addValued(scope, 'body', to);
  else {
    const must = { old: from.value['required'] === true, now: to.value['required'] === true };
    compareRequired(scope, `${to.pointer}/required`, 'body', must);
    compareContent(scope, from, to);
    compareRest(scope, from, to, new Set(['required', 'content']));
  }
}

function compareContent(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const [old, now] = [childObject(before, 'content'), childObject(after, 'content')];
  for (const type of unionKeys(old.value, now.value)) {
    const [from, to] = [childObject(old, type), childObject(now, type)];
    if (now.value[type] === undefined) removal(scope, from.pointer, `media type ${type} removed`);
    else if (old.value[type] === undefined) addition(scope, to.pointer, `media type ${type} added`);
    else {
      compareSchemas(scope, child(from, 'schema'), child(to, 'schema'));
      compareExamples(scope, from, to);
      compareRest(scope, from, to, new Set(['schema', 'examples']));
    }
  }
}

/** Examples count as prose, since the schema defines which messages are valid. */
function compareExamples(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const [old, now] = [childObject(before, 'examples'), childObject(after, 'examples')];
  for (const name of unionKeys(old.value, now.value)) {
    const from = old.value[name] === undefined ? undefined : follow(scope.comparison, 'base', child(old, name));
    const to = now.value[name] === undefined ? undefined : follow(scope.comparison, 'revision', child(now, name));
    if (isDeepStrictEqual(from?.value, to?.value)) continue;
    const verb = from ? (to ? 'changed' : 'removed') : 'added';
    const pointer = (to ?? from)?.pointer ?? now.pointer;
    scope.comparison.add({ level: 'patch', pointer, message: `example ${name} ${verb}` }, scope.place);
  }
}

// --- responses ----------------------------------------------------------------------------------------------------

function compareAnswers(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const status of unionKeys(before.value, after.value)) {
    const inside = { ...scope, place: `${scope.place} ${status}` };
    const at = toPointer(status);
    if (after.value[status] === undefined) removal(inside, before.pointer + at, `response ${status} removed`);
    else if (before.value[status] === undefined) addAnswer(inside, after.pointer + at, status);
    else {
      const from = follow(scope.comparison, 'base', child(before, status));
      const to = follow(scope.comparison, 'revision', child(after, status));
      compareHeaders(inside, childObject(from, 'headers'), childObject(to, 'headers'));
      compareContent(inside, from, to);
      compareRest(inside, from, to, new Set(['headers', 'content']));
    }
  }
}

/** HTTP has callers treat an error that they do not know like the first of its hundred; a success has a body to read. */
function addAnswer(scope: Scope, pointer: string, status: string): void {
  if (status.startsWith('2')) effect(scope, 'widens', pointer, `response ${status} added`);
  else addition(scope, pointer, `response ${status} added`);
}

function compareHeaders(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const name of unionKeys(before.value, after.value)) {
    const label = `header ${name}`;
    if (after.value[name] === undefined) {
      removal(scope, before.pointer + toPointer(name), `${label} removed`);
      continue;
    }
    const to = follow(scope.comparison, 'revision', child(after, name));
    if (before.value[name] === undefined) addValued(scope, label, to);
    else compareValued(scope, label, follow(scope.comparison, 'base', child(before, name)), to);
  }
}

/** A callback repeats the webhook of the same name, whose contents are compared there. */
function compareCallbacks(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  for (const name of unionKeys(before.value, after.value)) {
    const [old, now] = [childObject(before, name), childObject(after, name)];
    if (after.value[name] === undefined) removal(scope, old.pointer, `callback ${name} removed`);
    else if (before.value[name] === undefined) addition(scope, now.pointer, `callback ${name} added`);
    else if (!isDeepStrictEqual(Object.keys(old.value), Object.keys(now.value))) {
      const addresses = [old, now].map(({ value }) => Object.keys(value).join(', '));
      effect(scope, 'alters', now.pointer, `callback ${name}: ${addresses.join(' → ')}`);
    } else compareForeignCallbacks(scope, name, old, now);
  }
}

function compareForeignCallbacks(scope: Scope, name: string, old: Node<JsonObject>, now: Node<JsonObject>): void {
  const { base, revision } = scope.comparison;
  if ([base, revision].every((document) => asObject(document['webhooks'])[name] !== undefined)) return;
  for (const address of Object.keys(now.value)) {
    const [from, to] = [childObject(old, address), childObject(now, address)];
    for (const method of unionKeys(from.value, to.value)) {
      compareOperations(scope.comparison, WEBHOOK, childObject(from, method), childObject(to, method));
    }
  }
}

// --- security -----------------------------------------------------------------------------------------------------

/** Each entry of `security` is a way in; no entry at all is an open door. */
function compareSecurity(scope: Scope, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const { base, revision } = scope.comparison;
  const [old, now] = [
    listSecuritySchemes(before.value['security'], base),
    listSecuritySchemes(after.value['security'], revision),
  ];
  const at = `${after.pointer}/security`;
  for (const way of old.filter((entry) => !now.includes(entry))) {
    if (now.includes('{}')) addition(scope, at, `security ${way} no longer asked for`);
    else
      effect(scope, 'narrows', at, way === '{}' ? 'security is asked for now' : `security ${way} no longer accepted`);
  }
  for (const way of now.filter((entry) => !old.includes(entry))) {
    if (way !== '{}' && !old.includes('{}')) addition(scope, at, `security ${way} accepted too`);
  }
}

function listSecuritySchemes(own: Json | undefined, document: JsonObject): string[] {
  const list = own ?? document['security'] ?? [];
  return Array.isArray(list) && list.length > 0 ? list.map((entry) => JSON.stringify(entry)) : ['{}'];
}

/** Compares the table of security schemes. A scheme can change, but not widen or narrow. */
export function compareSecuritySchemes(
  comparison: Comparison,
  before: Node<JsonObject>,
  after: Node<JsonObject>,
): void {
  for (const name of unionKeys(before.value, after.value)) {
    const scope: Scope = { comparison, direction: 'toService', place: '' };
    const [old, now] = [childObject(before, name), childObject(after, name)];
    if (after.value[name] === undefined) removal(scope, old.pointer, `security scheme ${name} removed`);
    else if (before.value[name] === undefined) addition(scope, now.pointer, `security scheme ${name} added`);
    else {
      // The format of the credential is a hint for people (OpenAPI 3.1, section 4.8.27).
      const hint = 'bearerFormat';
      compareWords(comparison, hint, old.value[hint], now.value[hint], `${now.pointer}/${hint}`);
      compareRest(scope, old, now, new Set([hint]));
    }
  }
}
