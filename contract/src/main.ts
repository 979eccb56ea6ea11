/** `npm run mock`: starts the mock and keeps it running until it is stopped. */

import { type Command, main, parseCommand, parsePort } from './cli.ts';
import { guide } from './mock/guide.ts';
import { DEFAULT_HOST, DEFAULT_PORT, startMock } from './mock/server.ts';
import { readBundle } from './model.ts';

const COMMAND: Command = {
  name: 'npm run mock --',
  summary: "Starts a mock of the contract: Prism, answering with the document's examples and checking every request.",
  options: {
    port: {
      type: 'string',
      value: 'PORT',
      default: String(DEFAULT_PORT),
      description: 'Port to listen on; 0 takes a free one.',
    },
    host: { type: 'string', value: 'HOST', default: DEFAULT_HOST, description: 'Address to listen on.' },
    verbose: { type: 'boolean', default: false, description: 'Print a line for every request.' },
  },
  notes: ['Which answers can be chosen, and how, is printed at the start. Ctrl+C stops the mock.'],
};

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const port = parsePort(String(values['port']), '--port');
  const mock = await startMock({ port, host: String(values['host']), verbose: values['verbose'] === true });
  console.log(guide(readBundle(), mock.url));
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await mock.close();
  return 0;
});
