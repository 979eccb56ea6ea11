import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { Statements } from '../../../gateway/src/store/engine/sqlite/statements.ts';
import { temporaryFolder } from '../harness.ts';

it('knows whether a transaction has begun also on a Node that does not tell', async () => {
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
