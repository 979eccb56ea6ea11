/** Names of one kind are spelt in one way. */
import { componentName, entries, type Maybe, type Parameter, type Root, type Schema } from '../document.ts';
import type { Context, Location, Rule } from '../redocly.ts';

interface Spelling {
  name: string;
  pattern: RegExp;
  like: string;
}

const PASCAL_CASE: Spelling = {
  name: 'PascalCase',
  pattern: /^(?:[A-Z][a-z0-9]*)+$/,
  like: 'CreatePaymentResponseCreated',
};
const SNAKE_CASE: Spelling = { name: 'snake_case', pattern: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, like: 'created_at' };

/** The rule `contract/naming`. Headers are named by their own customs, operations by `contract/operation-wording`. */
export const naming: Rule = () => ({
  Schema: (_schema: Schema, context) => {
    const name = componentName('schemas', context.location);
    if (name) check('schema', name, PASCAL_CASE, context.location.key(), context);
  },
  SchemaProperties: (properties: Record<string, Maybe<Schema>>, context) => {
    for (const name of Object.keys(properties)) {
      check('property', name, SNAKE_CASE, context.location.child(name).key(), context);
    }
  },
  Parameter: ({ name = '', in: place }: Parameter, context) => {
    if (place !== 'header') check('parameter', name, SNAKE_CASE, context.location.child('name'), context);
  },
  Root: (root: Root, context) => {
    for (const [name, { node, location }] of entries(context, root.webhooks, context.location.child('webhooks'))) {
      for (const [method, operation] of Object.entries(node)) {
        const operationId = operation?.operationId;
        if (operationId === undefined || operationId === name) continue;
        context.report({
          message: `webhook ${name} has the operationId '${operationId}'; both must be the same`,
          location: location.child([method, 'operationId']),
        });
      }
    }
  },
});

function check(kind: string, name: string, spelling: Spelling, location: Location, context: Context): void {
  if (spelling.pattern.test(name)) return;
  context.report({
    message: `${kind} name '${name}' is not in ${spelling.name}; write it like ${spelling.like}`,
    location,
  });
}
