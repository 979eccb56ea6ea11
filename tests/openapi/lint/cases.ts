/** The ways to break each rule: changes of a valid document, and the rule's message. */
import type { Json } from '../../../contract/src/model.ts';

/** New values by JSON pointer, or undefined to remove a value. Without `at`, the rule's finding is at the only pointer. */
type Row = readonly [change: Record<string, Json | undefined>, message: string, at?: string];

/** Removes a value. By default, the finding is at its parent. */
function missing(pointer: string, message: string, at = pointer.slice(0, pointer.lastIndexOf('/'))): Row {
  return [{ [pointer]: undefined }, message, at];
}

/** Removes a field that Redocly requires. */
function missingField(pointer: string): Row {
  return missing(pointer, `The field \`${pointer.split('/').at(-1)}\` must be present on this level.`);
}

/** Removes the marks of a location's basis. */
function unmarked(at: string, name: string): Row {
  const change = { [`${at}/x-source`]: undefined, [`${at}/x-assumption`]: undefined };
  return [
    change,
    `${name} does not say where it comes from; write x-source with a section, or x-assumption with an`,
    at,
  ];
}

const create = '#/paths/~1payments~1{transaction_id}/post';
const find = '#/paths/~1payments/get';
const webhook = '#/webhooks/paymentFailed/post';
const schemas = '#/components/schemas';
const requestExample = `${create}/requestBody/content/application~1json/examples`;
const responseExample = `${create}/responses/200/content/application~1json/examples`;
const machine = '#/x-state-machines/payment';
const declines = `${schemas}/DeclineReason/anyOf/0`;

