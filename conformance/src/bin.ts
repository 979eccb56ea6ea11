#!/usr/bin/env node
/** `payments-conformance`, on a Node that can run it. */
import { exitOnOldNode } from '../../contract/src/node-version.ts';
import conformancePackage from '../package.json' with { type: 'json' };

/** Not a verdict about the service. */
const USED_INCORRECTLY = 2;

exitOnOldNode(conformancePackage, USED_INCORRECTLY);
await import('./main.ts');
