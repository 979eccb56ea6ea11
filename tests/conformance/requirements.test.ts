import { describe, expect, it } from 'vitest';
import { loadContract } from '../../conformance/src/document/contract.ts';
import { currentRequirements, readRequirements } from '../../conformance/src/run/rules.ts';

const contract = loadContract();

describe('the requirements', () => {
  it('name every check in the current version, for which npm run build adds missing ones', () => {
    const current = currentRequirements(contract);
    expect(readRequirements(contract.bundle.info.version)).toEqual(current);
    expect(new Set(current.checks).size).toBe(current.checks.length);
  });

  it('refuse an unknown version, and list the known ones', () => {
    expect(() => readRequirements('0.9.0')).toThrow(`Use ${contract.bundle.info.version}.`);
  });
});
