import { expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';

const bundle = readBundle();

it('the introduction has a row for every decline reason, state and move, and a section for every assumption', () => {
  const text = bundle.info.description;
  for (const machine of Object.values(bundle['x-state-machines'])) {
    for (const state of Object.keys(machine.states)) expect(text).toContain(`| \`${state}\` |`);
    for (const move of machine.transitions) expect(text).toContain(move.when);
  }
  for (const assumption of bundle['x-assumptions']) expect(text).toContain(`\n## ${assumption.id}\n`);
  for (const branch of Object.values(bundle.components.schemas).flatMap((schema) => schema.anyOf ?? [])) {
    for (const reason of Object.keys(branch['x-decline-reasons'] ?? {})) expect(text).toContain(`| \`${reason}\` |`);
  }
});
