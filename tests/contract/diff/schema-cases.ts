/**
 * Edits of the contract's schemas with the rating of each edit and its reversal. Schemas called …Request go to the
 * service, others to the merchant in a response or webhook, and some both ways.
 */
import { all, drop, type Edit, optional, rename, schema, set } from './documents.ts';

export interface Case {
  name: string;
  edit: Edit;
  forward: string[];
  back: string[];
}

const NEW_FIELD = { type: 'string', maxLength: 20 };

export const FIELDS: Case[] = [
  {
    name: 'an optional field of a request',
    edit: set(schema('CreatePaymentRequest', 'properties', 'note'), NEW_FIELD),
    forward: ['minor: optional field note added'],
    back: ['major: field note removed'],
  },
  {
    name: 'a required field of a request',
    edit: all(
      set(schema('CreatePaymentRequest', 'properties', 'note'), NEW_FIELD),
      set(schema('CreatePaymentRequest', 'required', '-'), 'note'),
    ),
    forward: ['major: required field note added'],
    back: ['major: field note removed'],
  },
  {
    name: 'a requirement on a field of a request',
    edit: set(schema('CreatePaymentRequest', 'required', '-'), 'return_url'),
    forward: ['major: return_url is now required'],
    back: ['minor: return_url is now optional'],
  },
  {
    name: 'an optional field of a response',
    edit: set(schema('CreatePaymentResponseCreated', 'properties', 'note'), NEW_FIELD),
    forward: ['minor: optional field note added'],
    back: ['major: field note removed'],
  },
  {
    name: 'a required field of a response',
    edit: all(set(schema('Balance', 'properties', 'note'), NEW_FIELD), set(schema('Balance', 'required', '-'), 'note')),
    forward: ['minor: required field note added'],
    back: ['major: field note removed'],
  },
  {
    name: 'a promise that a response field is always there',
    edit: set(schema('CreatePaymentResponseCreated', 'required', '-'), 'redirect_url'),
    forward: ['minor: redirect_url is now required'],
    back: ['major: redirect_url is now optional'],
  },
  {
    name: 'an optional field of a webhook',
    edit: set(schema('PayoutSucceeded', 'properties', 'note'), NEW_FIELD),
    forward: ['minor: optional field note added'],
    back: ['major: field note removed'],
  },
  {
    name: 'a field whose name every JavaScript object has',
    edit: set(schema('CreatePaymentRequest', 'properties', 'constructor'), NEW_FIELD),
    forward: ['minor: optional field constructor added'],
    back: ['major: field constructor removed'],
  },
  {
    name: 'leave to send unknown fields',
    edit: set(schema('CreatePayoutRequest', 'additionalProperties'), true),
    forward: ['minor: further fields: false → true'],
    back: ['major: further fields: true → false'],
  },
  {
    name: 'a response without room for unknown fields',
    edit: set(schema('Balance', 'additionalProperties'), false),
    forward: ['minor: further fields: true → false'],
    back: ['minor: further fields: false → true'],
  },
  {
    name: 'a name for an item that was admitted before',
    edit: set(schema('ClarifyItems', 'properties', 'ifsc'), {
      type: 'string',
      minLength: 1,
      maxLength: 11,
    }),
    forward: ['minor: optional field ifsc added'],
    back: ['major: field ifsc removed'],
  },
];

