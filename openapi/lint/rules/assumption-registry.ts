/** The assumptions of the registry are written in sentences, and each is used where it applies. */
import { type Assumption, locateKey, type Provenance, toList } from '../document.ts';
import type { Location, Rule } from '../redocly.ts';
import { endsWithStop } from '../text.ts';

const SENTENCES = ['open', 'assumed', 'why'] as const;

/** The rule `contract/assumption-registry`. */
export const assumptionRegistry: Rule = () => {
  const uses: { id: string; location: Location }[] = [];
  const entries = new Map<string, Location>();
  return {
    any: (node: Provenance | null, { location }) => {
      if (typeof node !== 'object' || node === null) return;
      for (const id of toList(node['x-assumption'])) uses.push({ id, location: location.child('x-assumption') });
    },
    Assumption: (entry: Assumption, { location, report }) => {
      const { id = '' } = entry;
      if (entries.has(id)) {
        report({
          message: `the assumption id '${id}' is there twice; give this entry another id`,
          location: location.child('id'),
        });
      }
      entries.set(id, location.child('id'));
      for (const field of SENTENCES) {
        if (endsWithStop(entry[field] ?? '.')) continue;
        report({
          message: `${field} of assumption '${id}' does not end with a full stop; write one`,
          location: locateKey(entry, field, location),
        });
      }
    },
    Root: {
      leave: (_: object, { report }) => {
        for (const { id, location } of uses) {
          if (entries.has(id)) continue;
          report({
            message: `assumption not found: ${id}; add it to x-assumptions, or use an id from there`,
            location,
          });
        }
        for (const [id, location] of entries) {
          if (uses.some((use) => use.id === id)) continue;
          report({
            message: `assumption '${id}' is used nowhere; write x-assumption: ${id} where it applies, or remove the entry`,
            location,
          });
        }
      },
    },
  };
};
