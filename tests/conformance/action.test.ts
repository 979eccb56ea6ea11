import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../conformance/src/program.ts';
import { readBundle } from '../../contract/src/model.ts';
import { receivers } from '../../scripts/reference/receiver.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { temporaryFolder } from '../gateway/harness.ts';
import { freePort } from '../tools/loopback.ts';
import { PYTHON_MISSING } from './python.ts';

const text = await readFile(new URL('../../conformance/action.yml', import.meta.url), 'utf8');
const { inputs, runs } = parse(text) as {
  inputs: Record<string, object>;
  runs: { steps: { uses?: string; run?: string; env?: Record<string, string> }[] };
};
const scripts = runs.steps.flatMap((step) => (step.run === undefined ? [] : step.run));
const script = runs.steps.at(-1);

describe('the GitHub Action', () => {
  it('uses other actions by commit', () => {
    const used = runs.steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('hands every input to the shell as a variable, and none as code', () => {
    const variables = Object.values(script?.env ?? {}).join();
    expect(Object.keys(inputs).filter((name) => !variables.includes(`inputs.${name} `))).toEqual([]);
    expect(scripts.join('\n')).not.toContain('${{');
  });

  it('downloads no package by its name', () => {
    expect(scripts.join('\n')).not.toMatch(/npx|npm (install|exec|i) /);
  });

  it('uses flags that the command has', () => {
    const flags = new Set(createProgram().options.map(({ long }) => long));
    const given = script?.run?.match(/--[a-z-]+(?= "\$FOLDER)/g) ?? [];
    expect(given.length).toBe(5);
    expect(given.filter((flag) => !flags.has(flag))).toEqual([]);
  });
});

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly env: Record<string, string>; readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

/** Writes an action folder whose built command is the source of the kit. */
async function writeAction(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'dist'));
  await writeFile(
    join(folder, 'dist/payments-conformance.js'),
    `import ${JSON.stringify(join(ROOT, 'conformance/src/bin.ts'))};`,
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Replaces the expressions of the action by the inputs and the folder. */
function evaluate(env: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>, action: string) {
  const values: Readonly<Record<string, { readonly default: string }>> = inputs as never;
  return Object.fromEntries(
    Object.entries(env).map(([name, expression]) => [
      name,
      expression
        .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => given[input] ?? values[input]?.default ?? '')
        .replace(/\$\{\{ github.action_path \}\}/, action),
    ]),
  );
}

describe('the workflow that verifies a webhook endpoint', () => {
  it.skipIf(PYTHON_MISSING)(
    `runs as printed${PYTHON_MISSING}`,
    async () => {
      const readme = await readFile(join(ROOT, 'conformance/README.md'), 'utf8');
      const [, printed = ''] = /```yaml\n(# \.github\/workflows\/webhooks\.yml\n[\s\S]*?)```/.exec(readme) ?? [];
      const port = await freePort();
      const [job] = Object.values((parse(printed.replaceAll(':3000', `:${port}`)) as Workflow).jobs);
      const [start, verify] = [job?.steps.find((step) => step.run)?.run, job?.steps.find((step) => step.with)?.with];
      const folder = await temporaryFolder();
      const code = receivers(readBundle()).find(({ language }) => language === 'python')?.code ?? '';
      await writeFile(join(folder, 'receiver.py'), code);
      const given = {
        ...verify,
        secret: verify?.['secret']?.replace(/\$\{\{ env.WEBHOOK_SECRET \}\}/, String(job?.env['WEBHOOK_SECRET'])) ?? '',
      };
      const env = {
        ...{
          ...process.env,
          ...job?.env,
          PORT: String(port),
          PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        },
        ...evaluate(script?.env ?? {}, given, await writeAction()),
      };
      // The endpoint ends with the shell that started it.
      const child = spawnSync('bash', ['-ec', `trap 'kill $(jobs -p)' EXIT\n${start}\n(${script?.run})`], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      expect(child.stdout).toContain(`http://localhost:${port} conforms.`);
      expect(child.status).toBe(0);
      expect(JSON.parse(await readFile(join(folder, 'conformance-report/report.json'), 'utf8'))).toMatchObject({
        exitCode: 0,
      });
    },
    60_000,
  );
});
