/**
 * The rules read nodes as if these had the shape that OpenAPI gives them. Where they do not, such as at a key with
 * nothing behind it, a rule would fail and end the whole run without a word about the place: so it reports the place.
 */
import type { Context, Rule, Visit, Visitor } from './redocly.ts';

/** The same rule, but a node that it cannot read is a problem of the document. */
export function guarded(rule: Rule<never>): Rule<never> {
  return (options) => {
    const visitor: Visitor = {};
    for (const [type, visit] of Object.entries(rule(options))) {
      visitor[type] =
        typeof visit === 'function'
          ? guardedVisit(visit)
          : Object.fromEntries(Object.entries(visit).map(([moment, each]) => [moment, guardedVisit(each)]));
    }
    return visitor;
  };
}

function guardedVisit(visit: Visit): Visit {
  return (node, context: Context) => {
    try {
      visit(node, context);
    } catch (error) {
      const message = `this, or what it refers to, has the wrong shape, such as a key without a value (${(error as Error).message})`;
      context.report({ message, location: context.location.key() });
    }
  };
}
