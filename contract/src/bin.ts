#!/usr/bin/env node
import contractPackage from '../package.json' with { type: 'json' };
/** `payments-contract`, on a Node that can run it. */
import { exitOnOldNode } from './node-version.ts';

exitOnOldNode(contractPackage);
await import('./main.ts');
