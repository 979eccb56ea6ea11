/** `payments-conformance`: verifies that a running service keeps the contract. */
import { runCommand } from '../../contract/src/cli.ts';
import { createProgram } from './program.ts';

process.exitCode = await runCommand(createProgram());
