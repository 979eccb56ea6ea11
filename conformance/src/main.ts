/** `payments-conformance`: verifies that a running service conforms to the contract. */
import { runCommand } from '../../contract/src/cli.ts';
import { createProgram } from './program.ts';

/** Time to write buffered output. */
const GRACE_MS = 1_000;

process.exitCode = await runCommand(createProgram());
// A driver can leave something open, such as a request without a response. It must not keep the process.
setTimeout(() => process.exit(), GRACE_MS).unref();
