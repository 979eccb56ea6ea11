/** The alerts of docs/operations: each is raised only by its cause, and has instructions. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../../scripts/tools/process.ts';
import { installed } from '../../tools/installed.ts';
import { temporaryFolder } from '../harness.ts';

const FOLDER = join(ROOT, 'docs/operations');
const RULES = join(FOLDER, 'payments-gateway.rules.yml');
const GUIDE = await readFile(join(FOLDER, 'monitoring.md'), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const ALERTS: readonly Alert[] = parse(await readFile(RULES, 'utf8')).groups[0].rules;

type Series = Readonly<Record<string, string>>;

interface Case {
  /** Series by their values, one every 15 s. */
  readonly series: Series;
  /** The labels of the alert, without its severity. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Series of normal operation, close to the cause. */
  readonly sound: Series;
  /** The time of the alert. */
  readonly at?: string;
}

const requests = (status: string, values: string) => ({
  [`gateway_request_seconds_count{operation="createPayment",status="${status}"}`]: values,
});
const calls = (outcome: string, values: string) => ({
  [`gateway_channel_call_seconds_count{channel="bank",call="payOut",outcome="${outcome}"}`]: values,
});
const buckets = (name: string, labels: string, fast: string, all: string) => ({
  [`${name}_bucket{${labels}le="1"}`]: fast,
  [`${name}_bucket{${labels}le="4"}`]: all,
  [`${name}_bucket{${labels}le="+Inf"}`]: all,
});
const ended = (outcome: string, values: string) => ({
  [`gateway_payments_total{outcome="${outcome}",method="UPI_IN",merchant="10001"}`]: values,
});
const probe = (job: string, values: string) => ({
  [`probe_success{job="${job}",instance="https://pay"}`]: values,
});
const differences = (kind: string, open: string, oldest = '0x20') => ({
  [`gateway_open_differences{channel="bank",kind="${kind}"}`]: open,
  [`gateway_oldest_difference_seconds{channel="bank",kind="${kind}"}`]: oldest,
});
const build = (version: string, instance: string) =>
  `gateway_build_info{version="${version}",schema="25",instance="${instance}"}`;

const up = (instance: string) => `up{job="payments-gateway",instance="${instance}"}`;
const ready = (instance: string, status: string) =>
  `gateway_ready{job="payments-gateway",instance="${instance}",status="${status}"}`;

const unavailable = (reason: string, values: string) => ({ [`gateway_unavailable_total{reason="${reason}"}`]: values });
const overdue = (kind: string, values: string) => ({ [`gateway_oldest_due_seconds{kind="${kind}"}`]: values });
const age = (status: string, values: string) => ({
  [`gateway_oldest_open_transaction_seconds{kind="payment",status="${status}"}`]: values,
});
const troubled = (alert: string, trouble: string, other: string) => ({
  [alert]: {
    series: { [`gateway_troubled_endpoints{trouble="${trouble}"}`]: '1x20' },
    sound: { [`gateway_troubled_endpoints{trouble="${other}"}`]: '1x20' },
  },
});

