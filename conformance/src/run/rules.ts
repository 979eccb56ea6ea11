/** The rules by which a run is assessed, from the options. */
import { readdirSync, readFileSync } from 'node:fs';
import { UserError } from '../../../contract/src/cli.ts';
import { planChecks } from '../checks/index.ts';
import { ownChecks } from '../checks/own.ts';
import { type ConformanceOptions, LEVELS, toSettings } from '../core/settings.ts';
import type { Contract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Rules } from './assess.ts';
import { NO_KNOWN_FAILURES, readKnownFailures, requireKnownChecks } from './known-failures.ts';
import { DRIVERS } from './preflight.ts';

type Given = Pick<
  ConformanceOptions,
  'profile' | 'knownFailures' | 'strictKnownFailures' | 'contractVersion' | 'checks' | 'maxResponseTime' | 'driver'
>;

export function requirementsVersion(contract: Contract, { contractVersion }: Given): string {
  return contractVersion ?? contract.bundle.info.version;
}

/** Reads requirements and known failures. Throws a UserError if they are wrong. */
export function createRules(contract: Contract, options: Given): Rules {
  const { knownFailures, strictKnownFailures = false, profile = 'document', driver } = options;
  const known = knownFailures === undefined ? NO_KNOWN_FAILURES : readKnownFailures(knownFailures);
  const own = ownChecks({ checks: [], ...options }).map(({ id }) => id);
  const ids = allCheckIds(contract, typeof driver === 'object' ? [driver] : []);
  requireKnownChecks(known, new Set([...ids, ...own]), knownFailures ?? '');
  const scored = new Set([...readRequirements(requirementsVersion(contract, options)).checks, ...own]);
  return { profile, strictKnownFailures, known, scored };
}

const FOLDER = new URL('../../requirements/', import.meta.url);
const FILE = /^(\d+\.\d+\.\d+.*)\.json$/;

export interface Requirements {
  readonly contract: string;
  /** Ids of the checks that count, sorted. */
  readonly checks: readonly string[];
}

/** The requirements of a version. Throws a UserError for a version without any. */
export function readRequirements(version: string): Requirements {
  const versions = readdirSync(FOLDER).flatMap((file) => FILE.exec(file)?.[1] ?? []);
  if (!versions.includes(version)) {
    throw new UserError(`Contract version not found: ${version}. Use ${versions.join(', ')}.`, 2);
  }
  return JSON.parse(readFileSync(new URL(`${version}.json`, FOLDER), 'utf8')) as Requirements;
}

/** The ids of every check, for the caller's driver and the kit's. */
export function allCheckIds(contract: Contract, drivers: readonly Driver[] = []): Set<string> {
  const settings = toSettings({ baseUrl: 'http://127.0.0.1', levels: LEVELS, seed: 1 });
  return new Set(
    [...Object.values(DRIVERS), ...drivers].flatMap((driver) =>
      planChecks({ contract, settings, driver }).map(({ id }) => id),
    ),
  );
}

/** The requirements of the current version, as they are committed. */
export function currentRequirements(contract: Contract): Requirements {
  return { contract: contract.bundle.info.version, checks: [...allCheckIds(contract)].sort() };
}