/** By the rule's name in redocly.yaml. */
export const CASES: Readonly<Record<string, readonly Row[]>> = {
  'contract/operation-wording': [
    [
      { [`${create}/summary`]: 'Create payment' },
      "summary 'Create payment' does not have 3 to 5 words; write it like 'Create a payment'",
    ],
    [
      { [`${create}/operationId`]: 'create_payment' },
      "operationId 'create_payment' of an operation is not two or more words in camelCase",
    ],
    [
      { [`${create}/description`]: 'Create a payment.' },
      'the description of an operation begins with one of Creates, Returns',
    ],
  ],
  'contract/description-required': [
    missing(`${create}/description`, 'Operation has no description'),
    missing(`${create}/parameters/0/description`, 'Parameter has no description'),
    missing(`${create}/responses/200/description`, 'Response has no description'),
    missing(`${schemas}/Amount/description`, 'Schema Amount has no description'),
    missing(`${schemas}/PaymentFailed/properties/status/description`, 'property status has no description'),
  ],
  'contract/description-style': [
    [
      { [`${schemas}/Amount/description`]: 'Amount in minor units' },
      "description 'Amount in minor units' does not end with a full stop; write one",
    ],
    [
      { [`${schemas}/Payment/description`]: 'Payment in its current state. It has a status.' },
      'holds more than one sentence; write each on its own line',
    ],
    [
      { [`${create}/responses/200/description`]: 'The response will be a payment.' },
      'uses words that say nothing; name what is returned',
    ],
  ],
  'contract/named-examples': [
    missing(requestExample, 'examples are missing; name at least one'),
    missing(`${create}/parameters/0/examples`, 'examples are missing; name at least one'),
    [
      { [`${find}/parameters/0/examples`]: undefined, [`${find}/parameters/0/example`]: 'order-1' },
      '`example` has no name',
      `${find}/parameters/0/example`,
    ],
    [
      { [`${find}/parameters/1/examples`]: { 'by-order': { summary: 'By id', value: 'pay_1' } } },
      'more than one of order_id, transaction_id has examples',
    ],
  ],
  'no-invalid-media-type-examples': [[{ [`${requestExample}/paid/value/ammount`]: 'x' }, 'properties `ammount`']],
  'contract/state-machines': [
    [
      { [`${schemas}/Payment/discriminator/mapping`]: null },
      'this, or what it refers to, has the wrong shape, such as a key without a value',
      `${schemas}/Payment`,
    ],
    [
      {
        [`${machine}/states/PAUSED`]: { meaning: 'It waits.', final: true, 'x-source': '3' },
        [`${machine}/transitions/2`]: {
          from: 'CREATED',
          to: 'PAUSED',
          by: 'service',
          when: 'It waits.',
          'x-source': '3',
        },
      },
      'the states of Payment are not those of its schema; write CREATED, FAILED',
      `${machine}/states`,
    ],
    [
      { [`${schemas}/Payment/discriminator/mapping/CREATED`]: '#/components/schemas/PaymentFailed' },
      'the mapping sends CREATED to a variant whose status is FAILED; both must be the same',
    ],
    [{ [`${machine}/transitions/1/to`]: 'LOST' }, "to is 'LOST', which is not a state; write one of CREATED, FAILED"],
    [{ [`${machine}/transitions/0/to`]: 'FAILED' }, 'no transition leads to CREATED', `${machine}/states/CREATED`],
    [
      { [`${machine}/states/CREATED/final`]: true },
      'state CREATED is final, yet a transition leaves it',
      `${machine}/states/CREATED`,
    ],
    [
      { [`${machine}/states/FAILED/final`]: false },
      'state FAILED is not final, yet no transition leaves it',
      `${machine}/states/FAILED`,
    ],
  ],
  struct: [
    missingField('#/x-assumptions/0/section'),
    missingField(`${machine}/title`),
    missingField(`${machine}/states/CREATED/meaning`),
    missingField(`${machine}/transitions/0/from`),
    missingField(`${declines}/x-decline-reasons/KYC_BLOCKED/likely_cause`),
    missingField(`${declines}/x-decline-handling/KYC_BLOCKED/acts`),
    [{ [`${declines}/x-decline-handling/KYC_BLOCKED/retry`]: 'perhaps' }, '`retry` can be one of the following only'],
    [
      { [`${declines}/x-minor-units`]: { BANK_REJECTED: 2, KYC_BLOCKED: 2.5 } },
      'Expected type `integer` but got',
      `${declines}/x-minor-units/KYC_BLOCKED`,
    ],
  ],
  'contract/example-pairs': [
    missing(
      `${create}/parameters/0/examples/paid`,
      "path parameter transaction_id has no example 'paid', which another part of the request has",
      `${create}/parameters/0`,
    ),
    missing(
      `${requestExample}/paid`,
      "the request body has no example 'paid'",
      `${create}/requestBody/content/application~1json`,
    ),
    missing(`${responseExample}/paid`, "no 2xx response has an example 'paid'", `${create}/responses`),
    [
      { [`${find}/parameters/0/examples`]: { other: { summary: 'Other', value: 'order-2' } } },
      "the response example 'by-order' has no request example",
      `${find}/responses/200/content/application~1json/examples/by-order`,
    ],
  ],
  'contract/introduction-basis': [
    [{ ['#/info/description']: 'It pays.' }, "line 'It pays.' does not end with where it comes from"],
    [{ ['#/info/description']: 'It pays. {source 99}' }, '{source 99} names source 99'],
    [{ ['#/info/description']: 'It pays. {source 1; assumption luck}' }, 'names assumption luck'],
  ],
  'contract/provenance': [
    unmarked(find, 'Operation'),
    unmarked(webhook, 'Operation'),
    unmarked(`${create}/parameters/0`, 'Parameter'),
    unmarked('#/components/headers/RetryAfter', 'Header'),
    unmarked('#/components/securitySchemes/apiKey', 'SecurityScheme'),
    unmarked('#/components/responses/Unauthorized', 'response Unauthorized'),
    unmarked(`${webhook}/responses/410`, 'response 410'),
    unmarked(`${schemas}/Amount`, 'schema Amount'),
    unmarked(`${schemas}/PaymentFailed/properties/status`, 'property status'),
    unmarked(`${machine}/states/CREATED`, 'State'),
    unmarked(`${machine}/transitions/0`, 'Transition'),
  ],
  'contract/source-section': [
    [{ [`${find}/x-source`]: '4.9' }, 'is not a section of the specification; write one of 1, 2.1'],
  ],
  'contract/assumption-registry': [
    [{ [`${create}/x-assumption`]: ['flow', 'guess'] }, 'assumption not found: guess'],
    [
      { [`${machine}/transitions/1/x-assumption`]: 'flow' },
      "assumption 'transitions' is used nowhere",
      '#/x-assumptions/2/id',
    ],
    [
      { ['#/x-assumptions/3']: { id: 'flow', section: '1', open: 'A.', assumed: 'B.', why: 'C.', also_done_by: 'd' } },
      "the assumption id 'flow' is there twice",
      '#/x-assumptions/3/id',
    ],
  ],
  'contract/money-integer': [
    [
      { [`${schemas}/Amount/type`]: 'number', [`${schemas}/Amount/format`]: 'double' },
      'amount is money but not an integer; write type: integer and format: int64',
      `${schemas}/Amount`,
    ],
    [
      { [`${schemas}/Amount/description`]: 'Amount of the payment.' },
      'the description of amount does not say that it is in minor units',
      `${schemas}/Amount`,
    ],
  ],
  'contract/enum-tables': [
    ...Object.entries({
      'x-minor-units': { BANK_REJECTED: 2 },
      'x-decline-reasons': {},
      'x-decline-handling': undefined,
    }).map(([table, rows]): Row => {
      const rule = 'differ; give each value one row, in this order: BANK_REJECTED, KYC_BLOCKED';
      return [{ [`${declines}/${table}`]: rows }, `${table} and the enum ${rule}`];
    }),
    [
      { [`${declines}/x-enumDescriptions/BANK_BLOCKED`]: 'Blocked' },
      "x-enumDescriptions describes 'BANK_BLOCKED', which the enum does not have",
    ],
  ],
  'contract/decline-sentences': [
    [
      { [`${declines}/x-decline-reasons/KYC_BLOCKED/meaning`]: 'It is blocked.' },
      'meaning ends with a full stop; change it',
    ],
    [
      { [`${declines}/x-decline-reasons/KYC_BLOCKED/likely_cause`]: 'A block' },
      'likely_cause does not end with a full stop; change it',
    ],
  ],
  'contract/closed-objects': [
    missing(`${schemas}/PaymentRequest/additionalProperties`, 'the object is part of a request and is not closed'),
    [
      { [`${schemas}/PaymentRequest/additionalProperties`]: { type: 'string' } },
      'the object has properties next to a schema for further ones',
    ],
    [
      { [`${schemas}/Problem/additionalProperties`]: false },
      'the object is sent by the service and is closed',
      `${schemas}/Problem`,
    ],
  ],
  'contract/narrowing': [
    [{ [`${schemas}/Person/properties/name/pattern`]: '^a' }, 'pattern refuses values without a reason'],
    [
      { [`${schemas}/PaymentFailed/x-specified`]: undefined },
      'required refuses values without a reason',
      `${schemas}/PaymentFailed/required`,
    ],
  ],
  'contract/naming': [
    [
      { [`${schemas}/other_amount`]: { type: 'string', description: 'Other.', 'x-source': '1' } },
      "schema name 'other_amount' is not in PascalCase",
    ],
    [
      { [`${webhook}/operationId`]: 'paymentDeclined' },
      "webhook paymentFailed has the operationId 'paymentDeclined'; both must be the same",
    ],
  ],
};
