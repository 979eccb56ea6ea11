/** Money is a whole number of minor units. */
import { componentName, follow, type Placed, readItems, type Schema } from '../document.ts';
import type { Context, Rule } from '../redocly.ts';

interface Options {
  /** The names of properties that hold money. */
  properties: string[];
  /** Component schemas whose members are texts, whatever their names. */
  texts: string[];
}

/** The rule `contract/money-integer`. */
export const moneyInteger: Rule<Options> = ({ properties, texts }) => ({
  Schema: (schema: Schema, context) => {
    if (texts.includes(componentName('schemas', context.location) ?? '')) return;
    for (const name of properties) {
      const property = follow(context, schema.properties?.[name], context.location.child(['properties', name]));
      if (property) check(name, property, context);
    }
  },
});

function check(name: string, property: Placed<Schema>, context: Context): void {
  const { node, location } = property;
  const number = node.type === 'array' ? follow(context, readItems(node), location.child('items')) : property;
  if (number && (number.node.type !== 'integer' || number.node.format !== 'int64')) {
    context.report({
      message: `${name} is money but not an integer; write type: integer and format: int64`,
      location: number.location.key(),
    });
  }
  if (!node.description?.includes('minor units')) {
    context.report({
      message: `the description of ${name} does not say that it is in minor units; add it`,
      location: location.key(),
    });
  }
}
