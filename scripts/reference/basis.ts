/** The mark that says what a statement rests on: sections of the specification, and assumptions. */
import type { Json } from '../../contract/src/model.ts';

/** The page with an entry for each assumption. */
export const ASSUMPTIONS = 'assumptions';

/** A statement's mark, such as `(§4.1, [auth](assumptions.md#auth))`, or nothing for one that names neither. */
export function basisMark(node: object): string {
  const { 'x-source': sources, 'x-assumption': ids } = node as Record<string, Json | undefined>;
  const sections = list(sources).map((section) => `§${section}`);
  const assumed = list(ids).map((id) => `[${id}](${ASSUMPTIONS}.md#${id})`);
  const parts = [...sections, ...assumed];
  return parts.length > 0 ? `(${parts.join(', ')})` : '';
}

/** A mark within Markdown. */
export const MARK =
  /\((?:§[\d.]+|\[[a-z0-9-]+\]\(assumptions\.md#[a-z0-9-]+\))(?:, (?:§[\d.]+|\[[a-z0-9-]+\]\(assumptions\.md#[a-z0-9-]+\)))*\)/g;

function list(value: Json | undefined): string[] {
  return value === undefined ? [] : [value].flat().map(String);
}
