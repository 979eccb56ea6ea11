import { type Case, create, find, requestExample, responseExample, schemas, webhook } from './case.ts';

const UNNAMED: Case[] = [
  ['a request body', `${create}/requestBody/content/application~1json`],
  ['a response body', `${create}/responses/200/content/application~1json`],
  ['a webhook body', `${webhook}/requestBody/content/application~1json`],
  ['a parameter', `${create}/parameters/0`],
  ['a header', '#/components/headers/RetryAfter'],
].map(([what, at]) => ({
  rule: 'named-examples',
  refuses: `${what} without named examples`,
  change: { [`${at}/examples`]: undefined },
  message: 'examples are missing; name at least one',
  at: at as string,
}));

const NAMED: Case[] = [
  {
    refuses: 'an example without a name',
    change: { [`${find}/parameters/0/examples`]: undefined, [`${find}/parameters/0/example`]: 'order-1' },
    message: '`example` has no name',
    at: `${find}/parameters/0/example`,
  },
  {
    refuses: 'an example of a schema',
    change: { [`${schemas}/Amount/example`]: 100 },
    message: '`example` has no name',
  },
  {
    refuses: 'examples of two parameters that exclude each other',
    change: { [`${find}/parameters/1/examples`]: { 'by-order': { summary: 'By id', value: 'pay_1' } } },
    message: 'more than one of order_id, transaction_id has examples',
  },
  {
    refuses: 'parameters that exclude each other without any examples',
    change: { [`${find}/parameters/0/examples`]: undefined },
    message: 'none of order_id, transaction_id has examples',
    at: `${find}/parameters`,
  },
  {
    refuses: 'an example name that is not in kebab-case',
    change: { [`${webhook}/requestBody/content/application~1json/examples/Too_few`]: { summary: 'x', value: {} } },
    message: "example name 'Too_few' is not in kebab-case",
  },
  {
    refuses: 'an example without a summary',
    change: { [`${requestExample}/paid/summary`]: undefined },
    message: "example 'paid' has no summary",
    at: `${requestExample}/paid`,
  },
  {
    refuses: 'a full stop after the summary of an example',
    change: { [`${requestExample}/paid/summary`]: 'Paid.' },
    message: "the summary of example 'paid' ends with a full stop",
  },
].map((row) => ({ rule: 'named-examples', ...row }));

const UNDECLARED: Case[] = [
  ['of a closed object', `${requestExample}/paid/value/ammount`],
  ['of an object that is open', `${requestExample}/paid/value/customer/nmae`],
  ['of another variant than the discriminator selects', `${responseExample}/paid/value/decline_reason`],
  [
    'of a problem',
    '#/components/responses/Unauthorized/content/application~1problem+json/examples/unknown-key/value/kind',
  ],
].map(([where, at = '']) => ({
  rule: 'example-properties',
  refuses: `an undeclared property ${where}`,
  change: { [at]: 'x' },
  message: `the schema declares no property '${at.slice(at.lastIndexOf('/') + 1)}'`,
}));

const DECLARED_ELSEWHERE: Case[] = [
  {
    rule: 'example-properties',
    refuses: 'an undeclared property of an item of a list',
    change: {
      [`${schemas}/PaymentCreated/properties/list`]: {
        type: 'array',
        description: 'List.',
        'x-source': '3',
        items: {
          allOf: [
            {
              type: 'object',
              additionalProperties: true,
              properties: { known: { type: 'string', description: 'Known.', 'x-source': '3' } },
            },
          ],
        },
      },
      [`${responseExample}/paid/value/list`]: [{ known: 'x' }, { unknown: 'x' }],
    },
    message: "the schema declares no property 'unknown'",
    at: `${responseExample}/paid/value/list/1/unknown`,
  },
];

const MALFORMED: Case[] = [
  {
    rule: 'example-properties',
    refuses: 'a schema with a key that has no value, instead of failing',
    change: { [`${schemas}/PaymentFailed/properties`]: null },
    message: 'this, or what it refers to, has the wrong shape, such as a key without a value',
    at: `${webhook}/requestBody/content/application~1json`,
  },
];

const PAIRS: Case[] = [
  {
    refuses: 'a body example that the path parameter does not have',
    change: { [`${create}/parameters/0/examples/paid`]: undefined },
    message: "path parameter transaction_id has no example 'paid', which another part of the request has",
    at: `${create}/parameters/0`,
  },
  {
    refuses: 'an example of a path parameter that the body does not have',
    change: { [`${requestExample}/paid`]: undefined },
    message: "the request body has no example 'paid'",
    at: `${create}/requestBody/content/application~1json`,
  },
  {
    refuses: 'a request example without a response',
    change: { [`${responseExample}/paid`]: undefined },
    message: "no 2xx response has an example 'paid'",
    at: `${create}/responses`,
  },
  {
    refuses: 'a response without a request example',
    change: { [`${find}/parameters/0/examples`]: { other: { summary: 'Other', value: 'order-2' } } },
    message: "the response example 'by-order' has no request example",
    at: `${find}/responses/200/content/application~1json/examples/by-order`,
  },
].map((row) => ({ rule: 'example-pairs', ...row }));

export const EXAMPLES: Case[] = [...UNNAMED, ...NAMED, ...UNDECLARED, ...DECLARED_ELSEWHERE, ...MALFORMED, ...PAIRS];
