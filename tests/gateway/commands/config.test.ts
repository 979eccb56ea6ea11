import { describe, expect, it } from 'vitest';
import { CommandLine, UserError } from '../../../contract/src/cli.ts';
import { requireSafe } from '../../../gateway/src/commands/start.ts';
import { addSettings, findMisspelled, readConfig, type SettingFlags } from '../../../gateway/src/config/read-config.ts';
import { DEFAULTS, SETTINGS } from '../../../gateway/src/config/settings.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

/** Values refused by each parser. */
const REFUSED: Partial<Record<keyof typeof SETTINGS, string[]>> = {
  port: ['-1', '65536', '4000.5', 'http'],
  publicUrl: ['shop', 'ftp://shop.example.com', 'https://pay.example.com/?', 'https://user:secret@pay.example.com'],
  corsOrigins: ['true', 'http://localhost:5173/', 'http://localhost:5173,*', 'null', 'https://*.example.com'],
  allowedHosts: ['http://a.example', 'a.example:80', '*', '*.', 'a/b', 'a,'],
  sandboxKey: ['short', 'with spaces in between', 'x'.repeat(256)],
  sandboxOpen: ['yes'],
  trustProxy: ['true', 'proxy.local', '10.0.0.0/', '10.0.0.0/8,', '10.0.0.1/8'],
  databaseUrl: ['mysql://localhost/x', 'postgres://me:12#3@h/d', 'postgres://%zz@h/d', 'postgres://h/d?ssl=false'],
  config: ['~/gateway.config.ts', 'https://h/gateway.config.ts'],
  host: ['localhost:4000', '*', 'a b'],
  callbackAllow: ['127.0.0.0/8;::1', '/8'],
  channelSecrets: ['upi-standard', '=0123456789abcdef', 'upi-standard=short', 'upi-standard=0123456789abcdef,'],
  logLevel: ['loud'],
  secretsKey: ['secret', KEY.slice(1), `${KEY},${KEY}`],
  secretsKeyPrevious: ['secret', `${KEY},`],
};

const TLS_URL = 'postgres://u:p@h/d?sslmode=verify-full&sslrootcert=ca.pem&options=-c%20search_path%3Dpayments';

/** Settings required by other settings. */
const NEEDED = { DATABASE_URL: 'postgres://h/d', SECRETS_KEY: KEY };

/** A value that may contain a password or a secret is not shown. */
function shown(key: keyof typeof SETTINGS, value: string): string {
  const hidden = key === 'databaseUrl' || SETTINGS[key].kind === 'secret';
  return hidden ? 'is invalid' : `is '${value}'`;
}

