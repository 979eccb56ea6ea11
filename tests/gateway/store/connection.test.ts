import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { withPositionalParameters } from '../../../gateway/src/database/sqlite/connection.ts';
import { Statements } from '../../../gateway/src/database/sqlite/statements.ts';
import { temporaryFolder } from '../harness.ts';

it('detects a transaction even on a Node without isTransaction', async () => {
  const db = new DatabaseSync(join(await temporaryFolder(), 'old-node.db'));
  const old = { exec: db.exec.bind(db), prepare: db.prepare.bind(db), close: db.close.bind(db) };
  const statements = new Statements(old as unknown as DatabaseSync);
  const known = [statements.isTransaction];
  await statements.run('begin immediate');
  known.push(statements.isTransaction);
  await statements.run('rollback');
  known.push(statements.isTransaction);
  statements.close();
  expect([...known, statements.isTransaction]).toEqual([false, true, false, false]);
});

it('binds values by number even on a Node that treats numbers as names', () => {
  const db = new DatabaseSync(':memory:');
  const prepared: string[] = [];
  const old = {
    exec: db.exec.bind(db),
    close: db.close.bind(db),
    isTransaction: false,
    prepare(sql: string) {
      prepared.push(sql);
      return db.prepare(sql);
    },
  };
  const statement = withPositionalParameters(old).prepare('select ?2 as a, ?1 as b, ?2 as c');
  expect({ ...(statement.get('x', 'y') as object) }).toEqual({ a: 'y', b: 'x', c: 'y' });
  expect(prepared).toEqual(['select ? as a, ? as b, ? as c']);
  expect(withPositionalParameters(old).prepare('select ? as a').all(1)).toMatchObject([{ a: 1 }]);
});
