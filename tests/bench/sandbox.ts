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
export async function measureSandbox({ folder, rounds, say, atEnd }: Bench): Promise<Row[]> {
  await buildSandboxFiles(folder);
  // As in the package, since Node would otherwise have to detect that the script is a module.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const site = await servePages(folder);
  atEnd(site.close);
  const browser = await launchBrowser();
  atEnd(() => browser.close());
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
  const starts: Record<'Chromium' | 'Node', Start[]> = { Chromium: [], Node: [] };
  for (let start = 0; start < STARTS * rounds; start++) {
    say(`starts of a sandbox, ${start + 1} of ${STARTS * rounds}`);
    starts.Chromium.push(await inPage());
    starts.Node.push(await onNode());
  }
  return Object.entries(starts).flatMap(([host, times]) => {
    const [firsts, seconds] = [times.map(([ms]) => ms), times.map(([, ms]) => ms)];
    const name = `Sandbox without a server, ${host}`;
    return [
      createRow(`${name}, script and start`, 'ms', firsts, ['≤', READY_MS_MAX]),
      createRow(`${name}, a second one`, 'ms', seconds),
    ];
  });
}