export const VALUES: Case[] = [
  {
    name: 'a value of an open enumeration',
    edit: set(schema('PaymentMethodType', 'anyOf', 0, 'enum', '-'), 'UPI_LITE_IN'),
    forward: ['minor: known value UPI_LITE_IN added to an open enumeration'],
    back: ['major: value UPI_LITE_IN removed'],
  },
  {
    name: 'a decline reason and its text',
    edit: all(
      set(schema('PayoutDeclineReason', 'anyOf', 0, 'enum', '-'), 'ACCOUNT_CLOSED'),
      set(schema('PayoutDeclineReason', 'anyOf', 0, 'x-decline-reasons', 'ACCOUNT_CLOSED'), { meaning: 'Closed' }),
    ),
    forward: [
      'minor: known value ACCOUNT_CLOSED added to an open enumeration',
      'patch: x-decline-reasons ACCOUNT_CLOSED added',
    ],
    back: ['major: value ACCOUNT_CLOSED removed', 'patch: x-decline-reasons ACCOUNT_CLOSED removed'],
  },
  {
    name: 'a value of a closed enumeration that goes both ways',
    edit: set(schema('Currency', 'enum', '-'), 'TND'),
    forward: ['major: value TND added', 'minor: value TND added'],
    back: ['major: value TND removed'],
  },
  {
    name: 'a value of a closed enumeration in a response',
    edit: set(schema('Violation', 'properties', 'in', 'enum', '-'), 'cookie'),
    forward: ['major: value cookie added'],
    back: ['major: value cookie removed'],
  },
  {
    name: 'openness of an enumeration in a response, and a value',
    edit: set(schema('Violation', 'properties', 'in'), {
      anyOf: [{ type: 'string', enum: ['body', 'query', 'path', 'header', 'cookie'] }, { type: 'string' }],
    }),
    forward: [
      'major: value cookie added',
      'major: variant string added',
      'patch: description removed',
      'patch: x-assumption removed',
    ],
    back: [
      'major: value cookie removed',
      'major: variant string removed',
      'patch: description added',
      'patch: x-assumption added',
    ],
  },
  {
    name: 'an enumeration in a request, where any string was allowed',
    edit: set(schema('CustomerName', 'enum'), ['Asha']),
    forward: ['major: only Asha allowed now'],
    back: ['minor: any value allowed now, was Asha'],
  },
  {
    name: 'a variant of a response',
    edit: all(
      set(schema('PayoutCancelled'), { type: 'object' }),
      set(schema('Payout', 'oneOf', '-'), { $ref: '#/components/schemas/PayoutCancelled' }),
      set(schema('Payout', 'discriminator', 'mapping', 'CANCELLED'), '#/components/schemas/PayoutCancelled'),
    ),
    forward: ['major: variant CANCELLED added', 'minor: schema PayoutCancelled added'],
    back: ['major: variant CANCELLED removed', 'major: schema PayoutCancelled removed'],
  },
  {
    name: 'another name of a variant, which messages do not carry',
    edit: rename('PayoutSucceeded', 'PayoutPaid'),
    forward: ['major: schema PayoutSucceeded removed', 'minor: schema PayoutPaid added'],
    back: ['major: schema PayoutPaid removed', 'minor: schema PayoutSucceeded added'],
  },
  {
    name: 'another meaning of a discriminator value',
    edit: set(schema('Payout', 'discriminator', 'mapping', 'FAILED'), '#/components/schemas/PayoutSucceeded'),
    forward: ['major: discriminator FAILED: #/components/schemas/PayoutFailed → #/components/schemas/PayoutSucceeded'],
    back: ['major: discriminator FAILED: #/components/schemas/PayoutSucceeded → #/components/schemas/PayoutFailed'],
  },
  {
    name: 'a status in the place of another',
    edit: set(schema('PayoutProcessing', 'properties', 'status', 'const'), 'PENDING'),
    forward: ['major: value PROCESSING removed', 'major: value PENDING added'],
    back: ['major: value PENDING removed', 'major: value PROCESSING added'],
  },
];

export const LIMITS: Case[] = [
  {
    name: 'a tighter upper limit in requests',
    edit: set(schema('CustomerEmail', 'maxLength'), 100),
    forward: ['major: maxLength: 255 → 100'],
    back: ['minor: maxLength: 100 → 255'],
  },
  {
    name: 'a tighter lower limit in requests',
    edit: set(schema('ConfirmPaymentRequest', 'properties', 'confirm_data', 'allOf', '1', 'minProperties'), 2),
    forward: ['major: minProperties: 1 → 2'],
    back: ['minor: minProperties: 2 → 1'],
  },
  {
    name: 'a limit in responses',
    edit: set(schema('Balance', 'properties', 'balances', 'maxItems'), 8),
    forward: ['minor: maxItems: none → 8'],
    back: ['major: maxItems: 8 → none'],
  },
  {
    name: 'a looser limit in webhooks and responses',
    edit: set(schema('AmountPaid', 'minimum'), 0),
    forward: ['major: minimum: 1 → 0'],
    back: ['minor: minimum: 0 → 1'],
  },
  {
    name: 'a looser limit that goes both ways',
    edit: set(schema('Amount', 'minimum'), 0),
    forward: ['major: minimum: 1 → 0', 'minor: minimum: 1 → 0'],
    back: ['major: minimum: 0 → 1', 'minor: minimum: 0 → 1'],
  },
  {
    name: 'a limit on a response where there was none',
    edit: set(schema('ConfirmPaymentResponse', 'properties', 'message', 'maxLength'), 500),
    forward: ['minor: maxLength: none → 500'],
    back: ['major: maxLength: 500 → none'],
  },
  {
    name: 'another pattern',
    edit: set(schema('CustomerName', 'pattern'), '^[a-z]'),
    forward: ['major: pattern: ^[^\\u0000]*$ → ^[a-z]'],
    back: ['major: pattern: ^[a-z] → ^[^\\u0000]*$'],
  },
  {
    name: 'a wider type in responses',
    edit: set(schema('Balance', 'properties', 'merchant_id', 'type'), 'number'),
    forward: ['major: type: integer → number'],
    back: ['minor: type: number → integer'],
  },
  {
    name: 'a keyword that the check does not know',
    edit: set(schema('CustomerName', 'not'), { const: 'x' }),
    forward: ['major: not: none → {"const":"x"}'],
    back: ['major: not: {"const":"x"} → none'],
  },
  {
    name: 'a default in requests',
    edit: set(schema('KycLevel', 'default'), 'TRUSTED'),
    forward: ['minor: default: none → TRUSTED'],
    back: ['major: default: TRUSTED → none'],
  },
];

/** A removed field that has become optional, for tests of breaking changes. */
export const LOST_FIELD = all(
  drop(schema('PaymentSucceeded', 'properties', 'amount_paid')),
  optional('PaymentSucceeded', 'amount_paid'),
);
