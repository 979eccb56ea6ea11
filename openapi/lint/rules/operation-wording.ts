/**
 * One act has one verb: the operationId, the summary and the description of an operation use it alike.
 * Webhooks are named after what has happened instead.
 */
import { calledItems, locateKey, type Operation, type Root } from '../document.ts';
import type { Rule } from '../redocly.ts';
import { words } from '../text.ts';

interface Options {
  /** First words of the operations' summaries, and of their operationIds. */
  verbs: string[];
  /** First words of the operations' descriptions. */
  openings: string[];
  /** First words of the webhooks' summaries, and of their operationIds. */
  subjects: string[];
}

interface Wording {
  kind: string;
  first: string[];
  isOpening: (description: string) => boolean;
  openings: string;
  example: { id: string; summary: string };
}

const WORDS_MIN = 3;
const WORDS_MAX = 5;

/** The rule `contract/operation-wording`. */
export const operationWording: Rule<Options> = ({ verbs, openings, subjects }) => {
  const call: Wording = {
    kind: 'an operation',
    first: verbs,
    isOpening: (description) => openings.includes(words(description)[0] ?? ''),
    openings: `one of ${openings.join(', ')}`,
    example: { id: 'createPayment', summary: 'Create a payment' },
  };
  const event: Wording = {
    kind: 'a webhook',
    first: subjects,
    isOpening: (description) => description.startsWith('Sent when '),
    openings: "'Sent when'",
    example: { id: 'paymentFailed', summary: 'Payment has failed' },
  };
  let called = new Set<unknown>();
  return {
    Root: (root: Root, context) => {
      called = calledItems(context, root);
    },
    Operation: (operation: Operation, context) => {
      const wording = called.has(context.parent) ? call : event;
      for (const [key, messages] of Object.entries(problems(operation, wording))) {
        for (const message of messages) {
          context.report({ message, location: locateKey(operation, key, context.location) });
        }
      }
    },
  };
};

function problems(operation: Operation, wording: Wording): Record<string, string[]> {
  const { operationId = '', summary = '', description = '' } = operation;
  return {
    operationId: idProblems(operationId, summary, wording),
    summary: summaryProblems(summary, wording),
    description: openingProblems(description, wording),
  };
}

function idProblems(id: string, summary: string, { kind, example }: Wording): string[] {
  if (!/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(id)) {
    return [`operationId '${id}' of ${kind} is not two or more words in camelCase; write it like ${example.id}`];
  }
  return id.match(/^[a-z]+/)?.[0] === words(summary)[0]?.toLowerCase()
    ? []
    : [`operationId '${id}' and summary '${summary}' begin with different words; let both begin with the same`];
}

function summaryProblems(summary: string, { kind, first, example }: Wording): string[] {
  const found = words(summary);
  return [
    ...(found.length < WORDS_MIN || found.length > WORDS_MAX
      ? [`summary '${summary}' does not have ${WORDS_MIN} to ${WORDS_MAX} words; write it like '${example.summary}'`]
      : []),
    ...(first.includes(found[0] ?? '')
      ? []
      : [`summary '${summary}' of ${kind} begins with none of ${first.join(', ')} (the list is in redocly.yaml)`]),
    ...(summary.endsWith('.') ? [`summary '${summary}' ends with a full stop; leave it out`] : []),
  ];
}

function openingProblems(description: string, { kind, isOpening, openings }: Wording): string[] {
  return description === '' || isOpening(description)
    ? []
    : [`the description of ${kind} begins with ${openings}, not with '${words(description)[0]}'`];
}
