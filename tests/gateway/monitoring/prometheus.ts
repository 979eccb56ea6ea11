/** A Prometheus with the jobs and the alerts of docs/operations. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../scripts/tools/process.ts';
import { freePort } from '../../tools/loopback.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { eventually } from '../processes/gateways.ts';
import { PROMETHEUS } from './promtool.ts';

const RULES = join(ROOT, 'docs/operations/payments-gateway.rules.yml');
const MONITORING = join(ROOT, 'docs/operations/monitoring.md');
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

/** Starts Prometheus for gateways at these addresses. It probes the first, and is stopped after the test. */
export async function startPrometheus(...gateways: readonly [string, ...string[]]): Promise<Alerting> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const config = {
    ...(await readJobs(gateways)),
    global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
    rule_files: [RULES],
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

/** The jobs of monitoring.md, with addresses of this machine. */
async function readJobs(gateways: readonly [string, ...string[]]): Promise<object> {
  const [, yaml = ''] = /```yaml\n# prometheus\.yml\n(.*?)```/s.exec(await readFile(MONITORING, 'utf8')) ?? [];
  const replacements: readonly [from: string, to: string][] = [
    ["'10.0.0.11:4000', '10.0.0.12:4000'", gateways.map((url) => `'${new URL(url).host}'`).join(', ')],
    ['https://pay.example.com/', `${gateways[0]}/`],
    ['127.0.0.1:9115', await startProber()],
  ];
  return parse(
    replacements.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the jobs of monitoring.md don't have: ${from}`);
      return text.replace(from, to);
    }, yaml),
  );
}

/** Probes like the blackbox exporter with the module of monitoring.md. Returns its address. */
async function startProber(): Promise<string> {
  const server = createServer(async (request, response) => {
    const target = new URL(request.url ?? '', 'http://prober').searchParams.get('target') ?? '';
    const found = await fetch(target, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    await found?.body?.cancel();
    response.end(`probe_success ${found?.status === 401 ? 1 : 0}\n`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterwards(async () => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
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
