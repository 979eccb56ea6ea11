/**
 * Everything says where it comes from: `x-source` names a section of the specification, `x-assumption` an entry of the
 * assumption registry. The parts of an operation, such as its body and its successful responses, have the origin of
 * the operation.
 */
import {
  type Assumption,
  componentName,
  isReference,
  type Maybe,
  type Provenance,
  type Schema,
  toList,
} from '../document.ts';
import type { Context, Location, Rule, Visitor } from '../redocly.ts';

interface Options {
  /** The sections of the specification. */
  sections: string[];
}

const STATING = ['Operation', 'Parameter', 'Header', 'SecurityScheme', 'State', 'Transition'];

/** The rule `contract/provenance`. */
export const provenance: Rule = () => ({
  ...(Object.fromEntries(
    STATING.map((type) => [type, (node: Provenance, context: Context) => required(type, node, context)]),
  ) as Visitor),
  Response: (response: Provenance, context) => {
    const name = componentName('responses', context.location);
    if (name || !String(context.key).startsWith('2')) required(`response ${name ?? context.key}`, response, context);
  },
  Schema: (schema: Schema, context) => {
    const name = componentName('schemas', context.location);
    if (name) required(`schema ${name}`, schema, context);
  },
  SchemaProperties: (properties: Record<string, Maybe<Schema>>, context) => {
    for (const [name, schema] of Object.entries(properties)) {
      if (!schema || isReference(schema)) continue;
      required(`property ${name}`, schema, context, context.location.child(name));
    }
  },
});

function required(what: string, node: Provenance, context: Context, location = context.location): void {
  if (isStated(node['x-source']) || isStated(node['x-assumption'])) return;
  context.report({
    message: `${what} does not say where it comes from; write x-source with a section, or x-assumption with an id`,
    location: location.key(),
  });
}

function isStated(value: string | string[] | undefined): boolean {
  return toList(value).length > 0;
}

/** The rule `contract/source-section`: a section that is named exists. */
export const sourceSection: Rule<Options> = ({ sections }) => {
  const check = (named: unknown, location: Location, context: Context): void => {
    for (const section of toList(named)) {
      if (typeof section === 'string' && sections.includes(section)) continue;
      context.report({
        message: `${JSON.stringify(section)} is not a section of the specification; write one of ${sections.join(', ')} in quotes`,
        location,
      });
    }
  };
  return {
    any: (node: Provenance | null, context) => {
      if (typeof node !== 'object' || node?.['x-source'] === undefined) return;
      check(node['x-source'], context.location.child('x-source'), context);
    },
    Assumption: ({ section }: Assumption, context) => check(section, context.location.child('section'), context),
  };
};
