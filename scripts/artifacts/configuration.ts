/** docs/configuration.md: the gateway's settings as a reference for operators, from their own definitions. */
import { table } from '../../contract/src/markdown.ts';
import { SANDBOX_DEFAULTS } from '../../gateway/src/commands/start.ts';
import { EXCLUSIVE, NEEDS, SETTINGS } from '../../gateway/src/config/settings.ts';

const INTRODUCTION = `# Configuration

Set each value with an option of \`payments-gateway start\` or with an environment variable. The option overrides the
variable. An empty variable counts as unset. If a value is invalid, the gateway refuses to start and prints the allowed
values.

Other commands accept only the options that select the database. Commands that create API keys also accept \`--live\`.
Secrets have no option, because all users of a machine can see the arguments of its processes.`;

const TRACES = `The standard variables of OpenTelemetry, such as \`OTEL_EXPORTER_OTLP_ENDPOINT\`, switch traces on and configure them:
see [Traces](operations/monitoring.md#traces). They have no options.`;

export function configurationReference(): string {
  const rows = Object.values(SETTINGS).map(({ env, flag, value, fallback, allowed, description, kind }) => [
    `\`${env}\``,
    { value: `\`--${flag} <${value.toLowerCase()}>\``, switch: `\`--${flag}\``, secret: '' }[kind],
    String(fallback) === '' ? '' : `\`${fallback}\``,
    allowed,
    description,
  ]);
  const exclusive = EXCLUSIVE.map((names) => names.map((name) => `\`${SETTINGS[name].env}\``).join(' and '));
  return [
    '<!-- Generated from gateway/src/config/settings.ts by `npm run build`. Do not edit. -->',
    INTRODUCTION,
    table(['Variable', 'Option', 'Default', 'Allowed', 'Meaning'], rows),
    ...NEEDS.map(([name, needed]) => `\`${SETTINGS[name].env}\` needs \`${SETTINGS[needed].env}\`.`),
    ...exclusive.map((names) => `Set at most one of ${names}. An option overrides the variable of the other.`),
    '## Traces',
    TRACES,
    '## Sandbox',
    'Without a command, `payments-gateway` starts a sandbox, which has other defaults:',
    table(
      ['Variable', 'Default'],
      Object.entries(SANDBOX_DEFAULTS).map((row) => row.map((cell) => `\`${cell}\``)),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
