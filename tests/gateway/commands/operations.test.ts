/** The documents for operators name only existing metrics, commands and settings. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMethodsAndChannels } from '../../../gateway/src/commands/methods-and-channels.ts';
import { readConfig } from '../../../gateway/src/config/read-config.ts';
import { SETTINGS } from '../../../gateway/src/config/settings.ts';
import { contractMethods } from '../../../gateway/src/domain/methods.ts';
import { UNAVAILABILITY_REASONS } from '../../../gateway/src/http/unavailability.ts';
import { paymentDeclineReasons } from '../../../generated/decline-reasons.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite, startTestGateway } from '../harness.ts';
import { startOperated } from '../management/operator.ts';
import { status } from '../webhooks/receiver.ts';
import { createRunner } from './run-command.ts';

const DOCUMENTS = [
  'operations.md',
  ...['accounting.md', 'monitoring.md', 'payments-gateway.rules.yml', 'grafana-dashboard.json'].map(
    (name) => `operations/${name}`,
  ),
];
const RUNBOOK = (await Promise.all(DOCUMENTS.map((name) => readFile(join(ROOT, 'docs', name), 'utf8')))).join('\n');
/** The same with the guide for daily work. */
const GUIDES = `${RUNBOOK}\n${await readFile(join(ROOT, 'docs/operations/daily-work.md'), 'utf8')}`;
/** SQLite has no connections, and a gateway without traces has no spans, which monitoring/tracing.test.ts covers. */
const ELSEWHERE = ['gateway_database_connections', 'gateway_spans_dropped_total'];
/** Settings for traces, or for trying them. */
const OF_TRACES = ['gateway/src/monitoring/tracing/tracing-settings.ts', 'tests/gateway/monitoring/tracing.test.ts'];

function named(pattern: RegExp): string[] {
  return [...new Set([...RUNBOOK.matchAll(pattern)].map(([whole, name]) => name ?? whole))];
}

describe('the runbook', () => {
  it('alerts on metrics of /metrics', async () => {
    const { call } = await startTestGateway();
    const { text } = await call('GET', '/metrics');
    const names = named(/\b(?:gateway|nodejs|process)_[a-z0-9_]+/g);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names.filter((one) => !ELSEWHERE.includes(one)))
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_(count|bucket|sum)$/, '')} `, 'm'));
  });

  it('alerts on values of labels that /metrics has', async () => {
    const { text } = await (await startTestGateway({ sandbox: false })).call('GET', '/metrics');
    const matchers = [...RUNBOOK.matchAll(/\b(gateway_\w+)\{(\w+)=~?"([\w|]+)"/g)];
    // Series of requests and channel calls appear with the first of them.
    const present = matchers.filter(([, metric]) => text.includes(`\n${metric}{`));
    expect(present.length).toBeGreaterThan(7);
    for (const [, metric, label, values = ''] of present)
      for (const value of values.split('|'))
        expect(text).toMatch(new RegExp(`^${metric}\\{.*${label}="${value}"`, 'm'));
  });

  it('uses commands that exist', async () => {
    const program = createRunner({});
    for (const usage of named(/payments-gateway ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)) {
      // Its argument is a channel, since the command of its group has a default.
      const [command = '', subcommand = ''] = usage.replace(/^reconcile bank$/, 'reconcile import').split(' ');
      const overview = (await program('--help')).stdout;
      expect(overview).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
      const { stdout } = await program(command, '--help');
      if (/^ {2}\w+ \[options\]/m.test(stdout)) expect(stdout).toMatch(new RegExp(`^  ${subcommand} `, 'm'));
    }
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

  it('shows POST requests that a gateway accepts', async () => {
    const operated = await startOperated(await openTestSqlite(), { respond: status(500) });
    const { test, operator, receiver, decline } = operated;
    await decline();
    const chief = await addOperator(test, 'Lee', 'approve');
    const [event] = (await operator.call('GET', '/management/events')).body.data;
    const of = { merchant_id: test.merchant.id, url: `${receiver.address}/hook` };
    const since = new Date(0).toISOString();
    // Ordered so that each succeeds: a stopped URL can be resumed.
    const calls: Readonly<Record<string, readonly [path: string, ...bodies: object[]]>> = {
      '/management/events/{id}/resend': [`/management/events/${event.id}/resend`, {}],
      '/management/stopped-urls/stop': ['/management/stopped-urls/stop', of],
      '/management/stopped-urls/resume': ['/management/stopped-urls/resume', of],
      '/management/events/replay': ['/management/events/replay', { since }, { since, state: 'stopped' }],
      '/management/merchants/{id}/signing-secrets/rotate': [
        `/management/merchants/${test.merchant.id}/signing-secrets/rotate`,
        {},
      ],
      '/management/merchants': ['/management/merchants', { name: 'Chai House', currencies: ['INR'] }],
      '/management/merchants/{id}/keys': [`/management/merchants/${test.merchant.id}/keys`, {}],
    };
    const shown = GUIDES.matchAll(/POST (\/management\/[^`\s]+)/g);
    expect([...new Set([...shown].map(([, path]) => path))].sort()).toEqual(Object.keys(calls).sort());
    for (const [path, ...bodies] of Object.values(calls))
      for (const body of bodies) {
        const { status: found } = await chief.call('POST', path, body);
        expect([path, Math.floor(found / 100)]).toEqual([path, 2]);
      }
    const [, replay = ''] = /events\/replay -H "\$OPERATOR"[^']*'[^']*' \\\n {2}-d '(.*)'/.exec(GUIDES) ?? [];
    const body = JSON.parse(replay.replace('10001', String(test.merchant.id)));
    expect((await operator.call('POST', '/management/events/replay', body)).status).toBe(200);
  });

  it('shows a notification and a sandbox merchant that a gateway accepts', async () => {
    const [, CHANNEL_SECRETS = ''] = /export CHANNEL_SECRETS=(\S+)/.exec(GUIDES) ?? [];
    const sandboxKey = 'key-of-the-sandbox';
    const definition = await readMethodsAndChannels(readConfig({}, { CHANNEL_SECRETS }));
    const { call } = await startTestGateway({ ...definition, sandbox: true, sandboxMerchants: { sandboxKey } });
    const { transaction_id: id } = (await call('POST', '/payments', paymentRequest())).body;
    const [, path = '', authorization = '', body = ''] =
      /pay\.example\.com(\/channels\S+) -H 'Authorization: ([^']+)' \\\n {2}-d '(.*)'/.exec(GUIDES) ?? [];
    const notification = { ...JSON.parse(body), transaction_id: id };
    expect((await call('POST', path, notification, { authorization })).status).toBe(204);
    expect(GUIDES).toContain('`POST /sandbox/merchants`, which then needs `Authorization: Bearer <SANDBOX_KEY>`');
    const created = await call('POST', '/sandbox/merchants', {}, { authorization: `Bearer ${sandboxKey}` });
    expect(created.status).toBe(201);
  });

  it('uses settings that exist', async () => {
    const texts = await Promise.all(OF_TRACES.map((file) => readFile(join(ROOT, file), 'utf8')));
    const known = [...Object.values(SETTINGS).map(({ env }) => env), ...texts.join().matchAll(/\bOTEL_[A-Z_]+\b/g)];
    const names = named(/\b[A-Z]+_[A-Z_]+\b/g);
    const ofContract = [...Object.keys(paymentDeclineReasons), ...contractMethods.map(({ name }) => name)];
    expect(names.filter((name) => ![...known.map(String), ...ofContract, 'OPERATOR_KEY'].includes(name))).toEqual([]);
  });
});
