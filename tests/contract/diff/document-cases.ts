/** Edits of the contract outside its schemas: operations, webhooks, states, assumptions, texts. See schema-cases.ts. */
import { drop, schema, set } from './documents.ts';
import type { Case } from './schema-cases.ts';

const CREATE = '/paths/~1payments/post';
const EVENT = '/webhooks/payoutSucceeded/post';

const HEADER = { name: 'X-Trace', in: 'header', schema: { type: 'string' } };

export const MESSAGES: Case[] = [
  {
    name: 'an operation',
    edit: set('/paths/~1payouts~1{payout_id}/delete', { operationId: 'cancelPayout', responses: {} }),
    forward: ['minor: operation DELETE /payouts/{payout_id} added'],
    back: ['major: operation DELETE /payouts/{payout_id} removed'],
  },
  {
    name: 'another operation id',
    edit: set(`${CREATE}/operationId`, 'startPayment'),
    forward: ['major: operationId: createPayment → startPayment'],
    back: ['major: operationId: startPayment → createPayment'],
  },
  {
    name: 'a notice that an operation will go',
    edit: set(`${CREATE}/deprecated`, true),
    forward: ['minor: deprecated: none → true'],
    back: ['patch: deprecated: true → none'],
  },
  {
    name: 'a webhook',
    edit: set('/webhooks/payoutCancelled', { post: { operationId: 'payoutCancelled', responses: {} } }),
    forward: ['minor: webhook payoutCancelled added'],
    back: ['major: webhook payoutCancelled removed'],
  },
  {
    name: 'a callback',
    edit: set(`${CREATE}/callbacks/paymentCancelled`, { address: { post: {} } }),
    forward: ['minor: callback paymentCancelled added'],
    back: ['major: callback paymentCancelled removed'],
  },
  {
    name: 'an optional parameter',
    edit: set('/paths/~1payments/get/parameters/-', HEADER),
    forward: ['minor: optional header parameter x-trace added'],
    back: ['major: header parameter x-trace removed'],
  },
  {
    name: 'a required parameter',
    edit: set('/paths/~1payments/get/parameters/-', { ...HEADER, required: true }),
    forward: ['major: required header parameter x-trace added'],
    back: ['major: header parameter x-trace removed'],
  },
  {
    name: 'a header that each webhook of a kind carries',
    edit: set(`${EVENT}/parameters/-`, { ...HEADER, required: true }),
    forward: ['minor: required header parameter x-trace added'],
    back: ['major: header parameter x-trace removed'],
  },
  {
    name: 'doubt whether webhooks carry a header',
    edit: set('/components/parameters/BrandSignature/required', false),
    forward: ['major: header parameter x-gateway-signature is now optional'],
    back: ['minor: header parameter x-gateway-signature is now required'],
  },
  {
    name: 'a response that the merchant may send to a webhook',
    edit: set(`${EVENT}/responses/404`, { description: 'Not here.' }),
    forward: ['minor: response 404 added'],
    back: ['major: response 404 removed'],
  },
  {
    name: 'an error of an operation',
    edit: set(`${CREATE}/responses/422`, { description: 'Refused.' }),
    forward: ['minor: response 422 added'],
    back: ['major: response 422 removed'],
  },
  {
    name: 'a success of an operation',
    edit: set(`${CREATE}/responses/202`, { description: 'Later.' }),
    forward: ['major: response 202 added'],
    back: ['major: response 202 removed'],
  },
  {
    name: 'a promise that a response carries a header',
    edit: set('/components/headers/RetryAfter/required', true),
    forward: ['minor: header Retry-After is now required'],
    back: ['major: header Retry-After is now optional'],
  },
  {
    name: 'a media type of a request',
    edit: set(`${CREATE}/requestBody/content/text~1csv`, { schema: { type: 'string' } }),
    forward: ['minor: media type text/csv added'],
    back: ['major: media type text/csv removed'],
  },
  {
    name: 'leave to send no body',
    edit: set(`${CREATE}/requestBody/required`, false),
    forward: ['minor: body is now optional'],
    back: ['major: body is now required'],
  },
  {
    name: 'an operation without a key',
    edit: set('/paths/~1merchant~1balance/get/security', []),
    forward: ['minor: security {"apiKey":[]} no longer asked for'],
    back: ['major: security is asked for now'],
  },
  {
    name: 'another scheme of the key',
    edit: set('/components/securitySchemes/apiKey/scheme', 'basic'),
    forward: ['major: scheme: bearer → basic'],
    back: ['major: scheme: basic → bearer'],
  },
];

