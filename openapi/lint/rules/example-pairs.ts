/**
 * A request example and its response have the same name, so that a reader, a mock and a test find the other half.
 * Webhooks are not concerned, since their responses have no body.
 */
import { type Described, entries, follow, type Operation, type Placed } from '../document.ts';
import type { Context, Location, Rule } from '../redocly.ts';

/** Something that has examples: a body, a parameter, or all successful responses together. */
interface Part {
  what: string;
  names: string[];
  location: Location;
  /** Whether a request cannot be made without it. */
  always: boolean;
}

/** The rule `contract/example-pairs`. */
export const examplePairs: Rule = () => ({ Operation: check });

function check(operation: Operation, context: Context): void {
  const parts = [...parameterParts(operation, context), ...bodyParts(operation, context)];
  const answers = answerParts(operation, context);
  if (parts.length === 0 || answers.length === 0) return;
  const asked = [...new Set(parts.flatMap(({ names }) => names))];
  const answered = answers.flatMap(({ names }) => names);
  for (const part of parts.filter(({ always }) => always)) {
    for (const name of without(asked, part.names)) {
      context.report({
        message: `${part.what} has no example '${name}', which another part of the request has; add it`,
        location: part.location.key(),
      });
    }
  }
  for (const name of without(asked, answered)) {
    context.report({
      message: `no 2xx response has an example '${name}'; add the response to the request example of this name`,
      location: context.location.child('responses').key(),
    });
  }
  for (const { names, location } of answers) {
    for (const name of without(names, asked)) {
      context.report({
        message: `the response example '${name}' has no request example; add a request example of this name`,
        location: location.child(['examples', name]).key(),
      });
    }
  }
}

function without(names: string[], others: string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

function parameterParts(operation: Operation, context: Context): Part[] {
  return (operation.parameters ?? []).flatMap((reference, index) => {
    const parameter = follow(context, reference, context.location.child(['parameters', index]));
    if (!parameter || !['path', 'query'].includes(parameter.node.in ?? '')) return [];
    const { name, in: place } = parameter.node;
    return [part(`${place} parameter ${name}`, parameter, place === 'path')];
  });
}

function bodyParts(operation: Operation, context: Context): Part[] {
  const body = follow(context, operation.requestBody, context.location.child('requestBody'));
  return body ? mediaParts('the request body', body, context) : [];
}

function answerParts(operation: Operation, context: Context): Part[] {
  return entries(context, operation.responses, context.location.child('responses'))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => mediaParts(`response ${status}`, response, context));
}

function mediaParts(
  what: string,
  { node, location }: Placed<{ content?: Record<string, Described> }>,
  context: Context,
) {
  return entries(context, node.content, location.child('content')).map(([, media]) => part(what, media, true));
}

function part(what: string, { node, location }: Placed<Described>, always: boolean): Part {
  return { what, names: Object.keys(node.examples ?? {}), location, always };
}
