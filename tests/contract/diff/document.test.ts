/** Every class of change in both directions, on the real contract. */
import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../contract/src/diff/document.ts';
import { all, CONTRACT, type Edit, edited, LOST_FIELD, lines, rename, schema, set } from './documents.ts';

/** An edit of the contract, its rating, and the rating of its reversal. */
type Row = readonly [edit: Edit, forward: string, back: string];

/** A change of words has one rating. */
const words = (edit: Edit, message: string): Row => [edit, `patch: ${message}`, `patch: ${message}`];

const NOTE = { type: 'string', maxLength: 20 };
const PAYMENT = ['CreatePaymentRequest', 'properties'] as const;

/** Schemas called …Request go to the service, others to the merchant, and some both ways. */
const FIELDS: Row[] = [
  [
    all(set(schema(...PAYMENT, 'note'), NOTE), set(schema('CreatePaymentRequest', 'required', '-'), 'note')),
    'major: required field note added',
    'major: field note removed',
  ],
  [
    set(schema('CreatePaymentRequest', 'required', '-'), 'return_url'),
    'major: return_url is now required',
    'minor: return_url is now optional',
  ],
  // Every JavaScript object has this name.
  [
    set(schema(...PAYMENT, 'constructor'), NOTE),
    'minor: optional field constructor added',
    'major: field constructor removed',
  ],
  [
    set(schema('CreatePayoutRequest', 'additionalProperties'), true),
    'minor: further fields: false → true',
    'major: further fields: true → false',
  ],
  // Items with other names were allowed before.
  [
    set(schema('ClarifyItems', 'properties', 'ifsc'), { type: 'string', minLength: 1, maxLength: 11 }),
    'minor: optional field ifsc added',
    'major: field ifsc removed',
  ],
];

const VALUES: Row[] = [
  [
    all(
      set(schema('PayoutDeclineReason', 'anyOf', 0, 'enum', '-'), 'ACCOUNT_CLOSED'),
      set(schema('PayoutDeclineReason', 'anyOf', 0, 'x-decline-reasons', 'ACCOUNT_CLOSED'), { meaning: 'Closed' }),
    ),
    'minor: known value ACCOUNT_CLOSED added to an open enumeration\npatch: x-decline-reasons ACCOUNT_CLOSED added',
    'major: value ACCOUNT_CLOSED removed\npatch: x-decline-reasons ACCOUNT_CLOSED removed',
  ],
  [
    set(schema('Currency', 'enum', '-'), 'TND'),
    'major: value TND added\nminor: value TND added',
    'major: value TND removed',
  ],
  [
    set(schema('CustomerName', 'enum'), ['Asha']),
    'major: only Asha allowed now',
    'minor: any value allowed now, was Asha',
  ],
  [
    set(schema('PayoutProcessing', 'properties', 'status', 'const'), 'PENDING'),
    'major: value PROCESSING removed\nmajor: value PENDING added',
    'major: value PENDING removed\nmajor: value PROCESSING added',
  ],
  [
    all(
      set(schema('PayoutCancelled'), { type: 'object' }),
      set(schema('Payout', 'oneOf', '-'), { $ref: '#/components/schemas/PayoutCancelled' }),
      set(schema('Payout', 'discriminator', 'mapping', 'CANCELLED'), '#/components/schemas/PayoutCancelled'),
    ),
    'major: variant CANCELLED added\nminor: schema PayoutCancelled added',
    'major: variant CANCELLED removed\nmajor: schema PayoutCancelled removed',
  ],
  [
    rename('PayoutSucceeded', 'PayoutPaid'),
    'major: schema PayoutSucceeded removed\nminor: schema PayoutPaid added',
    'major: schema PayoutPaid removed\nminor: schema PayoutSucceeded added',
  ],
  [
    set(schema('Payout', 'discriminator', 'mapping', 'FAILED'), '#/components/schemas/PayoutSucceeded'),
    'major: discriminator FAILED: #/components/schemas/PayoutFailed → #/components/schemas/PayoutSucceeded',
    'major: discriminator FAILED: #/components/schemas/PayoutSucceeded → #/components/schemas/PayoutFailed',
  ],
  // An enumeration becomes open.
  [
    set(schema('Violation', 'properties', 'in'), {
      anyOf: [{ type: 'string', enum: ['body', 'query', 'path', 'header', 'cookie'] }, { type: 'string' }],
    }),
    'major: value cookie added\nmajor: variant string added\npatch: description removed\npatch: x-assumption removed',
    'major: value cookie removed\nmajor: variant string removed\npatch: description added\npatch: x-assumption added',
  ],
];

