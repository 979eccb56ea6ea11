/** Rules for descriptions: what needs one, and how it is written. */
import { componentName, follow, isReference, locateKey, type Maybe, type Schema } from '../document.ts';
import type { Context, Rule, Visitor } from '../redocly.ts';
import { crowdedLine, endsWithStop, paragraphs } from '../text.ts';

interface HasDescription {
  description?: Maybe<string>;
}

const DESCRIBED = ['Operation', 'Parameter', 'Response', 'Header', 'Tag', 'SecurityScheme'];

/** The rule `contract/description-required`. */
export const descriptionRequired: Rule = () => ({
  ...(Object.fromEntries(
    DESCRIBED.map((type) => [type, (node: HasDescription, context: Context) => required(type, node, context)]),
  ) as Visitor),
  Schema: (schema: Schema, context) => {
    const name = componentName('schemas', context.location);
    if (name) required(`Schema ${name}`, schema, context);
  },
  SchemaProperties: (properties: Record<string, Maybe<Schema>>, context) => {
    for (const [name, schema] of Object.entries(properties)) {
      if (!schema || isReference(schema) || schema.description) continue;
      context.report({
        message: `property ${name} has no description; say in a noun phrase what it is`,
        location: context.location.child(name).key(),
      });
    }
  },
});

function required(what: string, node: HasDescription, context: Context): void {
  if (node.description) return;
  context.report({ message: `${what} has no description; say what it is or does`, location: context.location.key() });
}

/** Fillers at the start of descriptions, and what to write instead. */
const FILLERS: { pattern: RegExp; instead: string }[] = [
  {
    pattern: /^(?:this|the) (?:field|property|parameter|header|endpoint|operation|method|object|schema|webhook)\b/i,
    instead: 'name the thing itself',
  },
  { pattern: /^(?:this|it) (?:is|has|will|returns|contains)\b/i, instead: 'name the thing itself' },
  { pattern: /\bthe response (?:will be|is|contains|will contain)\b/i, instead: 'name what is returned' },
  {
    pattern: /^(?:contains|represents|specifies|indicates|denotes|describes|defines)\b/i,
    instead: 'write a noun phrase',
  },
];

/** The rule `contract/description-style`. */
export const descriptionStyle: Rule = () => ({
  any: (node: HasDescription | null, context) => {
    if (typeof node !== 'object' || node === null || !node.description) return;
    const text = follow(context, node.description, context.location)?.node;
    if (typeof text !== 'string') return;
    const location = locateKey(node, 'description', context.location);
    const problems = context.type.name === 'Info' ? paragraphs(text).flatMap(pageProblems) : textProblems(text);
    for (const message of problems) context.report({ message, location });
  },
});

function textProblems(text: string): string[] {
  const filler = FILLERS.find(({ pattern }) => pattern.test(text));
  return [
    ...(filler ? [`description '${shorten(text)}' uses words that say nothing; ${filler.instead}`] : []),
    ...(endsWithStop(text) ? [] : [`description '${shorten(text)}' does not end with a full stop; write one`]),
    ...lineProblems(text),
  ];
}

/** Problems of one paragraph of the introduction. One that leads to a list or a table may end with a colon. */
function pageProblems(paragraph: string): string[] {
  return [
    ...(endsWithStop(paragraph) || paragraph.endsWith(':')
      ? []
      : [`paragraph '${shorten(paragraph)}' of the introduction does not end with a full stop; write one`]),
    ...lineProblems(paragraph),
  ];
}

function lineProblems(text: string): string[] {
  const line = crowdedLine(text);
  return line ? [`line '${shorten(line)}' holds more than one sentence; write each on its own line`] : [];
}

function shorten(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
