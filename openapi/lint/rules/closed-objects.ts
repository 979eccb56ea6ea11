/**
 * Strict senders, tolerant readers: an object in a request is closed, so that a misspelled field is refused, and an
 * object that the service sends is open, so that a reader of this version accepts the fields of the next one.
 */
import {
  calledItems,
  type Described,
  entries,
  follow,
  type Maybe,
  type Operation,
  type Placed,
  type Root,
  type Schema,
} from '../document.ts';
import type { Context, Location, Rule } from '../redocly.ts';

type Direction = 'received' | 'sent';

const MESSAGES: Record<Direction, string> = {
  received: 'the object is part of a request and is not closed; write additionalProperties: false or a schema',
  sent: 'the object is sent by the service and is closed; leave out additionalProperties: false, so that a later version can add fields',
};

/** As an index signature, the schema for further properties would have to hold for the optional named ones too. */
const MIXED =
  'the object has properties next to a schema for further ones, which generators turn into types that do not compile; put each of the two in a part of allOf';

/** The rule `contract/closed-objects`. */
export const closedObjects: Rule = () => {
  let called = new Set<unknown>();
  const seen = new Set<string>();

  function check(schema: Maybe<Schema>, direction: Direction, location: Location, context: Context): void {
    const placed = follow(context, schema, location);
    if (!placed) return;
    const key = `${direction} ${placed.location.source.absoluteRef} ${placed.location.pointer}`;
    if (seen.has(key)) return;
    seen.add(key);
    const { type, properties, additionalProperties } = placed.node;
    const isObject = type === 'object' || properties !== undefined;
    const isWrong = direction === 'received' ? !isClosed(placed, context) : additionalProperties === false;
    if (isObject && isWrong) context.report({ message: MESSAGES[direction], location: placed.location.key() });
    if (properties !== undefined && typeof additionalProperties === 'object') {
      context.report({ message: MIXED, location: placed.location.child('additionalProperties').key() });
    }
    for (const [part, at] of listParts(placed)) check(part, direction, at, context);
    // A property that one part of a closed object doesn't name may be in another part.
    for (const [index, part] of (placed.node.allOf ?? []).entries()) {
      const found = follow(context, part, placed.location.child(['allOf', index]));
      for (const [inner, at] of found ? listParts(found) : []) check(inner, direction, at, context);
    }
  }

  function checkContent(
    content: Record<string, Described> | undefined,
    direction: Direction,
    location: Location,
    context: Context,
  ): void {
    for (const [type, media] of Object.entries(content ?? {})) {
      check(media.schema, direction, location.child(['content', type, 'schema']), context);
    }
  }

  return {
    Root: (root: Root, context) => {
      called = calledItems(context, root);
    },
    Operation: (operation: Operation, context) => {
      const body = follow(context, operation.requestBody, context.location.child('requestBody'));
      const direction = called.has(context.parent) ? 'received' : 'sent';
      if (body) checkContent(body.node.content, direction, body.location, context);
      for (const [, response] of entries(context, operation.responses, context.location.child('responses'))) {
        checkContent(response.node.content, 'sent', response.location, context);
      }
    },
  };
};

/** The schemas of the object's members, and of alternatives to it, with their places. */
function listParts({ node, location }: Placed<Schema>): [Maybe<Schema>, Location][] {
  const paths = [
    ...Object.keys(node.properties ?? {}).map((name) => ['properties', name]),
    ...(['anyOf', 'oneOf'] as const).flatMap((keyword) => (node[keyword] ?? []).map((_, index) => [keyword, index])),
    ['items'],
    ['additionalProperties'],
  ];
  return paths.flatMap((path): [Maybe<Schema>, Location][] => {
    const part = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], node);
    // A boolean schema has no parts.
    return typeof part === 'object' ? [[part as Maybe<Schema>, location.child(path)]] : [];
  });
}

/** Whether the object, or a part that it is composed of, says what it does with other properties. */
function isClosed({ node, location }: Placed<Schema>, context: Context): boolean {
  if (node.additionalProperties !== undefined && node.additionalProperties !== true) return true;
  return (node.allOf ?? []).some((part, index) => {
    const found = follow(context, part, location.child(['allOf', index]));
    return found !== undefined && isClosed(found, context);
  });
}
