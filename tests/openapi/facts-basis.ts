/**
 * The basis of a fact as marked in the document: `x-source` names sections of the source. Marks count along the path to
 * the fact, through every reference, and on the members it names. In the introduction, each statement has its own mark.
 */
import type { Json } from '../../contract/src/model.ts';
import type { Fact } from './facts.ts';
import { compilePointer, find, passed, type Step } from './pointers.ts';

const INTRODUCTION = '/info/description';
/** The source's heading has no number and can't be cited. */
const HEAD = 'head';
const NAMING = new Set(['contains', 'exactly', 'lacks']);
/** Keywords that reject values. `const` and `type` define the value and share the basis of their location. */
const REFUSING = /^(required|enum|pattern|format|additionalProperties|uniqueItems|minimum|maximum|(min|max)[A-Z]\w+)$/;

/** Describes the mistake in a fact's basis. Undefined if the document marks it. */
export function describeBasisDefect(fact: Fact, root: Json): string | undefined {
  if (fact.section === HEAD) return undefined;
  const sections = new Set(listCitations(fact, root));
  const defect = (problem: string) => `${fact.section}: ${fact.fact}\n  at ${fact.pointer}\n  ${problem}`;
  if (!sections.has(fact.section)) return defect(`is marked with ${[...sections].join(', ') || 'nothing'}`);
  const assumed = refusedByChoice(fact, root);
  if (assumed && !(fact.assumed !== undefined && assumed.includes(fact.assumed))) {
    return defect(`refuses values by choice; write assumed with one of: ${assumed.join(', ')}`);
  }
  return fact.assumed !== undefined && !assumed
    ? defect(`is specified; leave out assumed: ${fact.assumed}`)
    : undefined;
}

function listCitations(fact: Fact, root: Json): string[] {
  if (fact.stated?.startsWith('/')) return citedAt(root, [compilePointer(fact.stated)]);
  if (fact.stated !== undefined) return citedByStatement(root, fact.stated);
  if (fact.pointer === INTRODUCTION) return citedByStatement(root, String(fact.expected));
  const steps = compilePointer(fact.pointer);
  const names = NAMING.has(fact.expectation) ? [fact.expected].flat().map(String) : [];
  return citedAt(root, [steps, ...names.map((name) => toMember(steps, name))]);
}

function citedAt(root: Json, ways: Step[][]): string[] {
  // A fact about a reference is about the target of the reference.
  return ways.flatMap((way) => passed(root, way.at(-1) === '$ref' ? way.slice(0, -1) : way)).flatMap(listSections);
}

/** A name in `required` is the name of a property. */
function toMember(steps: Step[], name: string): Step[] {
  return steps.at(-1) === 'required' ? [...steps.slice(0, -1), 'properties', name] : [...steps, name];
}

/** The sections cited from the start of the pattern's match to the end of the statement. */
function citedByStatement(root: Json, pattern: string): string[] {
  const text = String(find(root, compilePointer(INTRODUCTION)));
  const match = new RegExp(pattern, 'is').exec(text);
  if (!match) return [];
  const end = match.index + match[0].length;
  const rest = /^[^\n]*?<\/sup>/.exec(text.slice(end))?.[0] ?? '';
  const prints = [...(match[0] + rest).matchAll(/<sup>(.*?)<\/sup>/g)].map(([, print = '']) => print).join();
  return [...prints.matchAll(/§([\d.]+)/g)].map(([, section = '']) => section);
}

/** The assumptions at a keyword that refuses values without the source's support, if any. */
function refusedByChoice(fact: Fact, root: Json): string[] | undefined {
  const steps = compilePointer(fact.pointer);
  const keyword = steps.at(-1);
  // The strict sender form and the known values of an open enumeration reject no message that a reader receives.
  const isChoice = typeof keyword === 'string' && REFUSING.test(keyword) && !steps.includes('x-sender');
  if (!isChoice || (keyword === 'enum' && steps.includes('anyOf')) || !fact.holds(root)) return undefined;
  if (fact.expectation === 'absent' || fact.expectation === 'lacks') return undefined;
  const nodes = passed(root, steps.slice(0, -1));
  if (nodes.some((node) => readList(node, 'x-specified').includes(keyword))) return undefined;
  const ids = nodes.slice(-1).flatMap((node) => readList(node, 'x-assumption'));
  return ids.length > 0 ? ids : undefined;
}

/** An entry of the registry names the section that leaves it open. */
function listSections(node: Json): string[] {
  return [...readList(node, 'x-source'), ...(readList(node, 'assumed').length > 0 ? readList(node, 'section') : [])];
}

function readList(node: Json, key: string): string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [];
  return [node[key] ?? []].flat().map(String);
}
