/** Cases of the rules for provenance. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Case, create, find, machine, schemas, webhook } from './case.ts';

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
  ['a state', `${machine}/states/CREATED`, 'a state or transition'],
  ['a transition', `${machine}/transitions/0`, 'a state or transition'],
].map(([what, at, name]) => ({
  rule: 'provenance',
  refuses: `${what} that does not say where it comes from`,
  change: { [`${at}/x-source`]: undefined, [`${at}/x-assumption`]: undefined },
  message: `${name} does not say where it comes from; write x-source with a section, or x-assumption with an id`,
  at: at as string,
}));

const SHARED_ANSWER: Case[] = [
  {
    rule: 'provenance',
    refuses: 'a successful response that operations share and that does not say where it comes from',
    change: {
      '#/components/responses/Gone': { description: 'The payment is gone.' },
      [`${find}/responses/204`]: { $ref: '#/components/responses/Gone' },
    },
    message: 'response Gone does not say where it comes from',
  },
];

const SECTIONS: Case[] = [
  ['a section that does not exist', `${find}/x-source`, '4.9'],
  ['a list with a section that does not exist', `${create}/x-source`, ['4.1', '4.10']],
  ['a section without quotes', `${find}/x-source`, 4.4],
  ['a state of a section that does not exist', `${machine}/states/CREATED/x-source`, 'three'],
  ['an assumption of a section that does not exist', '#/x-assumptions/0/section', '10'],
].map(([what, at, section]) => ({
  rule: 'source-section',
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
    refuses: 'a transition with an assumption that the registry does not have',
    change: { [`${machine}/transitions/0/x-assumption`]: 'guess' },
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
  ...['section', 'open', 'assumed', 'why', 'also_done_by'].map((field) => ({
    refuses: `an entry without ${field}`,
    change: { [`#/x-assumptions/0/${field}`]: undefined },
    message: `assumption 'errors' has no ${field}; write it`,
    at: '#/x-assumptions/0',
  })),
  {
    refuses: 'an assumption that is not a sentence',
    change: { '#/x-assumptions/0/why': 'They are known' },
    message: "why of assumption 'errors' does not end with a full stop",
  },
].map((row) => ({ rule: 'assumption-registry', ...row }));

const INTRODUCTION: Case[] = [
  { refuses: 'a sentence', text: 'It pays.', message: "line 'It pays.' does not end with where it comes from" },
  { refuses: 'an item of a list', text: '1. Pay. {source 1}\n2. Wait.', message: "line '2. Wait.' does not end" },
  { refuses: 'a section that is not there', text: 'It pays. {source 99}', message: '{source 99} names source 99' },
  {
    refuses: 'an assumption that is not there',
    text: 'It pays. {source 1; assumption luck}',
    message: 'names assumption luck',
  },
  {
    refuses: 'a section that is not there in a table',
    text: '| Who |\n|---|\n| You {source 99} |',
    message: '{source 99} names source 99',
  },
].map(({ text, refuses, message }) => ({
  rule: 'introduction-basis',
  refuses: `${refuses} of the introduction without a basis`,
  change: { '#/info/description': text },
  message,
}));

export const ORIGIN: Case[] = [...INTRODUCTION, ...PROVENANCE, ...SHARED_ANSWER, ...SECTIONS, ...REGISTRY];
