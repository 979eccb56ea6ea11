/** The registry of assumptions is complete, and each entry is used where it applies. */
import { type Assumption, locateKey, type Placed, type Provenance, type Root, toList } from '../document.ts';
import { assumptions, machineStatements } from '../extensions.ts';
import type { Context, Location, Rule } from '../redocly.ts';

const FIELDS = ['id', 'section', 'open', 'assumed', 'why', 'also_done_by'];
const SENTENCES = ['open', 'assumed', 'why'];

/** The rule `contract/assumption-registry`. */
export const assumptionRegistry: Rule = () => {
  const uses: { id: string; location: Location }[] = [];
  const collect = ({ node, location }: Placed<Provenance>): void => {
    for (const id of toList(node['x-assumption'])) uses.push({ id, location: location.child('x-assumption') });
  };
  return {
    any: (node: Provenance | null, context) => {
      if (typeof node === 'object' && node !== null) collect({ node, location: context.location });
    },
    Root: {
      leave: (root: Root, context) => {
        machineStatements(context, root).forEach(collect);
        const registry = assumptions(context, root);
        for (const [index, entry] of registry.entries()) {
          for (const field of FIELDS) checkField(entry, field, context);
          checkId(entry, registry.slice(0, index), uses, context);
        }
        const ids = registry.map(({ node }) => node.id);
        for (const { id, location } of uses.filter((use) => !ids.includes(use.id))) {
          context.report({
            message: `assumption not found: ${id}; add it to x-assumptions, or use an id from there`,
            location,
          });
        }
      },
    },
  };
};

function checkId(
  { node, location }: Placed<Assumption>,
  before: Placed<Assumption>[],
  uses: { id: string }[],
  context: Context,
) {
  const { id } = node;
  if (id === undefined) return;
  const at = location.child('id');
  if (before.some((other) => other.node.id === id)) {
    context.report({
      message: `the assumption id '${id}' is there twice; give this entry an id of its own`,
      location: at,
    });
  }
  if (!uses.some((use) => use.id === id)) {
    context.report({
      message: `assumption '${id}' is used nowhere; write x-assumption: ${id} where it applies, or remove the entry`,
      location: at,
    });
  }
}

function checkField({ node, location }: Placed<Assumption>, field: string, context: Context): void {
  const text = node[field];
  if (!text) {
    context.report({ message: `assumption '${node.id}' has no ${field}; write it`, location: location.key() });
  } else if (SENTENCES.includes(field) && !text.trimEnd().endsWith('.')) {
    context.report({
      message: `${field} of assumption '${node.id}' does not end with a full stop; write one`,
      location: locateKey(node, field, location),
    });
  }
}
