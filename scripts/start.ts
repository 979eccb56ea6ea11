/** `npm start`: the mock and the reference, side by side. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startMock } from './mock/server.ts';
import { serveSite } from './reference/serve.ts';
import { buildSite } from './reference/site.ts';
import { main, parseCommand, parsePort } from './tools/cli.ts';
import { ROOT } from './tools/process.ts';
import { timed } from './tools/progress.ts';

const COMMAND = {
  name: 'npm start --',
  summary: 'Starts the reference on http://localhost:4000/docs and the mock on http://localhost:4010.',
  options: {
    port: {
      type: 'string',
      value: 'PORT',
      default: process.env['PORT'] ?? '4000',
      description: 'Port of the reference.',
    },
    'mock-port': { type: 'string', value: 'PORT', default: '4010', description: 'Port of the mock.' },
  },
} as const;
