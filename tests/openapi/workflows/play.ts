/** Plays the Arazzo workflows on a gateway, or on one with a defect in the response to a step. */
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { JsonObject } from '../../../contract/src/model.ts';
import { type RunningGateway, startGateway } from '../../../gateway/src/index.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';

const FOLDER = join(ROOT, 'openapi/workflows');
const SUFFIX = '.arazzo.yaml';

interface Workflow {
  readonly file: string;
  readonly steps: readonly { readonly stepId: string; readonly successCriteria: readonly { condition: string }[] }[];
}

/** The workflows by name. */
export const WORKFLOWS: Readonly<Record<string, Workflow>> = Object.fromEntries(
  globSync(`*${SUFFIX}`, { cwd: FOLDER }).map((name) => {
    const file = join(FOLDER, name);
    return [name.replace(SUFFIX, ''), { ...parse(readFileSync(file, 'utf8')).workflows[0], file }];
  }),
);

/** The sandbox's customer whose transactions are declined. */
const DECLINED = ['-i', 'customer_id=decline-BANK_REJECTED'];

export interface Defect {
  /** The position of the step, from 0. */
  readonly step: number;
  readonly change: (response: { status: number; body: JsonObject }) => { status: number; body: JsonObject };
}

interface PlayOptions {
  readonly defect?: Defect;
  /** By default, the key of the gateway's merchant. */
  readonly key?: string;
}

/** Plays a workflow. Returns the exit code, the output and the step that failed. */
export async function play(name: string, { defect, key }: PlayOptions = {}) {
  const { file = '' } = WORKFLOWS[name] ?? {};
  const gateway = await startGateway();
  await gateway.wallets.fund('INR', 100_000_000);
  const proxy = await startProxy(gateway, defect);
  try {
    const inputs = ['-i', `api_key=${key ?? gateway.key}`, '-i', 'order_id=order-1'];
    const args = [file, '-S', `api=${proxy.url}`, ...inputs, ...(name.startsWith('declined') ? DECLINED : [])];
    const { code, stdout } = await redocly(['respect', ...args, '--verbose'], { allowFailure: true });
    // Retried attempts count as failed, too. The last attempt is the result.
    return { code, stdout, failed: [...stdout.matchAll(/✗ .* - step (\S+)/g)].at(-1)?.[1], key: gateway.key };
  } finally {
    await proxy.close();
    await gateway.close();
  }
}

/** Forwards requests to the gateway, and changes the responses to the defect's step. */
function startProxy({ url }: RunningGateway, defect: Defect | undefined) {
  let [step, last] = [-1, ''];
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    if (call !== last) step++;
    last = call;
    const { authorization = '', 'content-type': type } = request.headers;
    const sent = await text(request);
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(sent && { body: sent }),
    });
    const received = { status: answer.status, body: (await answer.json()) as JsonObject };
    const { status, body } = defect && step >= defect.step ? defect.change(received) : received;
    response.writeHead(status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(JSON.stringify(body));
  });
  return listenOnLoopback(server);
}
