/** An earlier revision of this repository for comparison: `npm run bench -- --against REF`. */
import { existsSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/tools/process.ts';
import type { DatabaseSettings } from '../load/merchants.ts';
import { type Server, startServer } from '../tools/server.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { BENCH_SETTINGS } from './servers.ts';

export interface Past {
  /** The revision, as given. */
  readonly name: string;
  start(database: DatabaseSettings): Promise<Server>;
  /** Adds a merchant with the revision's own command, since its tables may differ, and returns the key. */
  addMerchant(database: DatabaseSettings): Promise<string>;
  remove(): Promise<void>;
}

/** Minor units, more than a run pays out. */
const FUNDED = '1000000000000';

/** Checks out the revision in a worktree, with this checkout's packages. */
export async function checkOutPast(name: string, say: (text: string) => void): Promise<Past> {
  say(`checking out ${name}`);
  const folder = join(await temporaryFolder('past'), 'tree');
  await run('git', ['worktree', 'add', '--detach', folder, name]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const names = ['cli.ts', 'main.ts'].map((name) => join(folder, 'gateway/src', name));
  const main = names.find((name) => existsSync(name)) ?? '';
  const command = (database: DatabaseSettings, ...args: string[]) =>
    run(process.execPath, [main, ...args], { env: { ...database }, cwd: folder });
  return {
    name,
    async start(database) {
      const server = await startServer([main, 'start'], { env: { ...BENCH_SETTINGS, ...database }, cwd: folder });
      return { ...server, url: server.url.replace('//localhost:', '//127.0.0.1:') };
    },
    async addMerchant(database) {
      await command(database, 'migrate');
      const { stdout } = await command(database, 'merchant', 'create', 'Bench', 'INR');
      const [, id = ''] = /^merchant +(\d+)/m.exec(stdout) ?? [];
      const [, key = ''] = /(sk_test_\S+)/.exec(stdout) ?? [];
      await command(database, 'fund', id, FUNDED, 'INR');
      return key;
    },
    async remove() {
      await run('git', ['worktree', 'remove', '--force', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
