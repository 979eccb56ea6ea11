/** Traces, if OpenTelemetry's standard variables enable them. Otherwise, none of its packages is loaded. */
import { type Log, NO_LOG } from '../../platform/log.ts';
import { systemTimers } from '../../platform/timers.ts';
import type { BoundedExportOptions } from './bounded-export.ts';
import type { OpenTracer } from './open-telemetry.ts';
import { readTracingSettings } from './tracing-settings.ts';

export interface TracingOptions extends Partial<BoundedExportOptions> {
  readonly log?: Log;
}

/** Starts the tracer for `createGateway`. Undefined if traces are disabled. End it after the gateway. */
export async function startTracing(options: TracingOptions = {}): Promise<OpenTracer | undefined> {
  const { log = NO_LOG, timers = systemTimers, ...others } = options;
  const { settings, warnings } = readTracingSettings(process.env);
  for (const warning of warnings) log.warn({}, warning);
  if (!settings) return undefined;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(settings, { log, timers, ...others });
}