/** An alert on values of one series, whose labels it has. */
function on(series: string, values: string, sound: string, at = '90s'): Case {
  const labels = Object.fromEntries([...series.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  return { series: { [series]: values }, labels, sound: { [series]: sound }, at };
}

/** A cause of each alert, or one for each part of its expression. */
const CASES: Readonly<Record<string, Case | readonly Case[]>> = {
  GatewayDown: {
    series: { [up('a')]: '0x20', [up('b')]: '0x20' },
    sound: { [up('a')]: '0x20', [up('b')]: '1x20' },
  },
  GatewayNotReady: {
    series: { [ready('a', 'database unavailable')]: '0x20', [ready('b', 'clock jumped')]: '0x20' },
    sound: { [ready('a', 'database unavailable')]: '0x20', [ready('b', 'ready')]: '1x20' },
  },
  GatewayUnreachable: {
    series: probe('payments-gateway-probe', '0x20'),
    labels: { job: 'payments-gateway-probe', instance: 'https://pay' },
    sound: { ...probe('payments-gateway-probe', '1x20'), ...probe('other', '0x20') },
  },
  GatewayInstanceDown: {
    series: { [up('a')]: '0x20', [up('b')]: '1x20', [ready('b', 'ready')]: '1x20' },
    labels: { job: 'payments-gateway', instance: 'a' },
    sound: { [up('a')]: '1x20', [ready('a', 'waiting')]: '0x20', [up('b')]: '1x20', [ready('b', 'ready')]: '1x20' },
  },
  GatewayRefusesRequests: {
    series: unavailable('disk_full', '0+1x20'),
    labels: { reason: 'disk_full' },
    sound: {
      ...{ ...unavailable('disk_full', '3x20'), ...unavailable('closed', '0+1x20') },
      ...unavailable('sandbox_elsewhere', '0+1x20'),
    },
  },
  GatewayFailsRequests: {
    series: requests('500', '0+1x20'),
    labels: { operation: 'createPayment' },
    sound: { ...requests('503', '0+1x20'), ...requests('409', '0+9x20'), ...requests('500', '1x20') },
  },
  GatewaySlow: {
    series: buckets('gateway_request_seconds', '', '0+9x20', '0+10x20'),
    sound: buckets('gateway_request_seconds', '', '0+9x20', '0+9x20'),
    at: '3m',
  },
  GatewayDatabaseSaturated: on('gateway_waiting_units{instance="a"}', '2000x20', '900x20', '2m'),
  GatewayDiskFillsUp: {
    series: { 'gateway_disk_free_bytes{instance="a"}': '9x20', 'gateway_disk_size_bytes{instance="a"}': '100x20' },
    labels: { instance: 'a' },
    sound: { 'gateway_disk_free_bytes{instance="a"}': '11x20', 'gateway_disk_size_bytes{instance="a"}': '100x20' },
  },
  GatewayClockWrong: on('gateway_time_seconds{instance="a",clock="machine"}', '60+15x20', '2+15x20'),
  GatewayClockJumped: on('gateway_clock_jumps_total{instance="a",clock="database"}', '0x3 1x20', '1x20'),
  GatewayWalletChanged: on('gateway_unexplained_wallets', '0x3 1x20', '0x20'),
  GatewayTransactionsStuck: on('gateway_stuck_transactions{kind="payment",status="VERIFYING"}', '1x20', '0x20'),
  GatewayTransactionsOld: {
    series: age('VERIFYING', '3601+15x20'),
    labels: { kind: 'payment', status: 'VERIFYING' },
    sound: { ...age('VERIFYING', '600x20'), ...age('PAY_CONFIRMATION_NEEDED', '7200x20') },
  },
  GatewayTransactionsFail: on('gateway_failing_transactions', '1x20', '0x20'),
  GatewayExceptionsOpen: on('gateway_open_exceptions', '1x20', '0x20'),
  GatewayStatementsDiffer: [
    {
      series: differences('not_in_ledger', '1x20'),
      labels: { channel: 'bank', kind: 'not_in_ledger' },
      sound: differences('not_in_statement', '1x20', '86400+15x20'),
    },
    {
      series: differences('not_in_statement', '1x20', '129590+15x20'),
      labels: { channel: 'bank', kind: 'not_in_statement' },
      sound: differences('not_in_ledger', '0x20'),
    },
  ],
  GatewayPayoutsPaused: on('gateway_payout_pause_seconds', '890+15x20', '0x20'),
  GatewayChannelPaused: on('gateway_channel_pause_seconds{channel="bank"}', '3590+15x20', '600+15x20'),
  GatewayWorkOverdue: {
    series: overdue('webhook', '10+15x20'),
    labels: { kind: 'webhook' },
    sound: { ...overdue('webhook', '2x20'), ...overdue('slow_webhook', '900x20') },
  },
  GatewayWebhookBacklog: {
    series: { 'gateway_webhooks{state="due"}': '5000x20' },
    sound: { 'gateway_webhooks{state="due"}': '300x20', 'gateway_webhooks{state="scheduled"}': '5000x20' },
  },
  ...troubled('GatewayEndpointHangs', 'hanging', 'stopped'),
  ...troubled('GatewayEndpointFails', 'failing', 'hanging'),
  ...troubled('GatewayEndpointGone', 'gone', 'stopped'),
  GatewayWebhooksAbandoned: {
    series: { 'gateway_webhook_attempts_total{outcome="given_up"}': '0x3 1x20' },
    sound: { 'gateway_webhook_attempts_total{outcome="retried"}': '0+1x20' },
  },
  GatewayWebhooksUnsigned: {
    series: { 'gateway_webhook_attempts_total{outcome="unsigned"}': '0x3 1x20' },
    sound: { 'gateway_webhook_attempts_total{outcome="delivered"}': '0+1x20' },
  },
  GatewayChannelSlow: {
    series: buckets('gateway_channel_call_seconds', 'channel="bank",call="payOut",', '0+1x20', '0+10x20'),
    labels: { channel: 'bank', call: 'payOut' },
    sound: buckets('gateway_channel_call_seconds', 'channel="bank",call="payOut",', '0+99x20', '0+100x20'),
  },
  GatewayChannelLosesResponses: {
    series: { ...calls('failed', '0+1x20'), ...calls('answered', '0+9x20') }, // prose-ok: the label's value
    labels: { channel: 'bank' },
    sound: { ...calls('failed', '0+1x20'), ...calls('answered', '0+999x20') }, // prose-ok: the label's value
  },
  GatewayChannelDown: {
    series: { ...calls('unavailable', '0+1x20'), ...calls('answered', '0+9x20') }, // prose-ok: the label's value
    labels: { channel: 'bank' },
    sound: { ...calls('unavailable', '0+1x20'), ...calls('answered', '0+99x20') }, // prose-ok: the label's value
  },
  GatewayDeclinesMore: {
    series: { ...ended('declined', '0+9x60'), ...ended('succeeded', '0+1x60') },
    labels: { method: 'UPI_IN' },
    sound: { ...ended('declined', '0+1x60'), ...ended('succeeded', '0+9x60') },
    at: '12m',
  },
  GatewayJobsFail: on('gateway_job_failures_total{work="webhooks"}', '0+4x20', '0x3 2x20'),
  GatewayRefusesConnections: on('gateway_connections_refused_total{limit="CONNECTIONS_MAX"}', '0+1x20', '4x20'),
  GatewayOutOfCpu: {
    series: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.5x40', [build('1', 'a')]: '1x40' },
    labels: { instance: 'a' },
    sound: { 'nodejs_eventloop_lag_p99_seconds{instance="b"}': '0.5x40', [build('1', 'a')]: '1x40' },
    at: '8m',
  },
  GatewayMemoryGrows: {
    series: { 'process_resident_memory_bytes{instance="a"}': '500e6x40', [build('1', 'a')]: '1x40' },
    labels: { instance: 'a' },
    sound: { 'process_resident_memory_bytes{instance="b"}': '500e6x40', [build('1', 'a')]: '1x40' },
    at: '8m',
  },
  GatewayVersionsDiffer: {
    series: { [build('1', 'a')]: '1x300', [build('2', 'b')]: '1x300' },
    sound: { [build('1', 'a')]: '1x300', [build('1', 'b')]: '1x300' },
    at: '70m',
  },
};

it.each(ALERTS)('$alert has a section on its meaning, diagnosis and fix', ({ alert, annotations }) => {
  const section = GUIDE.split(`\n### ${alert}\n`)[1]?.split('\n#')[0] ?? '';
  for (const part of ['**Means**', '**Look at**', '**Do**']) expect(section).toContain(part);
  expect(annotations.runbook).toBe(`monitoring.md#${alert.toLowerCase()}`);
});

/** The tool of Prometheus: on Debian, in the package `prometheus`. */
const PROMTOOL = installed('promtool');

describe.skipIf(PROMTOOL === undefined)(
  `the rules${PROMTOOL ? '' : ' (skipped, since promtool is not installed)'}`,
  () => {
    const promtool = (...args: string[]) => promisify(execFile)(String(PROMTOOL), args);

    it("are in the guide's configuration of Prometheus", async () => {
      const [, config = ''] = /```yaml\n# prometheus\.yml\n(.*?)```/s.exec(GUIDE) ?? [];
      const folder = await temporaryFolder();
      await copyFile(RULES, join(folder, 'payments-gateway.rules.yml'));
      await writeFile(join(folder, 'prometheus.yml'), config);
      const { stdout } = await promtool('check', 'config', join(folder, 'prometheus.yml'));
      expect(stdout).toContain(`${ALERTS.length} rules found`);
    });

    it('fire for their cause, and not for similar values', async () => {
      expect(Object.keys(CASES).toSorted()).toEqual(ALERTS.map(({ alert }) => alert).toSorted());
      const folder = await temporaryFolder();
      const files: string[] = [];
      // Each alone, since the evaluation of all rules takes long. The tests would have to repeat the annotations.
      for (const { annotations: _, ...rule } of ALERTS) {
        const [rules, tests] = [`${rule.alert}.rules.yml`, join(folder, `${rule.alert}.tests.yml`)];
        await writeFile(join(folder, rules), JSON.stringify({ groups: [{ name: 'a', rules: [rule] }] }));
        const test = { rule_files: [rules], evaluation_interval: '15s', tests: createRuleTests(rule) };
        await writeFile(tests, JSON.stringify(test));
        files.push(tests);
      }
      await promtool('test', 'rules', ...files);
    });
  },
);

/** Tests of an alert for promtool. */
function createRuleTests({ alert, labels: { severity } }: Pick<Alert, 'alert' | 'labels'>): object[] {
  const causes = [CASES[alert] ?? []].flat();
  return causes.flatMap(({ series, labels, sound, at = '90s' }) => {
    const test = (given: Series, expected: object[]) => ({
      interval: '15s',
      input_series: Object.entries(given).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: expected }],
    });
    return [test(series, [{ exp_labels: { severity, ...labels } }]), test(sound, [])];
  });
}
