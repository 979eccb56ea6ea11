/** `npm run docs`: builds the reference and serves it. */

import { type Command, main, parseCommand, parsePort } from '../contract/src/cli.ts';
import { readBundle } from '../contract/src/model.ts';
import { serveSite } from '../gateway/src/http/site.ts';
import { buildSite, SITE_FILE } from './reference/site.ts';

const COMMAND: Command = {
  name: 'npm run docs --',
  summary: 'Builds the reference and serves it on loopback.',
  options: {
    port: { type: 'string', value: 'PORT', default: '4020', description: 'Port to listen on; 0 takes a free one.' },
  },
};

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const port = parsePort(String(values['port']), '--port');
  await buildSite();
  const site = await serveSite({ file: SITE_FILE, port });
  console.log(`${readBundle().info.title}: ${site.url}/docs`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await site.close();
  return 0;
});
