/** A Prometheus that scrapes one gateway, with the alerts of docs/operations. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/tools/process.ts';
import { freePort } from '../../tools/port.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { eventually } from '../processes/gateways.ts';
import { PROMETHEUS } from './promtool.ts';

const RULES = join(ROOT, 'docs/operations/payments-gateway.rules.yml');
/** Interval of scrapes and evaluations: a few seconds instead of 15. */
const EVERY = '2s';

export interface Alerting {
  /** The names of the firing alerts. */
  firing(): Promise<string[]>;
  /** Resolves when the alert is raised, with the elapsed seconds. */
  raised(alert: string, withinMs: number): Promise<number>;
  /** Resolves when the gateway has been scraped. */
  scraped(): Promise<void>;
}

/** Starts Prometheus for the gateway at the URL. It is stopped after the test. */
export async function startPrometheus(gatewayUrl: string): Promise<Alerting> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const config = {
    global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
    rule_files: [RULES],
    scrape_configs: [{ job_name: 'payments-gateway', static_configs: [{ targets: [new URL(gatewayUrl).host] }] }],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    String(PROMETHEUS),
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  afterwards(() => end(child));
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json() as Promise<Reply>;
  const firing = async () => {
    const { data } = await ask('alerts');
    return (
      data.alerts?.filter(({ state }) => state === 'firing').map(({ labels }) => String(labels['alertname'])) ?? []
    );
  };
  const began = performance.now();
  return {
    firing,
    async raised(alert, withinMs) {
      const from = performance.now();
      return eventually(async () => {
        return (await firing()).includes(alert) ? (performance.now() - from) / 1_000 : undefined;
      }, withinMs).catch(async () => {
        const seconds = Math.round((performance.now() - began) / 1_000);
        throw new Error(
          `${alert} is not raised; after ${seconds} s there are ${JSON.stringify((await ask('alerts')).data)}`,
        );
      });
    },
    async scraped() {
      await eventually(async () => {
        const reply = await ask('query?query=gateway_build_info').catch(() => undefined);
        return reply?.data.result?.length ? true : undefined;
      });
    },
  };
}

interface Reply {
  readonly data: {
    readonly alerts?: readonly { readonly state: string; readonly labels: Readonly<Record<string, string>> }[];
    readonly result?: readonly unknown[];
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
