/** Synthetic runs, to test reports. */

import type { Result } from '../../../conformance/src/core/check.ts';
import { type Finding, toVerdict } from '../../../conformance/src/core/finding.ts';
import { DEFAULTS, LEVELS, type Level } from '../../../conformance/src/core/settings.ts';
import { clauseAt, findSuccess, loadContract } from '../../../conformance/src/document/contract.ts';
import { gatewayDriver } from '../../../conformance/src/drivers/gateway.ts';
import { buildReport } from '../../../conformance/src/report/build-report.ts';
import type { Report } from '../../../conformance/src/report/report.ts';
import { assess, type Rules } from '../../../conformance/src/run/assess.ts';
import type { Verification } from '../../../conformance/src/run/verify.ts';
import type { Exchange, Journal } from '../../../conformance/src/service/exchange.ts';
import { requestExamples } from '../../../contract/src/model.ts';

export const contract = loadContract();
export const KEY = 'sk_test_a_key_of_the_service_under_test';
export const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1ydW4=';

const createPayment = contract.operation('createPayment');
export const SUCCESS = Number(findSuccess(createPayment).status);
export const SPECIFIED = clauseAt(contract.bundle, createPayment.pointer);
export const ASSUMED = contract.assumption('timestamps');

/** A request of the run, to which the service responded with the body. */
export function createExchange(body: object, status = SUCCESS, check = 'replay/createPayment/h2h-upi'): Exchange {
  const [example] = requestExamples(createPayment);
  const sent = example?.body ?? {};
  return {
    ...{ number: 1, check, call: { operation: createPayment, body: sent }, method: 'POST' },
    url: 'http://service.test/payments',
    requestHeaders: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    requestText: JSON.stringify(sent),
    ...{ status, headers: new Headers({ 'content-type': 'application/json' }), text: JSON.stringify(body) },
    ...{ body: body as never, startedAt: 1_000, endedAt: 1_007 },
  };
}

export function finding(changes: Partial<Finding> = {}): Finding {
  return { at: 'body /status', expected: 'CREATED', found: '"NEW"', clause: SPECIFIED, ...changes };
}

/** The result of a check: of its findings, or as it is given. */
export function result(id: string, changes: Partial<Result> = {}): Result {
  const findings = changes.findings ?? [];
  return {
    ...{ id, title: `${id} does what it should`, clause: SPECIFIED, phase: 'parallel', operation: 'createPayment' },
    ...{ levels: [], partOf: [], covered: [], ms: 5, verdict: toVerdict(findings), findings },
    ...changes,
  };
}

export function verification(results: readonly Result[], changes: Partial<Verification> = {}): Verification {
  const journal: Journal = { exchanges: [], deliveries: [] };
  return {
    contract,
    settings: {
      ...DEFAULTS,
      ...{ baseUrl: 'http://service.test', key: KEY, secret: SECRET, timeoutMs: 1_000 },
      ...{ levels: LEVELS, runId: 'run', seed: 7, walks: 0 },
    },
    ...{ driver: gatewayDriver, results, unfinished: 0, journal, startedAt: 0, ms: 1_234 },
    selection: {},
    plan: results.map((one) => ({ ...one, run: async () => [] })),
    ...changes,
  };
}

export function claiming(levels: readonly Level[], results: readonly Result[]): Verification {
  const run = verification(results);
  return { ...run, settings: { ...run.settings, levels } };
}

export function createReport(run: Verification, rules: Rules = {}): Report {
  return buildReport(run, assess(run, rules), contract.bundle.info.version);
}
