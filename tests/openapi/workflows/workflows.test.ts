/** The Arazzo workflows pass on a gateway. workflows.long.test.ts breaks it at each step. */
import { describe, expect, it } from 'vitest';
import { play, WORKFLOWS } from './play.ts';

describe.concurrent('a workflow', () => {
  it.each(Object.keys(WORKFLOWS))('%s passes on a gateway, and prints no key', async (name) => {
    const { code, stdout, key } = await play(name);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('authorization: Bearer ****');
    expect(stdout).not.toContain(key);
  });

  it('fails at its first step with an unknown key', async () => {
    const played = await play('h2h-payment', { key: 'sk_test_unknown_0123456789' });
    expect(played).toMatchObject({ code: 1, failed: 'create' });
  });
});
