/** One row per way to break a rule: the change to a valid document, and the rule's message. */
import type { Json } from '../../../contract/src/model.ts';

interface Case {
  /** As redocly.yaml names it. */
  rule: string;
  /** Completes the sentence "the rule refuses …". */
  refuses: string;
  /** New values by JSON pointer. Undefined removes the value. */
  change: Record<string, Json | undefined>;
  message: string;
  /** The location of the rule's finding, if it isn't the only pointer of `change`. */
  at?: string;
}

const create = '#/paths/~1payments~1{transaction_id}/post';
const find = '#/paths/~1payments/get';
const webhook = '#/webhooks/paymentFailed/post';
const schemas = '#/components/schemas';
const requestExample = `${create}/requestBody/content/application~1json/examples`;
const responseExample = `${create}/responses/200/content/application~1json/examples`;
const machine = '#/x-state-machines/payment';
const declines = `${schemas}/DeclineReason/anyOf/0`;

const WORDING: Case[] = [
  {
    refuses: 'a summary of two words',
    change: { [`${create}/summary`]: 'Create payment' },
    message: "summary 'Create payment' does not have 3 to 5 words; write it like 'Create a payment'",
  },
  {
    refuses: 'an operationId that is not in camelCase',
    change: { [`${create}/operationId`]: 'create_payment' },
    message: "operationId 'create_payment' of an operation is not two or more words in camelCase",
  },
  {
    refuses: 'a description that does not begin with a verb in the third person',
    change: { [`${create}/description`]: 'Create a payment.' },
    message: 'the description of an operation begins with one of Creates, Returns',
  },
].map((row) => ({ rule: 'contract/operation-wording', ...row }));

const DESCRIBED: Case[] = [
  ['an operation', create, 'Operation'],
  ['a parameter', `${create}/parameters/0`, 'Parameter'],
  ['a response', `${create}/responses/200`, 'Response'],
  ['a header', '#/components/headers/RetryAfter', 'Header'],
  ['a component schema', `${schemas}/Amount`, 'Schema Amount'],
  ['a property', `${schemas}/PaymentFailed/properties/status`, 'property status'],
].map(([what, at, name]) => ({
  rule: 'contract/description-required',
  refuses: `${what} without a description`,
  change: { [`${at}/description`]: undefined },
  message: `${name} has no description`,
  at: at as string,
}));

const STYLE: Case[] = [
  {
    refuses: 'a description without a full stop',
    change: { [`${schemas}/Amount/description`]: 'Amount in minor units' },
    message: "description 'Amount in minor units' does not end with a full stop; write one",
  },
  {
    refuses: 'two sentences on a line',
    change: { [`${schemas}/Payment/description`]: 'Payment in its current state. It has a status.' },
    message: 'holds more than one sentence; write each on a line of its own',
  },
  {
    refuses: "'The response will be'",
    change: { [`${create}/responses/200/description`]: 'The response will be a payment.' },
    message: 'uses words that say nothing; name what is returned',
  },
].map((row) => ({ rule: 'contract/description-style', ...row }));

const PROSE: Case[] = [...WORDING, ...DESCRIBED, ...STYLE];

