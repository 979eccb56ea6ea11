#!/usr/bin/env node
/** The command `payments-gateway`: the gateway and its administration. */
import { exitOnOldNode } from '../../contract/src/node-version.ts';
import gatewayPackage from '../package.json' with { type: 'json' };

// An older Node has no SQLite, and could not even load the program.
exitOnOldNode(gatewayPackage);
const { runGateway } = await import('./commands/program.ts');
process.exitCode = await runGateway(process.argv.slice(2));
