/** Every body and parameter has named examples, since they are replayed as requests and shown as responses. */
import { type Described, entries, placeOf, type Schema } from '../document.ts';
import type { Context, Rule } from '../redocly.ts';

const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The rule `contract/named-examples`. */
export const namedExamples: Rule = () => ({
  MediaType: check,
  Parameter: check,
  Header: check,
  Schema: refuseExample,
});

function check(node: Described, context: Context): void {
  refuseExample(node, context);
  if (Object.keys(node.examples ?? {}).length === 0) {
    context.report({
      message: 'examples are missing; name at least one under `examples`, with a summary and a value',
      location: placeOf(node, 'examples', context.location),
    });
  }
  const location = context.location.child('examples');
  for (const name of Object.keys(node.examples ?? {}).filter((each) => !KEBAB_CASE.test(each))) {
    context.report({
      message: `example name '${name}' is not in kebab-case; write it like 'two-amounts'`,
      location: location.child(name).key(),
    });
  }
  for (const [name, example] of entries(context, node.examples, location)) {
    const { summary } = example.node;
    if (summary && !summary.endsWith('.')) continue;
    context.report({
      message: summary
        ? `the summary of example '${name}' ends with a full stop; leave it out`
        : `example '${name}' has no summary; say in a few words what it shows`,
      location: placeOf(example.node, 'summary', example.location),
    });
  }
}

function refuseExample(node: Described | Schema, context: Context): void {
  if (!('example' in node)) return;
  context.report({
    message: '`example` has no name; write it under `examples` of the body, parameter or header',
    location: context.location.child('example').key(),
  });
}
