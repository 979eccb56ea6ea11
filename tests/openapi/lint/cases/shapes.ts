/** Schemas, the tables next to them, and state machines. */
import { type Case, declines, find, machine, schemas, webhook } from './case.ts';

const MONEY: Case[] = [
  {
    refuses: 'money as a number',
    change: { [`${schemas}/Amount/type`]: 'number', [`${schemas}/Amount/format`]: 'double' },
    message: 'amount is money but not an integer; write type: integer and format: int64',
    at: `${schemas}/Amount`,
  },
  {
    refuses: 'money of 32 bits',
    change: { [`${schemas}/Amount/format`]: undefined },
    message: 'amount is money but not an integer',
    at: `${schemas}/Amount`,
  },
  {
    refuses: 'a list of money with items of another type',
    change: { [`${schemas}/PaymentCreated/properties/available_amounts/items`]: { type: 'integer' } },
    message: 'available_amounts is money but not an integer',
  },
  {
    refuses: 'a money text where no named texts are',
    change: { [`${schemas}/Person/properties/amount`]: { type: 'string', description: 'Sum.', 'x-source': '2.1' } },
    message: 'amount is money but not an integer',
    at: `${schemas}/Person/properties/amount`,
  },
  {
    refuses: 'money whose description does not name the unit',
    change: { [`${schemas}/Amount/description`]: 'Amount of the payment.' },
    message: 'the description of amount does not say that it is in minor units',
    at: `${schemas}/Amount`,
  },
].map((row) => ({ rule: 'money-integer', ...row }));

