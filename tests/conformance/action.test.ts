import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../conformance/src/program.ts';

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