const CONFIRM_ITEM = schema('ConfirmPaymentRequest', 'properties', 'confirm_data', 'allOf', 1, 'additionalProperties');

const LIMITS: Row[] = [
  [set(`${CONFIRM_ITEM}/maxLength`, 100), 'major: maxLength: 255 → 100', 'minor: maxLength: 100 → 255'],
  [
    set(schema('Balance', 'properties', 'balances', 'maxItems'), 8),
    'minor: maxItems: none → 8',
    'major: maxItems: 8 → none',
  ],
  [
    set(schema('Amount', 'minimum'), 0),
    'major: minimum: 1 → 0\nminor: minimum: 1 → 0',
    'major: minimum: 0 → 1\nminor: minimum: 0 → 1',
  ],
  [
    set(schema('CustomerName', 'pattern'), '^[a-z]'),
    'major: pattern: ^[^\\u0000]*$ → ^[a-z]',
    'major: pattern: ^[a-z] → ^[^\\u0000]*$',
  ],
  [
    set(schema('Balance', 'properties', 'merchant_id', 'type'), 'number'),
    'major: type: integer → number',
    'minor: type: number → integer',
  ],
  [set(schema('KycLevel', 'default'), 'TRUSTED'), 'minor: default: none → TRUSTED', 'major: default: TRUSTED → none'],
];

const CREATE = '/paths/~1payments/post';
const HEADER = { name: 'X-Trace', in: 'header', schema: { type: 'string' } };

const MESSAGES: Row[] = [
  [
    set('/paths/~1payouts~1{payout_id}/delete', { operationId: 'cancelPayout', responses: {} }),
    'minor: operation DELETE /payouts/{payout_id} added',
    'major: operation DELETE /payouts/{payout_id} removed',
  ],
  [
    set(`${CREATE}/operationId`, 'startPayment'),
    'major: operationId: createPayment → startPayment',
    'major: operationId: startPayment → createPayment',
  ],
  [set(`${CREATE}/deprecated`, true), 'minor: deprecated: none → true', 'patch: deprecated: true → none'],
  [
    set('/webhooks/payoutCancelled', { post: { operationId: 'payoutCancelled', responses: {} } }),
    'minor: webhook payoutCancelled added',
    'major: webhook payoutCancelled removed',
  ],
  [
    set(`${CREATE}/callbacks/paymentCancelled`, { address: { post: {} } }),
    'minor: callback paymentCancelled added',
    'major: callback paymentCancelled removed',
  ],
  [
    set('/paths/~1payments/get/parameters/-', HEADER),
    'minor: optional header parameter x-trace added',
    'major: header parameter x-trace removed',
  ],
  [
    set('/paths/~1payments/get/parameters/-', { ...HEADER, required: true }),
    'major: required header parameter x-trace added',
    'major: header parameter x-trace removed',
  ],
  [
    set('/components/parameters/BrandSignature/required', false),
    'major: header parameter x-gateway-signature is now optional',
    'minor: header parameter x-gateway-signature is now required',
  ],
  [
    set(`${CREATE}/responses/422`, { description: 'Refused.' }),
    'minor: response 422 added',
    'major: response 422 removed',
  ],
  [
    set(`${CREATE}/responses/202`, { description: 'Later.' }),
    'major: response 202 added',
    'major: response 202 removed',
  ],
  [
    set('/components/headers/RetryAfter/required', true),
    'minor: header Retry-After is now required',
    'major: header Retry-After is now optional',
  ],
  [
    set(`${CREATE}/requestBody/content/text~1csv`, { schema: { type: 'string' } }),
    'minor: media type text/csv added',
    'major: media type text/csv removed',
  ],
  [set(`${CREATE}/requestBody/required`, false), 'minor: body is now optional', 'major: body is now required'],
  [
    set('/paths/~1merchant~1balance/get/security', []),
    'minor: security {"apiKey":[]} no longer asked for',
    'major: security is asked for now',
  ],
  [
    set('/components/securitySchemes/apiKey/scheme', 'basic'),
    'major: scheme: bearer → basic',
    'major: scheme: basic → bearer',
  ],
];

