import { describe, expect, it } from 'vitest';
import { operations, readBundle } from '../../../contract/src/model.ts';
import { errorRows, withErrorTables } from '../../../scripts/reference/errors.ts';

const bundle = readBundle();
const shown = withErrorTables(bundle);

describe.each(operations(bundle))('the description of $id', (operation) => {
  const { description = '' } = shown.paths[operation.path]?.[operation.method] ?? {};

  it('ends with a row for each problem that the operation can respond with', () => {
    expect(description.startsWith(operation.description.trimEnd())).toBe(true);
    const rows = [...description.matchAll(/^\| (\d+) \| `([\w-]+)` \|/gm)].map(
      ([, status, name]) => `${status} ${name}`,
    );
    const problems = operation.responses.flatMap(({ body }) => body?.examples ?? []).map(({ value }) => value);
    const wanted = problems.flatMap((value) => {
      const { type, status } = (value ?? {}) as { type?: string; status?: number };
      return type ? [`${status} ${type.split('/').at(-1)}`] : [];
    });
    expect(rows.toSorted()).toEqual([...new Set(wanted)].toSorted());
  });

  it('says what every type begins with', () => {
    const [, base = ''] = /is `(https:[^`]+)` followed/.exec(description) ?? [];
    expect(base).not.toBe('');
    for (const { type } of errorRows(operation)) expect(type.startsWith(base), type).toBe(true);
  });
});
