import { expect, it } from 'vitest';
import { integer, optional, rowMapper, text } from '../../../gateway/src/database/row-mapper.ts';

const toKey = rowMapper({
  id: text('id'),
  createdAt: integer('created_at'),
  revokedAt: optional('revoked_at', Number),
});

it('maps columns to typed members', () => {
  expect(toKey({ id: 'key_1', created_at: 5, revoked_at: null })).toEqual({ id: 'key_1', createdAt: 5 });
  expect(toKey({ id: 'key_1', created_at: 5, revoked_at: 7 }).revokedAt).toBe(7);
});

it('rejects a row without a column', () => {
  expect(() => toKey({ id: 'key_1', created_at: 5 })).toThrow('the statement selects no column revoked_at');
});
