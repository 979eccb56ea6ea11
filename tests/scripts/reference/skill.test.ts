import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as validators from '../../../generated/sandbox/validators.js';
import { skillPage, skillText } from '../../../scripts/reference/skill.ts';

describe('the guide for coding agents', () => {
  const [, front = '', text = ''] = skillText().split(/^---\n/m);

  it('describes its purpose in its front matter', () => {
    expect(parse(front)).toEqual({ name: expect.stringMatching(/^[a-z-]+$/), description: expect.any(String) });
  });

  it('has twelve steps, each with a check', () => {
    const steps = text.split(/^(?=\d+\. )/m).slice(1);
    expect(steps.map((step) => Number.parseInt(step, 10))).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    for (const step of steps) expect(step).toContain('Check: ');
  });

  it('asks the sandbox for a known fault', () => {
    const [, body = ''] = /sandbox\/chaos .*-d '([^']+)'/.exec(text) ?? [];
    expect(validators.requestBodies.addChaos(JSON.parse(body))).toBe(true);
  });

  it('is a page without its front matter', () => {
    const { title, markdown } = skillPage();
    expect(title).toBe('Integrate payments in twelve steps');
    expect(markdown).not.toContain('---');
  });
});
