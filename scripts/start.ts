/** `npm start`: the gateway with a demo merchant on an embedded database, and the reference at /docs. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { main, parseCommand } from '../contract/src/cli.ts';
import { BUNDLE_FILE } from '../contract/src/model.ts';
import { sandboxChapter } from '../gateway/src/channel/chapter.ts';
import { startCommand } from '../gateway/src/commands/start.ts';
import { CONFIG_OPTIONS, readConfig } from '../gateway/src/config.ts';
import { loadSite } from '../gateway/src/http/site.ts';
import { buildSite } from './reference/site.ts';
import { ROOT } from './tools/process.ts';
import { timed } from './tools/progress.ts';

/** A sandbox on one machine: its merchants' endpoints are on that machine. */
const DEFAULTS = { CALLBACK_ALLOW: '127.0.0.0/8,::1', LOG_LEVEL: 'warn' };

const COMMAND = {
  name: 'npm start --',
  summary: 'Starts the gateway with a demo merchant, and the reference at /docs.',
  options: CONFIG_OPTIONS,
  notes: [
    `A sandbox on one machine: unless they are set, ${Object.entries(DEFAULTS)
      .map(([name, value]) => `${name} is ${value}`)
      .join(', and ')}.`,
    'Each setting can be given by the variable in its brackets, too. Ctrl+C stops the gateway; what it stored stays.',
  ],
};

const PAGE = join(ROOT, 'generated/site/gateway.html');

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const config = readConfig(values, { ...DEFAULTS, ...process.env });
  if (await isStale())
    await timed('reference', () =>
      buildSite({ file: PAGE, chapters: [{ after: 'Decline reasons', markdown: sandboxChapter() }] }),
    );
  await startCommand(config, { demo: true, reference: await loadSite(PAGE) });
  return 0;
});

/** The page is made from the bundle and from the simulator's tables; building it takes about a second. */
async function isStale(): Promise<boolean> {
  const sources = [
    BUNDLE_FILE,
    new URL('../gateway/src/channel/scenarios.ts', import.meta.url),
    new URL('../gateway/src/domain/methods.ts', import.meta.url),
  ];
  const built = await stat(PAGE).catch(() => undefined);
  const changed = await Promise.all(sources.map(async (file) => (await stat(file)).mtimeMs));
  return !built || changed.some((time) => time > built.mtimeMs);
}
