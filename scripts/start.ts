/** `npm start`: the gateway with a demo merchant on an embedded database, and the reference at /docs. */
import { main, parseCommand } from '../contract/src/cli.ts';
import { startCommand } from '../gateway/src/commands/start.ts';
import { CONFIG_OPTIONS, readConfig } from '../gateway/src/config.ts';
import { readReference } from '../gateway/src/http/reference.ts';
import { buildGatewayPage } from './reference/gateway-page.ts';

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

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const config = readConfig(values, { ...DEFAULTS, ...process.env });
  await buildGatewayPage();
  await startCommand(config, { demo: true, reference: await readReference() });
  return 0;
});
