/** `npm run conformance`: verifies the gateway of this repository, and writes its report, badge and traceability table. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badge } from '../conformance/src/report/badge.ts';
import { buildReport } from '../conformance/src/report/build-report.ts';
import { htmlReport } from '../conformance/src/report/html.ts';
import { terminalReport } from '../conformance/src/report/terminal.ts';
import { assess } from '../conformance/src/run/assess.ts';
import { createRules, requirementsVersion } from '../conformance/src/run/rules.ts';
import { verifyService } from '../conformance/src/run/verify.ts';
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import gatewayPackage from '../gateway/package.json' with { type: 'json' };
import { startGateway } from '../gateway/src/index.ts';
import { traceabilityPage } from './conformance/traceability.ts';
import { ROOT } from './tools/process.ts';

const FOLDER = join(ROOT, 'docs/conformance');
/** The gateway retries a webhook after this time without a response. */
const TIMEOUT_MS = 25_000;
const SEED = 1;

const command = new CommandLine('npm run conformance --')
  .description("Verify this repository's gateway, and write docs/conformance/.")
  .handle(async () => {
    const { url: baseUrl, key, secret, addMerchant, close } = await startGateway();
    const { key: secondKey } = await addMerchant();
    const options = { baseUrl, key, secret, secondKey, seed: SEED, timeoutMs: TIMEOUT_MS };
    const verification = await verifyService(options).finally(close);
    const { contract } = verification;
    const assessment = assess(verification, createRules(contract, {}));
    const built = buildReport(verification, assessment, requirementsVersion(contract, {}));
    // Its address is another one in each run.
    const report = { ...built, service: `${gatewayPackage.name} ${gatewayPackage.version}` };
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, 'index.html'), htmlReport(report));
    await writeFile(join(FOLDER, 'badge.svg'), badge(report));
    await writeFile(join(FOLDER, 'traceability.md'), traceabilityPage(verification));
    console.log(terminalReport(report));
    return report.exitCode;
  });

process.exitCode = await runCommand(command);
