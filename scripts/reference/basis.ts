/** Renders the basis of a statement: sections of the specification, and assumptions. */
import type { Json } from '../../contract/src/model.ts';

/** The page with an entry for each assumption. */
export const ASSUMPTIONS = 'assumptions';

/**
 * Returns the mark of a statement, such as `(§4.1, [auth](assumptions.md#auth))`, or an empty string without a basis.
 */
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
