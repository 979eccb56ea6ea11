import { describe, expect, it } from 'vitest';
import { openEnum, operations, readBundle } from '../../../contract/src/model.ts';
import { errorRows, problemName } from '../../../scripts/reference/errors.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files } = await siteParts();
const { known = [] } = openEnum(bundle.components.schemas['Problem']?.properties?.['type'] ?? {}) ?? {};

describe.each(operations(bundle))('the page of $id', (operation) => {
  const page = files[`${operation.id}.md`] ?? '';
  const rows = errorRows(operation);

  it('has a row for each problem of the operation, linked to its section', () => {
    expect(rows).not.toEqual([]);
    for (const { status, type } of rows) {
      expect(page).toContain(`| ${status} | [\`${problemName(type)}\`](errors.md#${problemName(type)}) |`);
    }
  });

  it('shows a problem', () => {
    expect(page.split('\n## Errors\n')[1]).toContain(
      JSON.stringify(rows.find(({ example }) => example)?.example, null, 2),
    );
  });
});

describe('the chapter on errors', () => {
  it.each(known.map(String))('has a section on %s with an example', (type) => {
    const section = files['errors.md']?.split(`\n### ${problemName(type)}\n`)[1]?.split('\n### ')[0] ?? '';
    expect(section).toMatch(/^\nStatus \d{3}\. [^.\n]+\.\n\nReturned by /);
    expect(section).toContain(`"type": "${type}"`);
  });
});
