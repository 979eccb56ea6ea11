import { expect, it, vi } from 'vitest';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { afterwards } from '../harness.ts';

it.each(['prefer', 'require', 'verify-ca'])(
  'sslmode=%s verifies the server without a warning of the driver',
  async (mode) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    afterwards(async () => warn.mockRestore());
    const store = openPostgres(`postgres://a:b@127.0.0.1:1/none?sslmode=${mode}`);
    afterwards(() => store.close());
    await expect(store.ping()).rejects.toThrow('the database cannot be reached');
    expect(warn).not.toHaveBeenCalled();
  },
);
