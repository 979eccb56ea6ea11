/** The documents for operators name only existing metrics, commands and settings. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../gateway/src/config/settings.ts';
import { contractMethods } from '../../../gateway/src/domain/methods.ts';
import { UNAVAILABILITY_REASONS } from '../../../gateway/src/http/unavailability.ts';
import { paymentDeclineReasons } from '../../../generated/decline-reasons.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { openTestSqlite, startTestGateway } from '../harness.ts';
import { startOperated } from '../management/operator.ts';
import { createRunner } from './run-command.ts';

const DOCUMENTS = [
  'operations.md',
  ...['accounting.md', 'monitoring.md', 'payments-gateway.rules.yml', 'grafana-dashboard.json'].map(
    (name) => `operations/${name}`,
  ),
];
const RUNBOOK = (await Promise.all(DOCUMENTS.map((name) => readFile(join(ROOT, 'docs', name), 'utf8')))).join('\n');
/** SQLite has no connections, and a gateway without traces has no spans, which monitoring/tracing.test.ts covers. */
const ELSEWHERE = ['gateway_database_connections', 'gateway_spans_dropped_total'];
/** Settings for traces, or for trying them. */
const OF_TRACES = ['gateway/src/monitoring/tracing/tracing-settings.ts', 'tests/gateway/monitoring/tracing.test.ts'];

function named(pattern: RegExp): string[] {
  return [...new Set([...RUNBOOK.matchAll(pattern)].map(([whole, name]) => name ?? whole))];
}

describe('the runbook', () => {
  it('alerts on metrics of /metrics, and on values of labels that they have', async () => {
    const { text } = await (await startTestGateway({ sandbox: false })).call('GET', '/metrics');
    const names = named(/\b(?:gateway|nodejs|process)_[a-z0-9_]+/g);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names.filter((one) => !ELSEWHERE.includes(one)))
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_(count|bucket|sum)$/, '')} `, 'm'));
    const matchers = [...RUNBOOK.matchAll(/\b(gateway_\w+)\{(\w+)=~?"([\w|]+)"/g)];
    // Series of requests and channel calls appear with the first of them.
    const present = matchers.filter(([, metric]) => text.includes(`\n${metric}{`));
    expect(present.length).toBeGreaterThan(7);
    for (const [, metric, label, values = ''] of present)
      for (const value of values.split('|'))
        expect(text).toMatch(new RegExp(`^${metric}\\{.*${label}="${value}"`, 'm'));
  });

  it('shows commands with their arguments', async () => {
    const [, alerts = ''] = RUNBOOK.split('\n## Alerts\n');
    const commands = [...alerts.matchAll(/`payments-gateway ([^`]+)`/g)].map(([, command = '']) => command);
    expect(commands.length).toBeGreaterThan(20);
    const nowhere = { GATEWAY_URL: 'http://127.0.0.1:1', OPERATOR_KEY: 'op_x', DATABASE_FILE: '/missing/payments.db' };
    const program = createRunner(nowhere);
    for (const command of new Set(commands)) {
      const { code, stderr } = await program(...command.split(' '));
      expect([command, stderr]).not.toEqual([command, expect.stringMatching(/Missing|Try: |required/)]);
      expect([command, code]).not.toEqual([command, 2]);
    }
  });

  it.each(UNAVAILABILITY_REASONS)('explains 503 with the reason %s', (reason) => {
    const [, section = ''] = /### GatewayRefusesRequests\n(.*?)\n### /s.exec(RUNBOOK) ?? [];
    expect(section).toContain(`\`${reason}\``);
  });

  it('shows requests that a gateway accepts', async () => {
    const { operator } = await startOperated(await openTestSqlite());
    const requests = named(/GET (\/management\/[^\s`{]+)`/g).concat(named(/'http:\/\/127.0.0.1:4000(\/[^']+)'/g));
    expect(requests.length).toBeGreaterThan(5);
    for (const path of requests) expect([path, (await operator.call('GET', path)).status]).toEqual([path, 200]);
  });

  it('uses settings that exist', async () => {
    const texts = await Promise.all(OF_TRACES.map((file) => readFile(join(ROOT, file), 'utf8')));
    const known = [...Object.values(SETTINGS).map(({ env }) => env), ...texts.join().matchAll(/\bOTEL_[A-Z_]+\b/g)];
    const names = named(/\b[A-Z]+_[A-Z_]+\b/g);
    const ofContract = [...Object.keys(paymentDeclineReasons), ...contractMethods.map(({ name }) => name)];
    expect(names.filter((name) => ![...known.map(String), ...ofContract, 'OPERATOR_KEY'].includes(name))).toEqual([]);
  });
});
