/** Verification inside the process of the test. */
import { planChecks } from '../../conformance/src/plan.ts';
import { preflight } from '../../conformance/src/preflight.ts';
import { type Report, summarize } from '../../conformance/src/report.ts';
import { runChecks } from '../../conformance/src/run.ts';
import { DEFAULT_TIMEOUT_MS, type Settings } from '../../conformance/src/settings.ts';
import { PLACEHOLDER_KEY } from '../../contract/src/mock/placeholder-key.ts';
import { contract, type Service } from './http.ts';

/** Verifies a service and stops it. */
export async function verify(starting: Promise<Service>, changed: Partial<Settings> = {}): Promise<Report> {
  const service = await starting;
  const settings = {
    baseUrl: service.url,
    key: PLACEHOLDER_KEY,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    runId: 'test',
    ...changed,
  };
  try {
    const chosen = { ...settings, mode: await preflight(contract, settings) };
    return summarize(contract, chosen, await runChecks(planChecks(contract, chosen)));
  } finally {
    await service.close();
  }
}
