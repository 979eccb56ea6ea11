/** Every class of change in both directions, on the real contract. */
import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../contract/src/diff/document.ts';
import { MESSAGES, STATES, WORDS } from './document-cases.ts';
import { all, CONTRACT, edited, lines, schema, set } from './documents.ts';
import { type Case, FIELDS, LIMITS, LOST_FIELD, VALUES } from './schema-cases.ts';

const TABLES: Record<string, Case[]> = { FIELDS, VALUES, LIMITS, MESSAGES, STATES, WORDS };

describe.each(Object.entries(TABLES))('%s', (_, cases) => {
  it.each(cases)('rates the addition of $name', ({ edit, forward }) => {
    expect(lines(CONTRACT, edited(edit))).toEqual(forward);
  });
  it.each(cases)('rates the removal of $name', ({ edit, back }) => {
    expect(lines(edited(edit), CONTRACT)).toEqual(back);
  });
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

  it('of a component used in both directions is rated by direction', () => {
    const [breaking, additive] = compareDocuments(CONTRACT, edited(set(schema('Amount', 'minimum'), 0)));
    expect(breaking?.places).toContain('createPayment 200');
    expect(breaking?.places).toContain('payoutFailed event');
    expect(additive?.places.every((place) => place.endsWith('request'))).toBe(true);
  });

  it('points into the old document for a removed field', () => {
    const [change] = compareDocuments(CONTRACT, edited(LOST_FIELD));
    expect(change).toMatchObject({ pointer: schema('PaymentSucceeded', 'properties', 'amount_paid') });
    expect(change?.why).toBe('Readers that rely on it get none.');
  });

  it('of an unused component is found', () => {
    const unused = set('/components/headers/Unused', { schema: { type: 'string' } });
    const other = set('/components/headers/Unused/schema/type', 'integer');
    expect(lines(edited(unused), edited(all(unused, other)))).toEqual([
      'patch: unused headers Unused schema type changed',
    ]);
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
    const tree = set(schema('Violation', 'properties', 'causes'), {
      type: 'array',
      items: { $ref: '#/components/schemas/Violation' },
    });
    expect(lines(edited(tree), edited(tree))).toEqual([]);
  });
});
