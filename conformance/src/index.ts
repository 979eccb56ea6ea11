/** payments-conformance as a library. */
import { throwOnOldNode } from '../../contract/src/node-version.ts';
import conformancePackage from '../package.json' with { type: 'json' };

export type { Config, ReportFiles } from './command/config.ts';
export { defineConfig } from './command/config.ts';
export type { Check, Result } from './core/check.ts';
export type { Finding, Verdict } from './core/finding.ts';
export type { ConformanceOptions, OwnCheck, OwnFinding, OwnService, WebhookOptions } from './core/settings.ts';
export { LEVELS, type Level, PROFILES, type Profile } from './core/settings.ts';
export type { Driver, PaymentGoal, PayoutGoal } from './drivers/driver.ts';
export { prismDriver } from './drivers/examples.ts';
export { gatewayDriver } from './drivers/gateway.ts';
export type { ReceiverFinding, ReceiverResult } from './endpoint-checks/checks.ts';
export { type ReceiverOptions, verifyReceiver } from './endpoint-checks/verify.ts';
export { buildReport } from './report/build-report.ts';
export type { Report } from './report/report.ts';
export { type Assessment, assess, type Rules } from './run/assess.ts';
export { type RunObserver, type Verification, verifyService } from './run/verify.ts';

throwOnOldNode(conformancePackage);
