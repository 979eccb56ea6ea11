#!/usr/bin/env node
/** `payments-gateway`. An older Node could not even load the command: it has no SQLite. */
import { exitOnOldNode } from '../../contract/src/node-version.ts';
import gatewayPackage from '../package.json' with { type: 'json' };

exitOnOldNode(gatewayPackage);
await import('./main.ts');
