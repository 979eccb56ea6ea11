import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { type Finding, inFolder, lintFiles } from './lint.ts';

/** Mistakes in different files of the contract, where each component is a separate file referenced by others. */
const MISTAKES = [
  {
    rule: 'contract/provenance',
    file: 'components/responses/WrongState.yaml',
    from: /x-assumption: .*\n/,
    to: '',
    message: 'response WrongState does not say where it comes from',
  },
  {
    rule: 'contract/introduction-basis',
    file: 'introduction.md',
    from: 'Timestamps are ISO 8601 in UTC. {source 2.2}',
    to: 'Timestamps are ISO 8601 in UTC.',
    message: 'does not end with where it comes from',
  },
];

describe('the contract', () => {
  let findings: Finding[];

  beforeAll(() =>
    inFolder(async (folder) => {
      await cp(join(ROOT, 'openapi'), folder, { recursive: true });
      for (const { file, from, to } of MISTAKES) await replace(join(folder, file), from, to);
      findings = (await lintFiles(folder, ['openapi.yaml'])).map(({ finding }) => finding);
    }),
  );

  it.each(MISTAKES)('is refused by $rule after a mistake in $file', ({ rule, message }) => {
    const said = findings.filter((finding) => finding.rule === rule);
    expect(said.map((finding) => finding.message)).toContainEqual(expect.stringContaining(message));
  });
});

describe('npm run lint', () => {
  it("names the failed checks of a bad bundle, in the tools' words", () =>
    inFolder(async (folder) => {
      const bundle = join(folder, 'openapi.json');
      await cp(join(ROOT, 'generated/openapi.json'), bundle);
      await replace(bundle, '"X-Gateway-Signature"', '"X-<BRAND>-Signature"');
      await replace(bundle, '"openapi": "3.1.0"', '"openapi": "3.1.0", "unknown": true');
      const lint = ['scripts/lint.ts', '--bundle', bundle];
      const { code, stdout, stderr } = await run(process.execPath, lint, { allowFailure: true });
      expect(code).toBe(1);
      expect(stdout).toMatch(/^contract +\d+\.\d s$/m);
      expect(stderr).toMatch(/^FAILED bundle\n[\s\S]*Property `unknown` is not expected here/m);
      expect(stderr).toMatch(/^FAILED bundle, swagger-parser\n/m);
      expect(stderr).toMatch(/^FAILED brand\n[\s\S]*^\/components\/parameters\/BrandSignature\/name$/m);
    }));
});

async function replace(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const replaced = text.replace(from, to);
  if (replaced === text) throw new Error(`${file} has no ${from}`);
  await writeFile(file, replaced);
}
