#!/usr/bin/env node
/** `payments-conformance`, on a Node that can run it. */
import { exitOnOldNode } from '../../contract/src/node-version.ts';
import conformancePackage from '../package.json' with { type: 'json' };

exitOnOldNode(conformancePackage);
await import('./main.ts');
