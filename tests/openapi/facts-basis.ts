/**
 * The basis of a fact, as the document marks it: `x-source` names sections of the source, `x-assumption` entries of the
 * registry. The marks on the way to the fact count, through every reference, and so do those of the members that it
 * names. In the introduction each statement has its own mark.
 */
import type { Json } from '../../contract/src/model.ts';
import type { Fact } from './facts.ts';
import { compilePointer, find, passed, type Step } from './pointers.ts';

interface Marks {
  sections: string[];
  assumptions: string[];
}

const INTRODUCTION = '/info/description';
/** Facts without a mark: those of the source's head, which has no number, of the document's form, and of our sender. */
export const WITHOUT_MARKS: ReadonlySet<string> = new Set(['head', 'document', 'sender']);
const NAMING = new Set(['contains', 'exactly', 'lacks']);
/** Keywords that refuse values. `const` and `type` say what a value is, and rest on what their place rests on. */
const REFUSING = /^(required|enum|pattern|format|additionalProperties|uniqueItems|minimum|maximum|(min|max)[A-Z]\w+)$/;

/** Tells what is wrong with the basis of a fact; undefined if the document marks it. */
export function describeBasisDefect(fact: Fact, root: Json): string | undefined {
  if (WITHOUT_MARKS.has(fact.section)) return undefined;
  const { sections, assumptions } = marksOf(fact, root);
  const marked = `is marked with ${[...new Set([...sections, ...assumptions])].join(', ') || 'nothing'}`;
  const defect = (problem: string) => `${fact.section}: ${fact.fact}\n  at ${fact.pointer}\n  ${problem}`;
  const isFromSource = /^\d/.test(fact.section);
  if (!(isFromSource ? sections : assumptions).includes(fact.section)) return defect(marked);
  const assumed = isFromSource ? refusedByChoice(fact, root) : undefined;
  if (assumed && !(fact.assumed !== undefined && assumed.includes(fact.assumed))) {
    return defect(`refuses values by choice; write assumed with one of: ${assumed.join(', ')}`);
  }
  return fact.assumed !== undefined && !assumed
    ? defect(`is specified; leave out assumed: ${fact.assumed}`)
    : undefined;
}

function marksOf(fact: Fact, root: Json): Marks {
  if (fact.stated?.startsWith('/')) return marksAt(root, [compilePointer(fact.stated)]);
  if (fact.stated !== undefined) return marksOfStatement(root, fact.stated);
  if (fact.pointer === INTRODUCTION) return marksOfStatement(root, String(fact.expected));
  const steps = compilePointer(fact.pointer);
  const names = NAMING.has(fact.expectation) ? [fact.expected].flat().map(String) : [];
  return marksAt(root, [steps, ...names.map((name) => memberOf(steps, name))]);
}

function marksAt(root: Json, ways: Step[][]): Marks {
  // A fact about a reference is about the target of the reference.
  const nodes = ways.flatMap((way) => passed(root, way.at(-1) === '$ref' ? way.slice(0, -1) : way));
  return { sections: nodes.flatMap(sectionsOf), assumptions: nodes.flatMap(assumptionsOf) };
}

/** A name in `required` is the name of a property. */
function memberOf(steps: Step[], name: string): Step[] {
  return steps.at(-1) === 'required' ? [...steps.slice(0, -1), 'properties', name] : [...steps, name];
}

/** The marks from where the pattern begins to match, until the end of the statement in which the match ends. */
function marksOfStatement(root: Json, pattern: string): Marks {
  const text = String(find(root, compilePointer(INTRODUCTION)));
  const match = new RegExp(pattern, 'is').exec(text);
  if (!match) return { sections: [], assumptions: [] };
  const end = match.index + match[0].length;
  const rest = /^[^\n]*?<\/sup>/.exec(text.slice(end))?.[0] ?? '';
  const prints = [...(match[0] + rest).matchAll(/<sup>(.*?)<\/sup>/g)].map(([, print = '']) => print).join();
  return {
    sections: [...prints.matchAll(/§([\d.]+)/g)].map(([, section = '']) => section),
    assumptions: [...prints.matchAll(/\[([a-z-]+)\]/g)].map(([, id = '']) => id),
  };
}

/** The assumptions at a keyword that refuses values without the source saying so; undefined if there are none. */
function refusedByChoice(fact: Fact, root: Json): string[] | undefined {
  const steps = compilePointer(fact.pointer);
  const keyword = steps.at(-1);
  // The sender's own form refuses nothing that a reader gets, and neither do the known values of an open enumeration.
  const isChoice = typeof keyword === 'string' && REFUSING.test(keyword) && !steps.includes('x-sender');
  if (!isChoice || (keyword === 'enum' && steps.includes('anyOf')) || !fact.holds(root)) return undefined;
  if (fact.expectation === 'absent' || fact.expectation === 'lacks') return undefined;
  const nodes = passed(root, steps.slice(0, -1));
  if (nodes.some((node) => listOf(node, 'x-specified').includes(keyword))) return undefined;
  const ids = nodes.slice(-1).flatMap(assumptionsOf);
  return ids.length > 0 ? ids : undefined;
}

function sectionsOf(node: Json): string[] {
  // An entry of the registry names the section that leaves it open.
  return [...listOf(node, 'x-source'), ...(isEntry(node) ? listOf(node, 'section') : [])];
}

function assumptionsOf(node: Json): string[] {
  return [...listOf(node, 'x-assumption'), ...(isEntry(node) ? listOf(node, 'id') : [])];
}

function isEntry(node: Json): boolean {
  return listOf(node, 'assumed').length > 0;
}

function listOf(node: Json, key: string): string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [];
  return [node[key] ?? []].flat().map(String);
}