const UNNAMED: Case[] = [
  ['a request body', `${create}/requestBody/content/application~1json`],
  ['a response body', `${create}/responses/200/content/application~1json`],
  ['a webhook body', `${webhook}/requestBody/content/application~1json`],
  ['a parameter', `${create}/parameters/0`],
].map(([what, at]) => ({
  rule: 'contract/named-examples',
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
    refuses: 'examples of two parameters that exclude each other',
    change: { [`${find}/parameters/1/examples`]: { 'by-order': { summary: 'By id', value: 'pay_1' } } },
    message: 'more than one of order_id, transaction_id has examples',
  },
].map((row) => ({ rule: 'contract/named-examples', ...row }));

const UNDECLARED: Case[] = [
  ['of a closed object', `${requestExample}/paid/value/ammount`],
  ['of another variant than the discriminator selects', `${responseExample}/paid/value/decline_reason`],
].map(([where, at = '']) => ({
  rule: 'no-invalid-media-type-examples',
  refuses: `an undeclared property ${where}`,
  change: { [at]: 'x' },
  message: `properties \`${at.slice(at.lastIndexOf('/') + 1)}\``,
}));

const MALFORMED: Case[] = [
  {
    rule: 'contract/state-machines',
    refuses: 'a mapping without a value, instead of failing',
    change: { [`${schemas}/Payment/discriminator/mapping`]: null },
    message: 'this, or what it refers to, has the wrong shape, such as a key without a value',
    at: `${schemas}/Payment`,
  },
  {
    rule: 'struct',
    refuses: 'a row without a value',
    change: { [`${declines}/x-decline-reasons/KYC_BLOCKED`]: null },
    message: 'Expected type `DeclineReason` (object) but got `null`',
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
].map((row) => ({ rule: 'contract/example-pairs', ...row }));

const EXAMPLES: Case[] = [...UNNAMED, ...NAMED, ...UNDECLARED, ...MALFORMED, ...PAIRS];

const PROVENANCE: Case[] = [
  ['an operation', find, 'Operation'],
  ['a webhook', webhook, 'Operation'],
  ['a parameter', `${create}/parameters/0`, 'Parameter'],
  ['a header', '#/components/headers/RetryAfter', 'Header'],
  ['a security scheme', '#/components/securitySchemes/apiKey', 'SecurityScheme'],
  ['a response component', '#/components/responses/Unauthorized', 'response Unauthorized'],
  ['an error response in place', `${webhook}/responses/410`, 'response 410'],
  ['a component schema', `${schemas}/Amount`, 'schema Amount'],
  ['a property', `${schemas}/PaymentFailed/properties/status`, 'property status'],
  ['a state', `${machine}/states/CREATED`, 'State'],
  ['a transition', `${machine}/transitions/0`, 'Transition'],
].map(([what, at, name]) => ({
  rule: 'contract/provenance',
  refuses: `${what} that does not say where it comes from`,
  change: { [`${at}/x-source`]: undefined, [`${at}/x-assumption`]: undefined },
  message: `${name} does not say where it comes from; write x-source with a section, or x-assumption with an id`,
  at: at as string,
}));

const SHARED_ANSWER: Case[] = [
  {
    rule: 'contract/provenance',
    refuses: 'a successful response that operations share and that does not say where it comes from',
    change: {
      '#/components/responses/Gone': { description: 'The payment is gone.' },
      [`${find}/responses/204`]: { $ref: '#/components/responses/Gone' },
    },
    message: 'response Gone does not say where it comes from',
  },
];

const SECTIONS: Case[] = [['a section that does not exist', `${find}/x-source`, '4.9']].map(([what, at, section]) => ({
  rule: 'contract/source-section',
  refuses: what as string,
  change: { [at as string]: section as Json },
  message: 'is not a section of the specification; write one of 1, 2.1',
}));

const REGISTRY: Case[] = [
  {
    refuses: 'an assumption that the registry does not have',
    change: { [`${create}/x-assumption`]: ['flow', 'guess'] },
    message: 'assumption not found: guess',
  },
  {
    refuses: 'an entry that nothing uses',
    change: { [`${machine}/transitions/1/x-assumption`]: 'flow' },
    message: "assumption 'transitions' is used nowhere",
    at: '#/x-assumptions/2/id',
  },
  {
    refuses: 'an id that is there twice',
    change: {
      '#/x-assumptions/3': { id: 'flow', section: '1', open: 'A.', assumed: 'B.', why: 'C.', also_done_by: 'd' },
    },
    message: "the assumption id 'flow' is there twice",
    at: '#/x-assumptions/3/id',
  },
  {
    refuses: 'an entry without a full stop',
    change: { '#/x-assumptions/0/why': 'They are known' },
    message: "why of assumption 'errors' does not end with a full stop; write one",
  },
].map((row) => ({ rule: 'contract/assumption-registry', ...row }));

/** Extensions without a part, by their places. */
const INCOMPLETE: Case[] = [
  ['#/x-assumptions/0', 'section'],
  ['#/x-assumptions/0', 'why'],
  [machine, 'title'],
  [`${machine}/states/CREATED`, 'meaning'],
  [`${machine}/transitions/0`, 'from'],
  [`${declines}/x-decline-reasons/KYC_BLOCKED`, 'likely_cause'],
  [`${declines}/x-decline-handling/KYC_BLOCKED`, 'acts'],
].map(([at = '', field = '']) => ({
  rule: 'struct',
  refuses: `${at} without ${field}`,
  change: { [`${at}/${field}`]: undefined },
  message: `The field \`${field}\` must be present on this level.`,
  at,
}));

const INTRODUCTION: Case[] = [
  { refuses: 'a sentence', text: 'It pays.', message: "line 'It pays.' does not end with where it comes from" },
  { refuses: 'a section that is not there', text: 'It pays. {source 99}', message: '{source 99} names source 99' },
  {
    refuses: 'an assumption that is not there',
    text: 'It pays. {source 1; assumption luck}',
    message: 'names assumption luck',
  },
].map(({ text, refuses, message }) => ({
  rule: 'contract/introduction-basis',
  refuses: `${refuses} of the introduction without a basis`,
  change: { '#/info/description': text },
  message,
}));

const ORIGIN: Case[] = [...INTRODUCTION, ...PROVENANCE, ...SHARED_ANSWER, ...SECTIONS, ...REGISTRY, ...INCOMPLETE];

const MONEY: Case[] = [
  {
    refuses: 'money as a number',
    change: { [`${schemas}/Amount/type`]: 'number', [`${schemas}/Amount/format`]: 'double' },
    message: 'amount is money but not an integer; write type: integer and format: int64',
    at: `${schemas}/Amount`,
  },
  {
    refuses: 'a list of money with items of another type',
    change: { [`${schemas}/PaymentCreated/properties/available_amounts/items`]: { type: 'integer' } },
    message: 'available_amounts is money but not an integer',
  },
  {
    refuses: 'money whose description does not name the unit',
    change: { [`${schemas}/Amount/description`]: 'Amount of the payment.' },
    message: 'the description of amount does not say that it is in minor units',
    at: `${schemas}/Amount`,
  },
].map((row) => ({ rule: 'contract/money-integer', ...row }));

const TABLES: Case[] = [
  ...[
    { table: 'x-minor-units', rows: { BANK_REJECTED: 2 } },
    { table: 'x-decline-reasons', rows: {} },
    { table: 'x-decline-handling', rows: undefined },
  ].map(({ table, rows }) => ({
    rule: 'contract/enum-tables',
    refuses: `${table} without a row for each value`,
    change: { [`${declines}/${table}`]: rows },
    message: `${table} and the enum differ; give each value one row, in this order: BANK_REJECTED, KYC_BLOCKED`,
  })),
  ...[
    { column: 'meaning', text: 'It is blocked.', what: 'ends with a full stop' },
    { column: 'likely_cause', text: 'A block', what: 'does not end with a full stop' },
  ].map(({ column, text, what }) => ({
    rule: 'contract/decline-sentences',
    refuses: `a ${column} that ${what}`,
    change: { [`${declines}/x-decline-reasons/KYC_BLOCKED/${column}`]: text },
    message: `${column} ${what}; change it`,
  })),
  ...[
    { column: 'retry', value: 'perhaps', message: '`retry` can be one of the following only: "now", "later"' },
    { column: 'acts', value: '', message: '`acts` can be one of the following only: "merchant", "customer"' },
    { column: 'how', value: 'soon', message: 'Property `how` is not expected here.' },
  ].map(({ column, value, message }) => ({
    rule: 'struct',
    refuses: `${column} '${value}' of a code`,
    change: { [`${declines}/x-decline-handling/KYC_BLOCKED/${column}`]: value },
    message,
  })),
  {
    rule: 'struct',
    refuses: 'a fraction of decimals',
    change: { [`${declines}/x-minor-units`]: { BANK_REJECTED: 2, KYC_BLOCKED: 2.5 } },
    message: 'Expected type `integer` but got',
    at: `${declines}/x-minor-units/KYC_BLOCKED`,
  },
  {
    rule: 'contract/enum-tables',
    refuses: 'a text for a value that the enum does not have',
    change: { [`${declines}/x-enumDescriptions/BANK_BLOCKED`]: 'Blocked' },
    message: "x-enumDescriptions describes 'BANK_BLOCKED', which the enum does not have",
  },
];

const MACHINES: Case[] = [
  {
    refuses: 'a state that no variant has',
    change: {
      [`${machine}/states/PAUSED`]: { meaning: 'It waits.', final: true, 'x-source': '3' },
      [`${machine}/transitions/2`]: {
        from: 'CREATED',
        to: 'PAUSED',
        by: 'service',
        when: 'It waits.',
        'x-source': '3',
      },
    },
    message: 'the states of Payment are not those of its schema; write CREATED, FAILED',
    at: `${machine}/states`,
  },
  {
    refuses: 'a mapping to the variant of another state',
    change: { [`${schemas}/Payment/discriminator/mapping/CREATED`]: '#/components/schemas/PaymentFailed' },
    message: 'the mapping sends CREATED to a variant whose status is FAILED; both must be the same',
  },
  {
    refuses: 'a transition into a state that is not known',
    change: { [`${machine}/transitions/1/to`]: 'LOST' },
    message: "to is 'LOST', which is not a state; write one of CREATED, FAILED",
  },
  {
    refuses: 'a state that nothing leads to',
    change: { [`${machine}/transitions/0/to`]: 'FAILED' },
    message: 'no transition leads to CREATED',
    at: `${machine}/states/CREATED`,
  },
  {
    refuses: 'a final state that is left',
    change: { [`${machine}/states/CREATED/final`]: true },
    message: 'state CREATED is final, yet a transition leaves it',
    at: `${machine}/states/CREATED`,
  },
  {
    refuses: 'a state that is not final and not left',
    change: { [`${machine}/states/FAILED/final`]: false },
    message: 'state FAILED is not final, yet no transition leaves it',
    at: `${machine}/states/FAILED`,
  },
].map((row) => ({ rule: 'contract/state-machines', ...row }));

const SPELLING: Case[] = [
  {
    rule: 'contract/closed-objects',
    refuses: 'an object of a request that is open',
    change: { [`${schemas}/PaymentRequest/additionalProperties`]: undefined },
    message: 'the object is part of a request and is not closed',
    at: `${schemas}/PaymentRequest`,
  },
  {
    rule: 'contract/closed-objects',
    refuses: 'an object of a request that none of its parts closes',
    change: { [`${schemas}/PaymentRequest/properties/confirm_data/allOf/1/additionalProperties`]: undefined },
    message: 'the object is part of a request and is not closed',
    at: `${schemas}/PaymentRequest/properties/confirm_data`,
  },
  {
    rule: 'contract/closed-objects',
    refuses: 'named properties next to a schema for further ones',
    change: { [`${schemas}/PaymentRequest/additionalProperties`]: { type: 'string' } },
    message: 'the object has properties next to a schema for further ones',
    at: `${schemas}/PaymentRequest/additionalProperties`,
  },
  {
    rule: 'contract/closed-objects',
    refuses: 'an object of a response that is closed',
    change: { [`${schemas}/Problem/additionalProperties`]: false },
    message: 'the object is sent by the service and is closed',
    at: `${schemas}/Problem`,
  },
  ...[
    { what: 'a pattern', keyword: 'pattern', value: '^a' },
    { what: 'a closed enumeration', keyword: 'enum', value: ['a'] },
  ].map(({ what, keyword, value }) => ({
    rule: 'contract/narrowing',
    refuses: `${what} without a reason`,
    change: { [`${schemas}/Person/properties/name/${keyword}`]: value },
    message: `${keyword} refuses values without a reason`,
  })),
  {
    rule: 'contract/narrowing',
    refuses: 'a keyword that the named assumption does not narrow',
    change: { [`${schemas}/Problem/properties/title/maxLength`]: 9 },
    message: 'maxLength refuses values without a reason; write x-specified: [maxLength] if the source says it',
  },
  {
    rule: 'contract/narrowing',
    refuses: 'required members that neither the source nor an assumption asks for',
    change: { [`${schemas}/PaymentFailed/x-specified`]: undefined },
    message: 'required refuses values without a reason',
    at: `${schemas}/PaymentFailed/required`,
  },
  {
    rule: 'contract/naming',
    refuses: 'a schema name that is not in PascalCase',
    change: { [`${schemas}/other_amount`]: { type: 'string', description: 'Other.', 'x-source': '1' } },
    message: "schema name 'other_amount' is not in PascalCase",
  },
  {
    rule: 'contract/naming',
    refuses: 'a webhook whose operationId is another name',
    change: { [`${webhook}/operationId`]: 'paymentDeclined' },
    message: "webhook paymentFailed has the operationId 'paymentDeclined'; both must be the same",
  },
];

const SHAPES: Case[] = [...MONEY, ...TABLES, ...MACHINES, ...SPELLING];

export const CASES: Case[] = [...PROSE, ...EXAMPLES, ...ORIGIN, ...SHAPES];
