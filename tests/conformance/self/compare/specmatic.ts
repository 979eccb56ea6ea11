/** Specmatic: a request for each example, and requests that it generates from the schemas, valid ones and others. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../../scripts/tools/process.ts';
import type { Tool } from './tool.ts';

const JAR = 'node_modules/specmatic/specmatic.jar';
const REPORT = 'TEST-junit-jupiter.xml';
const FAILED = /<testcase [^>]*name="([^"]*)"[^>]*>\s*<(?:failure|error)/g;
/**
 * One run replays the examples. Another one sends generated mistakes: without a limit it combines optional fields, which
 * takes minutes, and its valid requests all have the order ID of the example, which a sound service refuses.
 */
const RUNS: readonly { args: readonly string[]; env: Readonly<Record<string, string>> }[] = [
  { args: [], env: {} },
  {
    args: ["--filter=STATUS>='400'"],
    env: { SPECMATIC_GENERATIVE_TESTS: 'true', MAX_TEST_REQUEST_COMBINATIONS: '1' },
  },
];

export const specmatic: Tool = {
  title: 'Specmatic',
  packages: ['specmatic@2.55.1'],
  async start(installed) {
    return {
      async examine({ url, sound, prepared, folder }) {
        const file = join(folder, 'openapi.json');
        await writeFile(file, JSON.stringify(prepared.document));
        const common = [
          '-jar',
          join(installed, JAR),
          'test',
          file,
          `--testBaseURL=${url}`,
          `--junitReportDir=${folder}`,
        ];
        const failed: string[] = [];
        for (const { args, env } of RUNS) {
          const { code, stdout } = await run('java', [...common, ...args], {
            ...{ allowFailure: true, cwd: folder, env: { ...env, apiKey: sound.key } },
          });
          const report = await readFile(join(folder, REPORT), 'utf8').catch(() => '');
          const names = [...report.matchAll(FAILED)].map(([, name = '']) =>
            name.replace(/^.*&gt; (?=[+-]ve|Scenario)/, ''),
          );
          if (code !== 0 && names.length === 0) names.push(`exit code ${code}: ${stdout.trim().split('\n').at(-1)}`);
          failed.push(...names);
        }
        return failed;
      },
      close: async () => {},
    };
  },
};
