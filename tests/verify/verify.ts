/** Verification inside the process of the test, without vitest in vitest. */
import { runChecks } from '../../scripts/verify/plan.ts';
import { preflight } from '../../scripts/verify/preflight.ts';
import { type Report, summarize } from '../../scripts/verify/report.ts';
import { DEFAULT_TIMEOUT_MS, PLACEHOLDER_KEY, type Settings } from '../../scripts/verify/settings.ts';
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
    const mode = await preflight(contract, settings);
    return summarize(contract, { ...settings, mode }, await runChecks(contract, { ...settings, mode }));
  } finally {
    await service.close();
  }
}