describe('the settings', () => {
  it('warn of misspelled variables', () => {
    const others = { HOME: '/', PATH: '/bin', DATABASE_URL: '1', PGPASSWORD: '1' };
    expect(findMisspelled({ DATABASE_RUL: '1', LOGLEVEL: '1', ...others })).toEqual([
      { found: 'DATABASE_RUL', setting: 'DATABASE_URL' },
      { found: 'LOGLEVEL', setting: 'LOG_LEVEL' },
    ]);
  });

  it('come from flags, then from the environment, then from defaults', () => {
    expect(readConfig({}, {})).toEqual(DEFAULTS);
    expect(DEFAULTS).toMatchObject({ port: 4000, host: '127.0.0.1', databaseUrl: '', callbackAllow: [] });
    expect(readConfig({ port: '1' }, { PORT: '2' }).port).toBe(1);
    expect(readConfig({}, { PORT: '2' }, { PORT: '5000' }).port).toBe(2);
    expect(readConfig({}, { PORT: '' }, { PORT: '5000' }).port).toBe(5000);
  });

  it.each([
    ['CORS_ORIGINS', 'http://localhost:5173, https://b.test', ['http://localhost:5173', 'https://b.test']],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['CHANNEL_SECRETS', 'upi-standard=0123456789abcde=', [['upi-standard', '0123456789abcde=']]],
    ['CALLBACK_ALLOW', '127.0.0.0/8, ::1,shop.local', ['127.0.0.0/8', '::1', 'shop.local']],
    ['PUBLIC_URL', 'https://pay.example.com/', 'https://pay.example.com'],
    ['DATABASE_URL', TLS_URL, TLS_URL],
  ])('are parsed into their types: %s', (env, text, value) => {
    const [name = ''] = Object.entries(SETTINGS).find(([, setting]) => setting.env === env) ?? [];
    expect(readConfig({}, { [env]: text })).toMatchObject({ [name]: value });
  });

  it.each(
    Object.entries(REFUSED).flatMap(([key, values]) =>
      values.map((value) => ({ key: key as keyof typeof SETTINGS, value })),
    ),
  )('refuse $value for $key and list the allowed values', ({ key, value }) => {
    const { env, flag, allowed, kind } = SETTINGS[key];
    const refusal = (name: string) =>
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining(`${name} ${shown(key, value)}. It must be ${allowed}.`),
      });
    expect(() => readConfig({}, { ...NEEDED, [env]: value })).toThrow(refusal(env));
    if (kind !== 'secret') expect(() => readConfig({ [key]: value }, NEEDED)).toThrow(refusal(`--${flag}`));
  });

  it.each([
    ['DATABASE_FILE', '~/pay.db', `The shell didn't replace the ~. Write ${process.env['HOME']}/pay.db.`],
    ['DATABASE_FILE', 'sqlite:///var/pay.db', 'It is a URL. Write the path alone, such as /var/pay.db.'],
    ['DATABASE_URL', '"postgres://h/d"', 'It is in quotation marks, which nothing removes. Remove them.'],
    ['DATABASE_URL', 'postgres://h/d?sslmode=required', "sslmode can't be 'required'."],
    ['DATABASE_URL', 'postgres://one,two/d', 'It names several hosts. Name one, which leads to the primary.'],
    ['HOST', 'http://localhost:4000', 'Write localhost alone, and set PORT=4000.'],
  ])('show how to write %s=%s', (env, value, fix) => {
    expect(() => readConfig({}, { [env]: value })).toThrow(fix);
  });

  it('refuse a value above its enclosing limit', () => {
    const message = 'but REQUEST_TIMEOUT_MS is 30000. Lower HEADER_TIMEOUT_MS to 30000, or raise';
    expect(() => readConfig({}, { HEADER_TIMEOUT_MS: '60000' })).toThrow(message);
  });

  it('never show a key', () => {
    for (const env of ['SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'])
      expect(() => readConfig({}, { ...NEEDED, [env]: 'c2VjcmV0' })).toThrow(/^((?!c2VjcmV0).)*$/);
  });

  it('are command-line options, except secrets, with their variable in the help', () => {
    const command = addSettings(new CommandLine('gateway'));
    const options = command.options.map((option) => [option.attributeName(), option.long]);
    const public_ = Object.entries(SETTINGS).filter(([, { kind }]) => kind !== 'secret');
    expect(options).toEqual(public_.map(([key, { flag }]) => [key, `--${flag}`]));
    for (const [, { env }] of public_)
      expect(command.options.map(({ description }) => description).join()).toContain(`(env: ${env}`);
  });
});

describe('the setting LIVE', () => {
  it('is a switch, and lets load balancers notice the end of a gateway unless another time is set', () => {
    const read = (flags: SettingFlags, env: NodeJS.ProcessEnv = {}) => {
      const { live, drainMs } = readConfig(flags, { SECRETS_KEY: KEY, ...env });
      return [live, drainMs];
    };
    expect(read({})).toEqual([false, 0]);
    expect(read({}, { LIVE: 'true' })).toEqual([true, 5_000]);
    expect(read({}, { LIVE: 'true', DRAIN_MS: '0' })).toEqual([true, 0]);
    expect(read({ live: true, drainMs: '10000' })).toEqual([true, 10_000]);
  });

  it('is refused without a key for secrets, unless false', () => {
    const message = (source: string) =>
      `${source} is set, but SECRETS_KEY is not. Set SECRETS_KEY, or remove ${source}.`;
    expect(() => readConfig({ live: true }, {})).toThrow(new UserError(message('--live'), 2));
    expect(() => readConfig({}, { LIVE: 'true' })).toThrow(new UserError(message('LIVE'), 2));
    expect(readConfig({}, { LIVE: 'false' }).live).toBe(false);
  });
});

it('mutually exclusive settings are refused in the same place, and an option overrides a variable', () => {
  const [url, file] = ['postgres://u@h/d', 'a.db'];
  expect(() => readConfig({}, { DATABASE_URL: url, DATABASE_FILE: file })).toThrow(
    new UserError('DATABASE_URL and DATABASE_FILE are both set. Set only one.', 2),
  );
  expect(() => readConfig({ databaseUrl: url, databaseFile: file }, {})).toThrow(UserError);
  const overridden = readConfig({ databaseFile: file }, { DATABASE_URL: url });
  expect(overridden).toMatchObject({ databaseFile: file, databaseUrl: '' });
});

it.each([{ SANDBOX_KEY: 'a-sandbox-key-of-enough-characters' }, { SANDBOX_OPEN: 'true' }, { HOST: '127.0.0.1' }])(
  'a sandbox may start with %o',
  (env) => {
    expect(() => requireSafe(readConfig({}, { HOST: '0.0.0.0', ...env }), false)).not.toThrow();
  },
);
