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

  it('shows the problems in its samples, with their statuses', () => {
    const samples = page.split('\n## Samples\n')[1]?.split('\n### Error responses\n')[1] ?? '';
    for (const { status, example } of rows)
      if (example) expect(samples).toContain(`\`\`\`json [${status}]\n${JSON.stringify(example, null, 2)}\n`);
  });
});

describe('the chapter on errors', () => {
  it.each(known.map(String))('has a section on %s with an example', (type) => {
    const section = files['errors.md']?.split(`\n### ${problemName(type)}\n`)[1]?.split('\n### ')[0] ?? '';
    expect(section).toMatch(/^\nStatus \d{3}\. [^.\n]+\.\n\nReturned by /);
    expect(section).toContain(`"type": "${type}"`);
  });

  it('names the field of a violation in its example', () => {
    const [, violation = ''] = files['errors.md']?.split('"violations": [') ?? [];
    expect(violation).toMatch(/"pointer": "\/\w/);
  });
});
