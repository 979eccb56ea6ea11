import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../conformance/src/program.ts';
import { readBundle } from '../../contract/src/model.ts';
import { receivers } from '../../scripts/reference/receiver.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { freePort } from '../tools/loopback.ts';
import { temporaryFolder, writeFiles } from '../tools/temporary.ts';
import { PYTHON_MISSING } from './python.ts';

type Variables = Readonly<Record<string, string>>;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Variables;
  readonly with?: Variables;
}

const { inputs, runs } = parse(await readFile(join(ROOT, 'conformance/action.yml'), 'utf8')) as {
  inputs: Record<string, { readonly default: string }>;
  runs: { steps: readonly Step[] };
};
const scripts = runs.steps.flatMap((step) => step.run ?? []).join('\n');
const verification = runs.steps.at(-1);

it('the GitHub Action uses other actions by commit, and downloads no package by its name', () => {
  const used = runs.steps.flatMap(({ uses }) => uses ?? []);
  expect(used.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
  expect(scripts).not.toMatch(/npx|npm (install|exec|i) /);
});

it('the GitHub Action hands every input to the shell as a variable, and none as code', () => {
  const variables = Object.values(verification?.env ?? {}).join();
  expect(Object.keys(inputs).filter((name) => !variables.includes(`inputs.${name} `))).toEqual([]);
  expect(scripts).not.toContain('${{');
});

it('the GitHub Action uses flags that the command has', () => {
  const flags = new Set(createProgram().options.map(({ long }) => long));
  const given = verification?.run?.match(/--[a-z-]+(?= "\$FOLDER)/g) ?? [];
  expect(given.length).toBe(5);
  expect(given.filter((flag) => !flags.has(flag))).toEqual([]);
});

/** The variables of the action's last step, for inputs of a workflow and an action folder. */
function evaluate(given: Variables, action: string): Variables {
  const read = (_match: string, input: string) => given[input] ?? inputs[input]?.default ?? '';
  const values = Object.entries(verification?.env ?? {}).map(([name, expression]) => [
    name,
    expression.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, read).replace(/\$\{\{ github.action_path \}\}/, action),
  ]);
  return Object.fromEntries(values);
}

it.skipIf(PYTHON_MISSING)(
  `the workflow that verifies a webhook endpoint runs as printed${PYTHON_MISSING}`,
  async () => {
    const readme = await readFile(join(ROOT, 'conformance/README.md'), 'utf8');
    const [, printed = ''] = /```yaml\n(# \.github\/workflows\/webhooks\.yml\n[\s\S]*?)```/.exec(readme) ?? [];
    const port = await freePort();
    const { jobs } = parse(printed.replaceAll(':3000', `:${port}`)) as {
      jobs: Record<string, { readonly env: Variables; readonly steps: readonly Step[] }>;
    };
    const { env = {}, steps = [] } = Object.values(jobs)[0] ?? {};
    const start = steps.find((step) => step.run)?.run;
    const { secret = '', ...given } = steps.find((step) => step.with)?.with ?? {};
    const folder = await temporaryFolder('action');
    await writeFiles(folder, {
      'receiver.py': receivers(readBundle()).find(({ language }) => language === 'python')?.code ?? '',
      // The built command is the source of the kit.
      'action/dist/payments-conformance.js': `import ${JSON.stringify(join(ROOT, 'conformance/src/bin.ts'))};`,
      'action/package.json': '{ "type": "module" }',
    });
    const ownSecret = secret.replace(/\$\{\{ env.WEBHOOK_SECRET \}\}/, String(env['WEBHOOK_SECRET']));
    // The endpoint ends with the shell that started it.
    const child = spawnSync('bash', ['-ec', `trap 'kill $(jobs -p)' EXIT\n${start}\n(${verification?.run})`], {
      cwd: folder,
      env: {
        ...{ ...process.env, ...env, PORT: String(port) },
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        ...evaluate({ ...given, secret: ownSecret }, join(folder, 'action')),
      },
      encoding: 'utf8',
    });
    expect(child.stdout).toContain(`http://localhost:${port} conforms.`);
    expect(child.status).toBe(0);
    const report = JSON.parse(await readFile(join(folder, 'conformance-report/report.json'), 'utf8'));
    expect(report.exitCode).toBe(0);
  },
  60_000,
);
