/** `payments-gateway`: the gateway and its administration. */
import { runGateway } from './commands/program.ts';

process.exitCode = await runGateway(process.argv.slice(2));