const TABLES: Case[] = [
  ...[
    { refuses: 'a value without decimals', change: { [`${declines}/x-minor-units`]: { BANK_REJECTED: 2 } } },
    {
      refuses: 'decimals that are not an integer',
      change: { [`${declines}/x-minor-units`]: { BANK_REJECTED: 2, KYC_BLOCKED: 0.5 } },
    },
  ].map((row) => ({
    rule: 'minor-units',
    ...row,
    message: 'give each value its number of decimals, in this order: BANK_REJECTED, KYC_BLOCKED',
    at: `${declines}/x-minor-units`,
  })),
  {
    rule: 'decline-table',
    refuses: 'a value without a row',
    change: { [`${declines}/x-decline-reasons/KYC_BLOCKED`]: undefined },
    message: 'give each value one row, in this order: BANK_REJECTED, KYC_BLOCKED',
    at: `${declines}/x-decline-reasons`,
  },
  {
    rule: 'decline-table',
    refuses: 'rows in another order than the values',
    change: { [`${declines}/enum`]: ['KYC_BLOCKED', 'BANK_REJECTED'] },
    message: 'give each value one row, in this order: KYC_BLOCKED, BANK_REJECTED',
    at: `${declines}/x-decline-reasons`,
  },
  ...['meaning', 'likely_cause', 'suggested_action'].map((column) => ({
    rule: 'decline-table',
    refuses: `a row without ${column}`,
    change: { [`${declines}/x-decline-reasons/KYC_BLOCKED/${column}`]: undefined },
    message: `KYC_BLOCKED has no ${column}; write it`,
    at: `${declines}/x-decline-reasons/KYC_BLOCKED`,
  })),
  {
    rule: 'decline-table',
    refuses: 'a column that is not known',
    change: { [`${declines}/x-decline-reasons/KYC_BLOCKED/cause`]: 'KYC.' },
    message: "KYC_BLOCKED has 'cause'; a row has meaning, likely_cause, suggested_action only",
    at: `${declines}/x-decline-reasons/KYC_BLOCKED`,
  },
  {
    rule: 'decline-table',
    refuses: 'a cause that is not a sentence',
    change: { [`${declines}/x-decline-reasons/KYC_BLOCKED/likely_cause`]: 'KYC' },
    message: 'likely_cause of KYC_BLOCKED does not end with a full stop',
    at: `${declines}/x-decline-reasons/KYC_BLOCKED`,
  },
  {
    rule: 'decline-handling',
    refuses: 'a code without a row',
    change: { [`${declines}/x-decline-handling/KYC_BLOCKED`]: undefined },
    message: 'give each code one row, in this order: BANK_REJECTED, KYC_BLOCKED',
    at: `${declines}/x-decline-handling`,
  },
  ...[{ retry: 'perhaps' }, { acts: '' }, { how: 'soon' }].map((change: Record<string, string>) => ({
    rule: 'decline-handling',
    refuses: `a row with ${JSON.stringify(change)}`,
    change: { [`${declines}/x-decline-handling/KYC_BLOCKED`]: { retry: 'later', acts: 'customer', ...change } },
    message:
      'KYC_BLOCKED has exactly retry (now, later, changed, never) and acts (merchant, customer, service, nobody)',
    at: `${declines}/x-decline-handling/KYC_BLOCKED`,
  })),
  {
    rule: 'enum-descriptions',
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
    refuses: 'a machine without a schema',
    change: { [`${machine}/title`]: 'Refund' },
    message: "no discriminated schema is named 'Refund'",
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
    refuses: 'a transition from nowhere',
    change: { [`${machine}/transitions/0/from`]: 'LOST' },
    message: "from is 'LOST', which is not a state; write one of CREATED, FAILED or null",
  },
  {
    refuses: 'a mover that is not known',
    change: { [`${machine}/transitions/0/by`]: 'makePayment' },
    message: "by is 'makePayment'; write an operationId, customer or service",
  },
  {
    refuses: 'a transition that does not say when it happens',
    change: { [`${machine}/transitions/0/when`]: 'accepted' },
    message: 'the transition has no `when` that ends with a full stop',
  },
  {
    refuses: 'a state without a meaning',
    change: { [`${machine}/states/CREATED/meaning`]: undefined },
    message: 'state CREATED has no meaning that ends with a full stop',
    at: `${machine}/states/CREATED`,
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
].map((row) => ({ rule: 'state-machines', ...row }));

const SPELLING: Case[] = [
  {
    rule: 'closed-objects',
    refuses: 'an object of a request that is open',
    change: { [`${schemas}/PaymentRequest/additionalProperties`]: undefined },
    message: 'the object is part of a request and is not closed',
    at: `${schemas}/PaymentRequest`,
  },
  {
    rule: 'closed-objects',
    refuses: 'an object of a request that none of its parts closes',
    change: { [`${schemas}/PaymentRequest/properties/confirm_data/allOf/1/additionalProperties`]: undefined },
    message: 'the object is part of a request and is not closed',
    at: `${schemas}/PaymentRequest/properties/confirm_data`,
  },
  {
    rule: 'closed-objects',
    refuses: 'named properties next to a schema for further ones',
    change: { [`${schemas}/PaymentRequest/additionalProperties`]: { type: 'string' } },
    message: 'the object has properties next to a schema for further ones',
    at: `${schemas}/PaymentRequest/additionalProperties`,
  },
  {
    rule: 'closed-objects',
    refuses: 'an object of a response that is closed',
    change: { [`${schemas}/Problem/additionalProperties`]: false },
    message: 'the object is sent by the service and is closed',
    at: `${schemas}/Problem`,
  },
  {
    rule: 'closed-objects',
    refuses: 'an object of a webhook that is closed',
    change: { [`${schemas}/PaymentFailed/additionalProperties`]: false },
    message: 'the object is sent by the service and is closed',
    at: `${schemas}/PaymentFailed`,
  },
  ...[
    { what: 'a pattern', keyword: 'pattern', value: '^a' },
    { what: 'a length', keyword: 'minLength', value: 1 },
    { what: 'a closed enumeration', keyword: 'enum', value: ['a'] },
  ].map(({ what, keyword, value }) => ({
    rule: 'narrowing',
    refuses: `${what} without a reason`,
    change: { [`${schemas}/Person/properties/name/${keyword}`]: value },
    message: `${keyword} refuses values without a reason`,
  })),
  {
    rule: 'narrowing',
    refuses: 'a keyword that the named assumption does not narrow',
    change: { [`${schemas}/Problem/properties/title/maxLength`]: 9 },
    message: 'maxLength refuses values without a reason; write x-specified: [maxLength] if the source says it',
  },
  {
    rule: 'narrowing',
    refuses: 'required members that neither the source nor an assumption asks for',
    change: { [`${schemas}/PaymentFailed/x-specified`]: undefined },
    message: 'required refuses values without a reason',
    at: `${schemas}/PaymentFailed/required`,
  },
  {
    rule: 'narrowing',
    refuses: 'a required header without a reason',
    change: { [`${webhook}/parameters/0/required`]: true },
    message: 'required refuses values without a reason',
  },
  {
    rule: 'naming',
    refuses: 'a schema name that is not in PascalCase',
    change: { [`${schemas}/other_amount`]: { type: 'string', description: 'Other.', 'x-source': '1' } },
    message: "schema name 'other_amount' is not in PascalCase",
  },
  {
    rule: 'naming',
    refuses: 'a property name that is not in snake_case',
    change: { [`${schemas}/PaymentFailed/properties/failedAt`]: { $ref: '#/components/schemas/Amount' } },
    message: "property name 'failedAt' is not in snake_case",
  },
  {
    rule: 'naming',
    refuses: 'a parameter name that is not in snake_case',
    change: { [`${find}/parameters/0/name`]: 'orderId' },
    message: "parameter name 'orderId' is not in snake_case",
  },
  {
    rule: 'naming',
    refuses: 'a webhook whose operationId is another name',
    change: { [`${webhook}/operationId`]: 'paymentDeclined' },
    message: "webhook paymentFailed has the operationId 'paymentDeclined'; both must be the same",
  },
];

export const SHAPES: Case[] = [...MONEY, ...TABLES, ...MACHINES, ...SPELLING];
