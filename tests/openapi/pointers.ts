/**
 * Pointers of the table of facts: JSON pointers that pass through every `$ref` on their way, with four additions.
 * - `{a,b}` writes several pointers at once, and `<group>` does so with a list of facts/groups.yaml;
 *   braces without a comma are letters of a key, such as `{transaction_id}`.
 * - `key=value` picks the item of an array whose member is that value; `&` joins several.
 * - `*` gathers all items or members into one array.
 * - A last `$ref` is the reference itself.
 */
import { atPointer, type Json } from '../../contract/src/model.ts';
import { parsePointer } from '../../contract/src/pointer.ts';

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
  return parsePointer(pointer).map((token) => {
    if (token === '*') return { all: true };
    if (!/^[\w$-]+=/.test(token)) return token;
    return { where: token.split('&').map((part) => /^(.*?)=(.*)$/s.exec(part)?.slice(1) as [string, string]) };
  });
}

/** Looks a compiled pointer up. */
export function find(root: Json, steps: Step[]): Found {
  return walk(root, root, steps);
}

function walk(root: Json, start: Found, [step, ...rest]: Step[]): Found {
  if (step === undefined) return follow(root, start);
  if (isEnd(step, rest)) return member(start, '$ref');
  const value = follow(root, start);
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof step === 'string' || 'where' in step) return walk(root, next(root, value, step), rest);
  // Arrays stay whole, so that nested gatherings are not flattened by accident.
  return Object.values(value).flatMap((item) => {
    const found = walk(root, item, rest);
    return found === undefined ? [] : [found];
  });
}

/** All values along a compiled pointer, from the root as far as it leads. Branches at `*`. */
export function passed(root: Json, steps: Step[]): Json[] {
  return pass(root, root, steps);
}

function pass(root: Json, start: Found, [step, ...rest]: Step[]): Json[] {
  if (start === undefined) return [];
  const value = isEnd(step, rest) ? start : follow(root, start);
  const here = value === undefined || value === start ? [start] : [start, value];
  if (step === undefined || typeof value !== 'object' || value === null) return here;
  const found = typeof step === 'object' && 'all' in step ? Object.values(value) : [next(root, value, step)];
  return [...here, ...found.flatMap((item) => pass(root, item, rest))];
}

/** Whether the step is a last `$ref`, the reference itself. */
function isEnd(step: Step | undefined, rest: Step[]): boolean {
  return step === '$ref' && rest.length === 0;
}

function next(root: Json, value: Json, step: Exclude<Step, { all: true }>): Found {
  if (typeof step === 'string') return member(value, step);
  return Object.values(value as object).find((item: Json) =>
    step.where.every(([key, wanted]) => String(member(key === '$ref' ? item : follow(root, item), key)) === wanted),
  );
}

/** The value referenced by a node, or the node itself. */
function follow(root: Json, start: Found): Found {
  let value = start;
  for (let ref = member(value, '$ref'); typeof ref === 'string'; ref = member(value, '$ref'))
    value = atPointer(root, ref) as Json;
  return value;
}

function member(value: Found, key: string): Found {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, Json>)[key];
}
