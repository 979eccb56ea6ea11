/** Starts of the gateway in a page: from the import of the published script to a ready sandbox. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSandboxFiles } from '../../scripts/sandbox-files.ts';
import { run } from '../../scripts/tools/process.ts';
import { launchBrowser } from '../tools/browser.ts';
import { servePages } from '../tools/page-site.ts';
import { type Bench, createRow, type Row } from './measure.ts';

const READY_MS_MAX = 300;
/** Per round: by default, nine of each kind. */
const STARTS = 3;

/** Milliseconds until the first sandbox of a page or process is ready, and until a second one is. */
type Start = readonly [first: number, second: number];

/** Runs in a page and in Node: an expression that starts two sandboxes. */
const startTwo = (script: string) => `(async () => {
  const began = performance.now();
  const { startSandbox } = await import(${JSON.stringify(script)});
  const first = await startSandbox();
  const ready = performance.now();
  const second = await startSandbox();
  const times = [ready - began, performance.now() - ready];
  await Promise.all([first.close(), second.close()]);
  return times;
})()`;

/** Measures starts in Chromium and on Node, each in a new page or process. */
export async function measureSandbox({ folder, rounds, say }: Bench): Promise<Row[]> {
  await buildSandboxFiles(folder);
  // As in the package, since Node would otherwise have to detect that the script is a module.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const site = await servePages(folder);
  const browser = await launchBrowser();
  const inPage = async () => {
    // A new context has an empty cache.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    const times = await page.evaluate<Start>(startTwo('/sandbox.js'));
    await context.close();
    return times;
  };
  const script = `console.log(JSON.stringify(await ${startTwo(pathToFileURL(join(folder, 'sandbox.js')).href)}))`;
  const onNode = async () =>
    JSON.parse((await run(process.execPath, ['--input-type=module', '--eval', script])).stdout) as Start;
  const [chromium, node]: [Start[], Start[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round++) {
      say(`starts of a sandbox, round ${round + 1} of ${rounds}`);
      for (let start = 0; start < STARTS; start++) {
        chromium.push(await inPage());
        node.push(await onNode());
      }
    }
    return [...createRows('Chromium', chromium), ...createRows('Node', node)];
  } finally {
    await browser.close();
    await site.close();
  }
}

function createRows(host: string, starts: readonly Start[]): Row[] {
  const [firsts, seconds] = [starts.map(([ms]) => ms), starts.map(([, ms]) => ms)];
  return [
    createRow(`Sandbox without a server, ${host}, script and start`, 'ms', firsts, ['≤', READY_MS_MAX]),
    createRow(`Sandbox without a server, ${host}, a second one`, 'ms', seconds),
  ];
}
