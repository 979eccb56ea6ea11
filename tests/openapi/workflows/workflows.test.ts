/** The Arazzo workflows pass on a gateway. workflows.long.test.ts breaks it at each step. */
import { describe, expect, it } from 'vitest';
import { type Json, readBundle } from '../../../contract/src/model.ts';
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

it.each(Object.entries(WORKFLOWS))("%s takes its default inputs from the contract's examples", (_name, { inputs }) => {
  const known = new Set(scalars(Object.values(readBundle().components.examples).map(({ value }) => value)));
  const defaults = Object.values(inputs.properties).flatMap((input) => input.default ?? []);
  expect(defaults.length).toBeGreaterThan(0);
  expect(defaults.filter((value) => !known.has(String(value)))).toEqual([]);
});

function scalars(value: Json): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalars) : [String(value)];
}
