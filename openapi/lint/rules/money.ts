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

/** The rule `contract/minor-units`. */
export const minorUnits: Rule = () => ({
  Schema: (schema: Schema, context) => {
    const table = schema['x-minor-units'];
    if (!table) return;
    const whole = Object.values(table).every((decimals) => Number.isInteger(decimals) && decimals >= 0);
    if (whole && Object.keys(table).join() === (schema.enum ?? []).join()) return;
    context.report({
      message: `x-minor-units and the enum differ; give each value its number of decimals, in this order: ${schema.enum?.join(', ')}`,
      location: context.location.child('x-minor-units').key(),
    });
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
