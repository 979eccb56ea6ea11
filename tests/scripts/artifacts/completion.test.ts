/** Completions in an editor for the open enumerations. */
import { expect, it } from 'vitest';
import { openEnum, readBundle } from '../../../contract/src/model.ts';
import { completions } from '../../tools/editor.ts';

const OPEN = Object.entries(readBundle().components.schemas).flatMap(([name, schema]) => {
  const found = openEnum(schema);
  return found ? [{ name, known: found.known }] : [];
});

it.each(OPEN)('$name offers its known values', ({ name, known }) => {
  const offered = completions(
    'tests/scripts/artifacts',
    `import type { ${name} } from '../../../generated/types.ts';\nconst value: ${name} = '¦';`,
  );
  expect(offered).toEqual(expect.arrayContaining(known));
});

it('finds every open enumeration of the document', () => {
  expect(OPEN.map(({ name }) => name).sort()).toEqual([
    'ConfirmItemName',
    'DataItemName',
    'KycLevel',
    'PaymentDeclineReason',
    'PaymentMethodType',
    'PayoutDeclineReason',
    'PayoutMethodType',
  ]);
});
