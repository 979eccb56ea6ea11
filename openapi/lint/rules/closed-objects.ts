/** An object schema says whether it admits properties that it does not name: silence would mean that it does. */
import { componentName, type Schema } from '../document.ts';
import type { Rule } from '../redocly.ts';

interface Options {
  /** The component schemas that are open on purpose. */
  open: string[];
}

/** The rule `contract/closed-objects`. */
export const closedObjects: Rule<Options> = ({ open }) => ({
  Schema: (schema: Schema, context) => {
    if (schema.type !== 'object' && !schema.properties) return;
    if ('additionalProperties' in schema || open.includes(componentName('schemas', context.location) ?? '')) return;
    context.report({
      message:
        'the object does not say what it does with other properties; write additionalProperties: false or a schema',
      location: context.location.key(),
    });
  },
});