const MOVE = { from: 'VERIFYING', to: 'CREATED', by: 'service', when: 'Paid at once.' };

export const STATES: Case[] = [
  {
    name: 'a move between states',
    edit: set('/x-state-machines/payment/transitions/-', MOVE),
    forward: ['minor: payment move VERIFYING → CREATED by service added'],
    back: ['major: payment move VERIFYING → CREATED by service removed'],
  },
  {
    name: 'a state',
    edit: set('/x-state-machines/payout/states/HELD', { meaning: 'Held.', final: false }),
    forward: ['minor: payout state HELD added'],
    back: ['major: payout state HELD removed'],
  },
  {
    name: 'a way out of a final state',
    edit: set('/x-state-machines/payment/states/SUCCESS/final', false),
    forward: ['major: payment state SUCCESS is no longer final'],
    back: ['major: payment state SUCCESS is final now'],
  },
  {
    name: 'the address of one of two servers with the same URL',
    edit: set('/servers/0/variables/base_url/default', 'https://pay.example'),
    forward: ['major: server https://api.test.gateway.example removed', 'minor: server https://pay.example added'],
    back: ['major: server https://pay.example removed', 'minor: server https://api.test.gateway.example added'],
  },
  {
    name: 'another assumption',
    edit: set('/x-assumptions/0/assumed', 'HTTP basic'),
    forward: ['minor: assumption auth changed; see whether callers or services have to'],
    back: ['minor: assumption auth changed; see whether callers or services have to'],
  },
];

export const WORDS: Case[] = [
  {
    name: 'a description of a schema',
    edit: set(schema('AmountPaid', 'description'), 'Paid.'),
    forward: ['patch: description changed'],
    back: ['patch: description changed'],
  },
  {
    name: 'an example that is used by reference',
    edit: set('/components/examples/payout-failed/value/amount', 7),
    forward: ['patch: example declined changed'],
    back: ['patch: example declined changed'],
  },
  {
    name: 'an example of an operation',
    edit: drop(`${CREATE}/requestBody/content/application~1json/examples/redirect-dzd`),
    forward: ['patch: example redirect-dzd removed'],
    back: ['patch: example redirect-dzd added'],
  },
  {
    name: 'an example of a parameter',
    edit: set('/components/parameters/WebhookId/examples/other', { value: 'evt_2' }),
    forward: ['patch: example other added'],
    back: ['patch: example other removed'],
  },
  {
    name: 'a summary',
    edit: set(`${CREATE}/summary`, 'Start a payment'),
    forward: ['patch: summary changed'],
    back: ['patch: summary changed'],
  },
  {
    name: 'a text on a decline reason',
    edit: set(schema('PaymentDeclineReason', 'anyOf', 0, 'x-decline-reasons', 'KYC_BLOCKED', 'meaning'), 'No KYC'),
    forward: ['patch: x-decline-reasons KYC_BLOCKED meaning changed'],
    back: ['patch: x-decline-reasons KYC_BLOCKED meaning changed'],
  },
  {
    name: 'the introduction',
    edit: set('/info/description', 'Read on.'),
    forward: ['patch: info description changed'],
    back: ['patch: info description changed'],
  },
  {
    name: 'the description of one of two servers with the same URL',
    edit: set('/servers/0/description', 'Live.'),
    forward: ['patch: server https://api.test.gateway.example description changed'],
    back: ['patch: server https://api.test.gateway.example description changed'],
  },
  {
    name: 'the reason of an assumption',
    edit: set('/x-assumptions/0/why', 'Because.'),
    forward: ['patch: assumption auth: why changed'],
    back: ['patch: assumption auth: why changed'],
  },
];
