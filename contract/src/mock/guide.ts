/** The mock's start message: its address, how to call it, and which responses can be selected. */

import { type Bundle, fillPath, type Operation, operations, requestExamples } from '../model.ts';
import { listCustomers } from './customers.ts';
import { PLACEHOLDER_KEY, PLACEHOLDER_SECRET } from './placeholders.ts';
import { DELAY_MAX } from './preferences.ts';
import { isCreation, statusExamples } from './status-examples.ts';

export function startText(bundle: Bundle, url: string): string {
  const all = operations(bundle);
  const shown = all.find((operation) => !operation.request && operation.parameters.length === 0) ?? all[0];
  const [error, named] = lastExample(shown);
  return [
    `Mock of ${bundle.info.title} ${bundle.info.version}: ${url}`,
    '',
    'Call it:',
    `  curl ${url}${examplePath(shown)} -H 'Authorization: Bearer ${PLACEHOLDER_KEY}'`,
    '',
    'Select the response with one more header:',
    `  -H 'Prefer: example=${requestNames(shown).at(-1)}'`,
    `  -H 'Prefer: code=${error}'`,
    `  -H 'Prefer: code=${error}, example=${named}'`,
    `  -H 'Prefer: code=${error}, delay=500' (in milliseconds, at most ${DELAY_MAX})`,
    '',
    'Examples by operation and status. Without `Prefer`, the response is the first example of the operation, or of the',
    'redirect flow if the request has a `return_url`. IDs, amounts and other values of the request are put into it:',
    ...all.flatMap(exampleLines),
    '',
    'IDs that select a status or decline reason, such as `pay_VERIFYING`. `Prefer: example=VERIFYING` does the same.',
    'Another ID of letters alone gets 404. An ID with digits that is in no example gets the first example:',
    ...all.flatMap((operation) => idLines(bundle, all, operation)),
    '',
    'Customers (`customer.id`) that select the response of a creation:',
    ...all.flatMap((operation) => customerLines(bundle, all, operation)),
    '',
    'Webhooks that a creation sends to its `callback_url` on this machine, with `Prefer: webhook=EVENT`:',
    ...all.flatMap(({ id, callbacks }) => (callbacks.length > 0 ? [`  ${id}: ${callbacks.join(', ')}`] : [])),
    `Signing secret: ${PLACEHOLDER_SECRET}`,
    '',
    'Limits: the mock stores nothing between requests, accepts any key, and attempts each webhook once. For more, use the gateway.',
  ].join('\n');
}

function exampleLines(operation: Operation): string[] {
  return [
    `  ${operation.id}: ${operation.method.toUpperCase()} ${operation.path}`,
    ...operation.responses.map((response) => {
      const names = response.body?.examples.map((example) => example.name) ?? [];
      return `    ${response.status}  ${names.join(', ')}`;
    }),
  ];
}

function customerLines(bundle: Bundle, all: Operation[], operation: Operation): string[] {
  const names = statusExamples(bundle, all, operation).map(({ name }) => name);
  return isCreation(bundle, operation)
    ? [`  ${operation.id}: ${listCustomers(bundle, operation, names).join(', ')}`]
    : [];
}

function idLines(bundle: Bundle, all: Operation[], operation: Operation): string[] {
  if (isCreation(bundle, operation)) return [];
  const ids = statusExamples(bundle, all, operation).map(({ value }) => value['transaction_id']);
  return ids.length === 0 ? [] : [`  ${operation.id}: ${ids.join(', ')}`];
}

function lastExample(operation: Operation | undefined): [string, string] {
  const response = operation?.responses.at(-1);
  return [response?.status ?? '', response?.body?.examples.at(-1)?.name ?? ''];
}

function requestNames(operation: Operation | undefined): string[] {
  return operation ? requestExamples(operation).map((example) => example.name) : [];
}

function examplePath(operation: Operation | undefined): string {
  return operation ? fillPath(operation.path, requestExamples(operation)[0]?.path ?? {}) : '/';
}
