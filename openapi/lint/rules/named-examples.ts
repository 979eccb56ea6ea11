/**
 * Every body and parameter has named examples, which are replayed as requests and shown as responses. Of parameters that
 * exclude each other, only one has, because tools that derive requests from the document send all examples together.
 */
import { type Described, entries, items, locateKey, type Operation, type Parameter, type Schema } from '../document.ts';
import type { Context, Rule } from '../redocly.ts';

const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The rule `contract/named-examples`. */
export const namedExamples: Rule = () => {
  /** Names of the current operation's `x-exactly-one-of`. */
  let alternatives: readonly string[] = [];
  return {
    MediaType: check,
    Header: check,
    Schema: refuseExample,
    Operation: {
      enter(operation: Operation, context: Context) {
        alternatives = operation['x-exactly-one-of'] ?? [];
        if (alternatives.length > 0) checkAlternatives(operation, alternatives, context);
      },
      leave() {
        alternatives = [];
      },
    },
    Parameter(parameter: Parameter, context: Context) {
      if (alternatives.includes(parameter.name ?? '')) checkNames(parameter, context);
      else check(parameter, context);
    },
  };
};

function checkAlternatives({ parameters }: Operation, names: readonly string[], context: Context): void {
  const location = context.location.child('parameters');
  const shown = items(context, parameters, location).filter(
    ({ node }) => names.includes(node.name ?? '') && hasExamples(node),
  );
  const [, second] = shown;
  if (shown.length === 1) return;
  context.report({
    message: second
      ? `more than one of ${names.join(', ')} has examples, and requests have exactly one of them; leave the examples of one`
      : `none of ${names.join(', ')} has examples; name at least one under \`examples\` of one of them`,
    location: second ? second.location.child('examples').key() : location.key(),
  });
}

function check(node: Described, context: Context): void {
  if (!hasExamples(node)) {
    context.report({
      message: 'examples are missing; name at least one under `examples`, with a summary and a value',
      location: locateKey(node, 'examples', context.location),
    });
  }
  checkNames(node, context);
}

function hasExamples({ examples = {} }: Described): boolean {
  return Object.keys(examples).length > 0;
}

function checkNames(node: Described, context: Context): void {
  refuseExample(node, context);
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
      location: locateKey(example.node, 'summary', example.location),
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
