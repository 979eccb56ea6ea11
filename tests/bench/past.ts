/** An earlier revision of this repository for comparison: `npm run bench -- --against REF`. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/tools/process.ts';
import type { DatabaseSettings } from '../load/merchants.ts';
import { startGatewayProcess } from '../tools/server.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { BENCH_SETTINGS, type Fleet } from './gateways.ts';

/** Minor units, more than a run pays out. */
const FUNDED = '1000000000000';

/** Checks out the revision in a worktree, with this checkout's packages. */
export async function checkOutPast(name: string, say: (text: string) => void) {
  say(`checking out ${name}`);
  const folder = join(await temporaryFolder('past'), 'tree');
  await run('git', ['worktree', 'add', '--detach', folder, name]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const cli = join(folder, 'gateway/src/cli.ts');
  return {
    name,
    /** Starts gateways with a merchant, which the revision's own command adds, since its tables may differ. */
    async start(database: DatabaseSettings, processes: number): Promise<Fleet> {
      const command = (...args: string[]) => run(process.execPath, [cli, ...args], { env: { ...database } });
      await command('migrate');
      const { stdout } = await command('merchant', 'create', 'Bench', 'INR');
      const [, id = ''] = /^merchant +(\d+)/m.exec(stdout) ?? [];
      const [, key = ''] = /(sk_test_\S+)/.exec(stdout) ?? [];
      await command('fund', id, FUNDED, 'INR');
      const start = () => startGatewayProcess({ ...BENCH_SETTINGS, ...database }, [cli, 'start']);
      const others = Array.from({ length: processes - 1 }, start);
      return { servers: [await start(), ...(await Promise.all(others))], keys: [key] };
    },
    async remove() {
      await run('git', ['worktree', 'remove', '--force', folder]);
    },
  };
}
