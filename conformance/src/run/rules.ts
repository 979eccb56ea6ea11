/** The rules by which a run is assessed, from the options. */
import { ownChecks } from '../checks/own.ts';
import type { Contract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Rules } from './assess.ts';
import { NO_KNOWN_FAILURES, readKnownFailures, requireKnownChecks } from './known-failures.ts';
import { type ConformanceOptions, toSettings } from './options.ts';
import { allCheckIds, readRequirements } from './requirements.ts';

type Given = Pick<
  ConformanceOptions,
  'profile' | 'knownFailures' | 'strictKnownFailures' | 'contractVersion' | 'checks' | 'maxResponseTime'
> & {
  readonly driver?: string | Driver;
};

/** The version of the contract whose requirements count. */
export function requirementsVersion(contract: Contract, { contractVersion }: Given): string {
  return contractVersion ?? contract.bundle.info.version;
}

/** Reads requirements and known failures. Throws a UserError if they are wrong. */
export function createRules(contract: Contract, options: Given): Rules {
  const { knownFailures, strictKnownFailures = false, profile = 'document', driver } = options;
  const known = knownFailures === undefined ? NO_KNOWN_FAILURES : readKnownFailures(knownFailures);
  const own = ownChecks(toSettings({ ...options, baseUrl: 'http://127.0.0.1' })).map(({ id }) => id);
  const ids = allCheckIds(contract, typeof driver === 'object' ? [driver] : []);
  requireKnownChecks(known, new Set([...ids, ...own]), knownFailures ?? '');
  const scored = new Set([...readRequirements(requirementsVersion(contract, options)).checks, ...own]);
  return { profile, strictKnownFailures, known, scored };
}
