/** The settings of traces: OpenTelemetry's standard variables that its exporter doesn't read itself. */

const SAMPLERS = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

export interface TracingSettings {
  readonly sampler: SamplerName;
  /** Sampling ratio from 0 to 1, for ratio-based samplers. */
  readonly ratio: number;
  /** Whether `traceparent` is accepted from requests, and sent to channels and endpoints. */
  readonly propagates: boolean;
}

export interface TracingChoice {
  /** Undefined if traces are disabled, which is the default without a destination. */
  readonly settings: TracingSettings | undefined;
  /** Variables without an effect. A fleet shares its variables among all programs, so none prevents the start. */
  readonly warnings: readonly string[];
}

const OFF: TracingChoice = { settings: undefined, warnings: [] };

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const;
const PROTOCOL = 'http/protobuf';

/** Reads the variables. An empty one counts as unset. */
export function readTracingSettings(env: NodeJS.ProcessEnv): TracingChoice {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = env;
  const endpoint = ENDPOINTS.find((name) => env[name]);
  if (disabled?.toLowerCase() === 'true' || exporter === 'none' || !(endpoint || exporter)) return OFF;
  const problem = unusable(env, exporter, endpoint);
  if (problem) return { settings: undefined, warnings: [`${problem} Traces are off.`] };
  const warnings: string[] = [];
  const sampler = readSampler(env, warnings);
  const { OTEL_PROPAGATORS: propagators } = env;
  const propagates = !propagators || propagators.split(',').some((name) => name.trim() === 'tracecontext');
  if (propagators && propagators.trim() !== 'none' && !propagates)
    warnings.push(`OTEL_PROPAGATORS is '${propagators}'. The gateway knows tracecontext and none, and uses none.`);
  return { settings: { ...sampler, propagates }, warnings };
}

/** The reason why traces can't be sent, if any. */
function unusable(env: NodeJS.ProcessEnv, exporter: string | undefined, endpoint: string | undefined) {
  if (exporter && exporter !== 'otlp') return `OTEL_TRACES_EXPORTER is '${exporter}'. The gateway has otlp and none.`;
  const protocol = PROTOCOLS.find((name) => env[name]);
  if (protocol && env[protocol] !== PROTOCOL)
    return `${protocol} is '${env[protocol]}'. The gateway speaks ${PROTOCOL}, usually on port 4318.`;
  // It may contain a password.
  if (endpoint && !/^https?:$/.test(URL.parse(env[endpoint] ?? '')?.protocol ?? ''))
    return `${endpoint} must be an http or https URL, such as http://localhost:4318.`;
  return undefined;
}

function readSampler(env: NodeJS.ProcessEnv, warnings: string[]): Pick<TracingSettings, 'sampler' | 'ratio'> {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument } = env;
  const sampler = SAMPLERS.find((known) => known === name) ?? 'parentbased_always_on';
  if (name && name !== sampler)
    warnings.push(`OTEL_TRACES_SAMPLER is '${name}'. It must be one of ${SAMPLERS.join(', ')}; it is ${sampler} now.`);
  const ratio = argument ? Number(argument) : 1;
  if (ratio >= 0 && ratio <= 1) return { sampler, ratio };
  if (sampler.endsWith('traceidratio'))
    warnings.push(`OTEL_TRACES_SAMPLER_ARG is '${argument}'. It must be a number from 0 to 1; it is 1 now.`);
  return { sampler, ratio: 1 };
}