const STATES: Row[] = [
  [
    set('/x-state-machines/payment/transitions/-', { from: 'VERIFYING', to: 'CREATED', by: 'service', when: 'Paid.' }),
    'minor: payment move VERIFYING → CREATED by service added',
    'major: payment move VERIFYING → CREATED by service removed',
  ],
  [
    set('/x-state-machines/payout/states/HELD', { meaning: 'Held.', final: false }),
    'minor: payout state HELD added',
    'major: payout state HELD removed',
  ],
  [
    set('/x-state-machines/payment/states/SUCCESS/final', false),
    'major: payment state SUCCESS is no longer final',
    'major: payment state SUCCESS is final now',
  ],
  [
    set('/servers/0/variables/base_url/default', 'https://pay.example'),
    'major: server https://api.test.gateway.example removed\nminor: server https://pay.example added',
    'major: server https://pay.example removed\nminor: server https://api.test.gateway.example added',
  ],
  [
    set('/x-assumptions/0/assumed', 'HTTP basic'),
    'minor: assumption auth changed; see whether callers or services have to',
    'minor: assumption auth changed; see whether callers or services have to',
  ],
];

const WORDS: Row[] = [
  words(set(schema('AmountPaid', 'description'), 'Paid.'), 'description changed'),
  words(set('/components/examples/payout-failed/value/amount', 7), 'example declined changed'),
  words(set('/info/description', 'Read on.'), 'info description changed'),
  // The two servers have the same URL, with different defaults.
  words(set('/servers/0/description', 'Live.'), 'server https://api.test.gateway.example description changed'),
  words(set('/x-assumptions/0/why', 'Because.'), 'assumption auth: why changed'),
];

describe.each(Object.entries({ FIELDS, VALUES, LIMITS, MESSAGES, STATES, WORDS }))('%s', (_, rows) => {
  it.each(rows.map(([edit, forward, back]) => ({ edit, forward, back })))(
    'rate $forward, and $back',
    ({ edit, forward, back }) => {
      expect(lines(CONTRACT, edited(edit))).toEqual(forward.split('\n'));
      expect(lines(edited(edit), CONTRACT)).toEqual(back.split('\n'));
    },
  );
});

describe('a change', () => {
  it('has its location, the affected messages and the reason why it breaks', () => {
    expect(compareDocuments(CONTRACT, edited(set(schema('CustomerEmail', 'maxLength'), 100)))).toEqual([
      {
        level: 'major',
        pointer: '/components/schemas/CustomerEmail/maxLength',
        message: 'maxLength: 255 → 100',
        why: 'The service refuses requests that were valid before.',
        places: ['createPayment request', 'clarifyPayment request', 'createPayout request'],
      },
    ]);
  });

  it('points into the old document for a removed field', () => {
    const [change] = compareDocuments(CONTRACT, edited(LOST_FIELD));
    expect(change).toMatchObject({
      pointer: schema('PaymentSucceeded', 'properties', 'amount_paid'),
      why: 'Readers that rely on it get none.',
    });
  });

  it('of an unused component is found', () => {
    const unused = set('/components/headers/Unused', { schema: { type: 'string' } });
    const other = set('/components/headers/Unused/schema/type', 'integer');
    const message = 'patch: unused headers Unused schema type changed';
    expect(lines(edited(unused), edited(all(unused, other)))).toEqual([message]);
  });

  it('is none when only the order of fields, variants or parameters differs', () => {
    const reversed = edited((document) => {
      document.components.schemas['Payment']?.oneOf?.reverse();
      document.webhooks['payoutFailed']?.post.parameters?.reverse();
      const fields = document.components.schemas['Balance'];
      if (fields?.properties) fields.properties = Object.fromEntries(Object.entries(fields.properties).reverse());
    });
    expect(lines(CONTRACT, reversed)).toEqual([]);
  });

  it('is none for an unchanged recursive schema', () => {
    const items = { $ref: '#/components/schemas/Violation' };
    const tree = set(schema('Violation', 'properties', 'causes'), { type: 'array', items });
    expect(lines(edited(tree), edited(tree))).toEqual([]);
  });
});
