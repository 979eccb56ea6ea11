/** Cases of the rules for names and descriptions. */
import { type Case, create, schemas, webhook } from './case.ts';

const WORDING: Case[] = [
  {
    refuses: 'a summary of two words',
    change: { [`${create}/summary`]: 'Create payment' },
    message: "summary 'Create payment' does not have 3 to 5 words; write it like 'Create a payment'",
  },
  {
    refuses: 'a summary of six words',
    change: { [`${create}/summary`]: 'Create a payment for a customer' },
    message: 'does not have 3 to 5 words',
  },
  {
    refuses: 'a full stop after a summary',
    change: { [`${create}/summary`]: 'Create a payment.' },
    message: 'ends with a full stop; leave it out',
  },
  {
    refuses: 'a summary whose verb is not allowed',
    change: { [`${create}/summary`]: 'Make a payment', [`${create}/operationId`]: 'makePayment' },
    message: "summary 'Make a payment' of an operation begins with none of Create",
    at: `${create}/summary`,
  },
  {
    refuses: 'a webhook that is not named after its subject',
    change: { [`${webhook}/summary`]: 'Failed is the payment' },
    message: 'of a webhook begins with none of Payment, Payout',
  },
  {
    refuses: 'an operationId that is not in camelCase',
    change: { [`${create}/operationId`]: 'create_payment' },
    message: "operationId 'create_payment' of an operation is not two or more words in camelCase",
  },
  {
    refuses: 'another verb in the operationId than in the summary',
    change: { [`${create}/operationId`]: 'findPayments' },
    message: 'begin with different words',
  },
  {
    refuses: 'a description that does not begin with a verb in the third person',
    change: { [`${create}/description`]: 'Create a payment.' },
    message: 'the description of an operation begins with one of Creates, Returns',
  },
  {
    refuses: 'a webhook that does not say when it is sent',
    change: { [`${webhook}/description`]: 'Returns the failed payment.' },
    message: "the description of a webhook begins with 'Sent when', not with 'Returns'",
  },
].map((row) => ({ rule: 'operation-wording', ...row }));

const DESCRIBED: Case[] = [
  ['an operation', create, 'Operation'],
  ['a parameter', `${create}/parameters/0`, 'Parameter'],
  ['a response', `${create}/responses/200`, 'Response'],
  ['a tag', '#/tags/0', 'Tag'],
  ['a header', '#/components/headers/RetryAfter', 'Header'],
  ['a security scheme', '#/components/securitySchemes/apiKey', 'SecurityScheme'],
  ['a component schema', `${schemas}/Amount`, 'Schema Amount'],
  ['a property', `${schemas}/PaymentFailed/properties/status`, 'property status'],
  ['a property of an object in place', `${schemas}/PaymentRequest/properties/customer/properties/id`, 'property id'],
].map(([what, at, name]) => ({
  rule: 'description-required',
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
    refuses: 'a sentence that begins with code on the line of another',
    change: { [`${schemas}/Payment/description`]: 'Payment in its current state.\nIt has a status. `FAILED` is one.' },
    message: "line 'It has a status. `FAILED` is one.' holds more than one sentence",
  },
  {
    refuses: "'The response will be'",
    change: { [`${create}/responses/200/description`]: 'The response will be a payment.' },
    message: 'uses words that say nothing; name what is returned',
  },
  {
    refuses: "'This field'",
    change: { [`${schemas}/PaymentFailed/properties/status/description`]: 'This field holds the state.' },
    message: 'uses words that say nothing; name the thing itself',
  },
  {
    refuses: "a field that 'Represents'",
    change: { [`${schemas}/PaymentFailed/properties/status/description`]: 'Represents the state.' },
    message: 'uses words that say nothing; write a noun phrase',
  },
  {
    refuses: 'two sentences on a line of the introduction',
    change: { '#/info/description': 'This API pays. It stands.' },
    message: "line 'This API pays. It stands.' holds more than one sentence",
  },
  {
    refuses: 'a paragraph of the introduction without an end',
    change: { '#/info/description': 'This API pays\n\n- a list\n\n# Heading' },
    message: "paragraph 'This API pays' of the introduction does not end with a full stop",
  },
].map((row) => ({ rule: 'description-style', ...row }));

export const PROSE: Case[] = [...WORDING, ...DESCRIBED, ...STYLE];
