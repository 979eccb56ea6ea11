/**
 * A keyword that refuses values needs a reason. Either the source says it: then `x-specified` names the keyword next to
 * `x-source`. Or it is a choice: then an assumption that is named there lists the keyword under `narrows`. Without one
 * of the two, a service that follows the source to the letter could be refused.
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
import type { Context, Location, Rule } from '../redocly.ts';

interface Options {
  /** Keywords that refuse values. */
  keywords: string[];
}

interface Narrowing {
  keyword: string;
  specified: readonly string[];
  ids: readonly string[];
  location: Location;
}

interface Basis {
  specified: readonly string[];
  ids: readonly string[];
}

type Node = Schema & { 'x-specified'?: string | string[]; required?: boolean | string[]; in?: string };

/** The rule `contract/narrowing`. */
export const narrowing: Rule<Options> = ({ keywords }) => {
  const found: Narrowing[] = [];
  const registry = new Map<string, readonly string[]>();

  function visit(node: Maybe<Schema>, inherited: Basis, location: Location): void {
    if (typeof node !== 'object' || node === null || isReference(node)) return;
    const basis = extend(inherited, node);
    for (const keyword of keywords) {
      if (narrows(node, keyword)) found.push({ keyword, ...basis, location: location.child(keyword) });
    }
    // Parts without a name have no statement of their own; properties have one.
    for (const part of ['items', 'additionalProperties'] as const) {
      const child = node[part];
      if (typeof child === 'object') visit(child, basis, location.child(part));
    }
    for (const part of ['allOf', 'anyOf', 'oneOf'] as const) {
      for (const [index, child] of (node[part] ?? []).entries()) {
        // The known values of an open enumeration refuse nothing: its other branch takes the rest.
        if (!(part === 'anyOf' && isOpenEnum(node))) visit(child, basis, location.child([part, index]));
        else if (!isReference(child) && !child?.enum) visit(child, basis, location.child([part, index]));
      }
    }
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      visit(child, NOTHING, location.child(['properties', name]));
    }
  }

  const visitHolder = (node: Node & { schema?: Maybe<Schema> }, context: Context): void => {
    const basis = extend(NOTHING, node);
    if (node.required === true && node.in !== 'path') {
      found.push({ keyword: 'required', ...basis, location: context.location.child('required') });
    }
    visit(node.schema, basis, context.location.child('schema'));
  };

  return {
    Schema: (schema: Schema, context) => {
      if (componentName('schemas', context.location)) visit(schema, NOTHING, context.location);
    },
    Parameter: visitHolder,
    Header: visitHolder,
    Assumption: ({ id = '', narrows = [] }: Assumption) => void registry.set(id, narrows),
    Root: {
      leave: (_: object, context) => {
        for (const { keyword, specified, ids, location } of found) {
          if (specified.includes(keyword) || ids.some((id) => registry.get(id)?.includes(keyword))) continue;
          context.report({
            message: `${keyword} refuses values without a reason; write x-specified: [${keyword}] if the source says it, name an assumption that narrows it, or leave it out`,
            location,
          });
        }
      },
    },
  };
};

const NOTHING: Basis = { specified: [], ids: [] };

function extend({ specified, ids }: Basis, node: Provenance & { 'x-specified'?: string | string[] }): Basis {
  return {
    specified: [...specified, ...toList(node['x-specified'])],
    ids: [...ids, ...toList(node['x-assumption'])],
  };
}

function narrows(node: Schema, keyword: string): boolean {
  const value = (node as Record<string, unknown>)[keyword];
  return keyword === 'additionalProperties' ? value === false : value !== undefined;
}

function isOpenEnum({ anyOf = [] }: Schema): boolean {
  return anyOf.some((branch) => !isReference(branch) && branch?.type === 'string' && !branch.enum);
}
