/**
 * Pointers of the table of facts: JSON pointers that pass through every `$ref` on their way, with four additions.
 * - `{a,b}` writes several pointers at once, and `<group>` does so with a list of facts/groups.yaml;
 *   braces without a comma are letters of a key, such as `{transaction_id}`.
 * - `key=value` picks the item of an array whose member is that value; `&` joins several.
 * - `*` gathers all items or members into one array.
 * - A last `$ref` is the reference itself.
 */
import type { Json } from '../../contract/src/model.ts';

export type Step = string | { where: [string, string][] } | { all: true };

/** The value at a pointer, or undefined. */
export type Found = Json | undefined;

/** Expands `<group>` and `{a,b}`. Throws on an unknown group. */
export function expandPointer(text: string, groups: Record<string, string[]>): string[] {
  const named = text.replace(/<([a-z]+)>/g, (mark, name: string) => {
    const group = groups[name];
    if (!group) throw new Error(`${mark} is not a group of facts/groups.yaml`);
    return `{${group.join(',')}}`;
  });
  return expandBraces(named);
}

function expandBraces(text: string): string[] {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const { choices, end } = readChoices(text, start);
    if (choices.length > 1) {
      return choices.flatMap((choice) => expandBraces(text.slice(0, start) + choice + text.slice(end)));
    }
  }
  return [text];
}

/** The parts between the commas of the braces that open at `start`, ignoring commas of inner braces. */
function readChoices(text: string, start: number): { choices: string[]; end: number } {
  const cuts = [start];
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const letter = text[index];
    if (letter === '{') depth++;
    if (letter === ',' && depth === 1) cuts.push(index);
    if (letter === '}' && --depth === 0) {
      const ends = [...cuts.slice(1), index];
      return { choices: cuts.map((cut, part) => text.slice(cut + 1, ends[part])), end: index + 1 };
    }
  }
  throw new Error(`the braces of ${text} are not balanced`);
}

/** Compiles an expanded pointer into steps. */
export function compilePointer(pointer: string): Step[] {
  if (!pointer.startsWith('/')) throw new Error(`the pointer ${pointer} does not begin with a slash`);
  return pointer
    .slice(1)
    .split('/')
    .map((token) => {
      if (token === '*') return { all: true };
      if (!/^[\w$-]+=/.test(token)) return unescapeToken(token);
      return { where: token.split('&').map((part) => splitAt(part, part.indexOf('='))) };
    });
}

/** Looks a compiled pointer up. */
export function find(root: Json, steps: Step[]): Found {
  return walk(root, root, steps, 0);
}

function walk(root: Json, start: Found, steps: Step[], from: number): Found {
  let value = start;
  for (let index = from; index < steps.length; index++) {
    const step = steps[index];
    if (step === undefined) return undefined;
    if (step !== '$ref') value = follow(root, value);
    if (typeof value !== 'object' || value === null) return undefined;
    if (typeof step === 'string') value = member(value, step);
    else if ('where' in step) value = pick(root, value, step.where);
    else return Object.values(value).flatMap((item) => nothingOr(walk(root, item, steps, index + 1)));
  }
  return steps.at(-1) === '$ref' ? value : follow(root, value);
}

/** All values along a compiled pointer, from the root as far as it leads. Branches at `*`. */
export function passed(root: Json, steps: Step[]): Json[] {
  return pass(root, root, steps);
}

function pass(root: Json, start: Found, [step, ...rest]: Step[]): Json[] {
  if (start === undefined) return [];
  const own = start;
  const value = step === '$ref' ? own : follow(root, own);
  const here = value === undefined || value === own ? [own] : [own, value];
  if (step === undefined || typeof value !== 'object' || value === null) return here;
  if (typeof step === 'string') return [...here, ...pass(root, member(value, step), rest)];
  if ('where' in step) return [...here, ...pass(root, pick(root, value, step.where), rest)];
  return [...here, ...Object.values(value).flatMap((item: Json) => pass(root, item, rest))];
}

/** The value referenced by a node, or the node itself. */
export function follow(root: Json, start: Found): Found {
  let value = start;
  for (let hops = 0; hops < 10; hops++) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const ref = value['$ref'];
    if (typeof ref !== 'string') return value;
    value = at(root, ref);
  }
  return undefined;
}

const refs = new Map<string, string[]>();

function at(root: Json, ref: string): Found {
  const path = refs.get(ref) ?? ref.replace(/^#\//, '').split('/').map(unescapeToken);
  refs.set(ref, path);
  let value: Found = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = member(value, key);
  }
  return value;
}

function member(value: object, key: string): Found {
  return Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined;
}

function pick(root: Json, value: object, where: [string, string][]): Found {
  return Object.values(value).find((item: Json) =>
    where.every(([key, wanted]) => {
      const target = key === '$ref' ? item : follow(root, item);
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return false;
      return String(member(target, key)) === wanted;
    }),
  );
}

/** A gathered value. Arrays stay whole, so that nested gatherings are not flattened by accident. */
function nothingOr(found: Found): Json[] {
  return found === undefined ? [] : [found];
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), unescapeToken(text.slice(index + 1))];
}
