/**
 * An implementer's day: from an empty folder through docs/tutorial-conforming-server.md to a conforming service, then
 * conformance/README.md from top to bottom.
 */
import { copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from '../../gateway/src/index.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { byHand, listen, SECRET } from '../conformance/endpoint-checks/servers.ts';
import { PYTHON_MISSING } from '../conformance/python.ts';
import { DEFECTS } from '../conformance/self/defects/index.ts';
import { startProxy } from '../conformance/self/proxy.ts';
import { afterTheFile } from '../gateway/harness/afterwards.ts';
import { compile } from '../packages/compile.ts';
import { freePort } from '../tools/loopback.ts';
import { freshClone } from './tools/clone.ts';
import { type Block, Document } from './tools/document.ts';
import { Reader, type Running } from './tools/reader.ts';
import { STEP_MS } from './tools/start.ts';

const EXAMPLE = join(ROOT, 'conformance/examples/python');

/** Parts of example files, with their content before the section of the tutorial that adds them. */
const STEPS: readonly [heading: string, file: string, present: string, absent: string][] = [
  ['Change the status', 'payments.py', 'self._schedule.after(BANK_SECONDS, self._begin, payment)', 'pass'],
  ['Validate requests', 'server.py', 'violations = list(BODIES[name](body, ""))', 'violations = []'],
  ['Isolate merchants', 'payments.py', 'if not payment or payment.merchant != merchant:', 'if not payment:'],
  ['Recognize repeated requests', 'payments.py', 'known = self._by_order.get(order)', 'known = None'],
  ['Credit the wallet', 'payments.py', 'self._wallets[payment.merchant] = ', '_ = '],
  ['Send webhooks', 'payments.py', 'self._webhooks.send(', '(lambda *_: None)('],
];

/** The implementer's project, in which both documents are followed. */
let clone: Reader;
let project: string;

beforeAll(async () => {
  clone = new Reader(await freshClone({ installed: true }), { ports: { 8000: await freePort() }, node: 'tests' });
  project = join(dirname(clone.folder), 'my-service');
}, STEP_MS);

describe('docs/tutorial-conforming-server.md', { timeout: STEP_MS }, () => {
  const tutorial = new Document('docs/tutorial-conforming-server.md');
  const headings = [...new Set(tutorial.blocks.map((block) => block.headings[1] ?? ''))];
  let restart = '';
  let server: Running | undefined;

  it('packs and installs the kit', async () => {
    await clone.run(tutorial.take('npm run package'));
  });

  describe.skipIf(PYTHON_MISSING !== '')(`the service${PYTHON_MISSING}`, () => {
    const claimed = '--level payments-h2h,repeat-safety --timeout';
    const withWebhooks = '--level payments-h2h,webhooks,repeat-safety --timeout';
    let first: string;
    let second: string;

    it('begins with a server that the kit understands', async () => {
      const { text } = sectionBlock('Start a server', 'python');
      await writeFile(join(project, 'server.py'), text);
      await copyFile(join(EXAMPLE, 'driver.js'), join(project, 'driver.js'));
      const [variables = '', command = ''] = tutorial.take('python3 server.py').trim().split('\n');
      await clone.run(variables);
      restart = command.replace('8000', new URL(clone.adapt('http://127.0.0.1:8000')).port);
      first = tutorial.take(claimed);
      second = tutorial.take(withWebhooks);
      expectQuoted(sectionBlock('Write a driver', 'text').text, await verify(first));
    });

    it.each(STEPS)('gets the quoted findings of the tutorial before "%s"', async (step) => {
      await takeSteps(STEPS.findIndex(([heading]) => heading === step));
      const before = headings[headings.indexOf(step) - 1] ?? '';
      const quotation = tutorial.blocks.findLast(
        ({ language, headings: [, heading] }) => language === 'text' && heading === before,
      );
      expectQuoted(quotation?.text ?? '', await verify(step === 'Send webhooks' ? second : first));
    });

    it('meets its levels at the end', async () => {
      await takeSteps(STEPS.length);
      const printed = await verify(tutorial.take('--html report.html'), { allowFailure: false });
      expectQuoted(sectionBlock('Claim the levels', 'text').text, printed);
      expect(await readFile(join(project, 'report.html'), 'utf8')).toContain(' conforms</title>');
      await server?.end();
    });

    it('has the code shown in the tutorial', async () => {
      const names = ['server.py', 'problems.py', 'rules.py', 'payments.py', 'webhooks.py', 'driver.js'];
      const code = (await Promise.all(names.map((name) => readFile(join(EXAMPLE, name), 'utf8')))).join('\n');
      tutorial.take('function customerOf');
      const [, ...later] = tutorial.blocks.filter(({ language }) => ['python', 'js'].includes(language));
      expect(later.length).toBeGreaterThan(6);
      expect(later.map(({ text }) => text).filter((text) => !code.includes(text))).toEqual([]);
    });

    it('leaves no block untested', () => expect(tutorial.leftOut()).toEqual([]));
  });

  function sectionBlock(heading: string, wanted: string): Block {
    const found = tutorial.blocks.find(({ language, headings: [, own] }) => language === wanted && own === heading);
    if (!found) throw new Error(`no block in ${wanted} under: ${heading}`);
    return found;
  }

  /** Brings the folder's service to its state after a number of tutorial steps. */
  async function takeSteps(taken: number): Promise<void> {
    await cp(EXAMPLE, project, { recursive: true });
    for (const [, file, present, absent] of STEPS.slice(taken)) {
      const text = await readFile(join(project, file), 'utf8');
      if (!text.includes(present)) throw new Error(`${file} no longer has: ${present}`);
      await writeFile(join(project, file), text.replace(present, absent));
    }
  }

  /** Restarts the service, and returns the command's output about it. */
  async function verify(command: string, { allowFailure = true } = {}): Promise<string> {
    await server?.end();
    server = clone.start(restart);
    await server.until(/http:\/\/\S+/);
    const { out } = await clone.run(command, { allowFailure });
    return out.replaceAll(clone.adapt('http://127.0.0.1:8000'), 'http://127.0.0.1:8000');
  }
});

describe('conformance/README.md', { timeout: STEP_MS }, () => {
  const readme = new Document('conformance/README.md');
  let gateway: RunningGateway;
  let env: Record<string, string>;

  beforeAll(async () => {
    gateway = await startGateway();
    afterTheFile(() => gateway.close());
    env = { API_KEY: gateway.key, WEBHOOK_SECRET: gateway.secret };
  });

  /** The implementer of a service at this address. */
  const at = (port: number | string, { 3000: receiver = 0 } = {}) =>
    new Reader(project, { env, ports: { 4000: Number(port), 3000: receiver }, node: 'tests' });

  it('packs and installs the kit', async () => {
    const [pack = '', install = ''] = readme.take('npm run package').trim().split('\n');
    await clone.run(`cd '${clone.folder}'\n${pack}`);
    await mkdir(project, { recursive: true });
    await at(0).run(install);
  });

  it('gets files from init, and the first failures from the command after it', async () => {
    const [init = '', verify = ''] = readme.take('payments-conformance init').trim().split('\n');
    const reader = at(new URL(gateway.url).port);
    const { out: written } = await reader.run(`${init.replace(/#.*/, '')} --url ${gateway.url}`);
    expect(written.match(/^wrote /gm)).toHaveLength(3);
    const { out } = await reader.run(verify, { allowFailure: true });
    expect(out).toMatch(/the driver \S+ has no payment that goes to/);
    for (const file of written.match(/(?<=^wrote +)\S+/gm) ?? []) await rm(join(project, file));
  });

  it("shows the kit's findings for a service that sends amounts as strings", async () => {
    const [defect] = DEFECTS.filter(({ id }) => id === 'fields/createPayment/200/CREATED/amount/other-type');
    if (!defect) throw new Error('the defect has another name');
    const proxy = await startProxy({ ...gateway, secondKey: '', store: undefined as never }, defect.alter());
    afterTheFile(() => proxy.close());
    const reader = at(new URL(proxy.url).port);
    const { code, out } = await reader.run(readme.take('--key "$API_KEY"'), { allowFailure: true });
    expect(code).toBe(1);
    const [quotation] = readme.blocks.filter(({ language }) => language === 'text');
    expectQuoted(quotation?.text ?? '', out.replaceAll(proxy.url, 'http://127.0.0.1:4000'));
  });

  it('has a config file and a template for drivers that compile and load', async () => {
    await copyFile(join(project, 'node_modules/payments-conformance/driver-template.ts'), join(project, 'driver.ts'));
    const config = join(project, 'payments-conformance.config.ts');
    await writeFile(config, readme.take('defineConfig'));
    await compile(project);
    const { out } = await at(0).run('npx payments-conformance --list');
    await rm(config);
    await rm(config.replace(/ts$/, 'js'));
    expect(out).toContain('replay/createPayment/h2h-upi');
    expect(out).not.toContain('replay/createPayout');
  });

  it('has checks of your own that compile and load', async () => {
    const file = join(project, 'checks.ts');
    await writeFile(file, readme.take('OwnCheck'));
    await compile(project);
    const { out } = await at(0).run('npx payments-conformance --list --checks ./checks.js');
    await rm(file);
    await rm(file.replace(/ts$/, 'js'));
    expect(out).toContain('own/health');
  });

  it('judges recorded traffic', async () => {
    const reader = at(new URL(gateway.url).port);
    const only = '--only replay/getBalance --har traffic.har';
    await reader.run(`npx payments-conformance http://127.0.0.1:4000 --key ${gateway.key} ${only}`);
    const { out } = await reader.run(readme.take('check-har').replace('"$WEBHOOK_SECRET"', gateway.secret));
    expect(out).toContain('traffic.har conforms.');
  });

  it('reports a passing known failure', async () => {
    await writeFile(join(project, 'known-failures.json'), readme.take('"flaky"', 'json'));
    const only = '--only replay/getBalance,repeat/payment/at-once';
    const command = `npx payments-conformance http://127.0.0.1:4000 ${only} --known-failures known-failures.json`;
    const { out } = await at(new URL(gateway.url).port).run(command);
    expect(out).toContain('1 known failure passes: remove it from the list.');
  });

  it('makes a table of the reports in a folder', async () => {
    await at(new URL(gateway.url).port).run(readme.take('table reports'));
    expect(await readFile(join(project, 'table.md'), 'utf8')).toContain('my service 1.4');
  });

  it('has a suite in which each check is a test', async () => {
    const suite = readme.take('describeConformance').replace('sk_test_…', gateway.key);
    const start = `const startMyService = async () => ({ url: '${gateway.url}', close: async () => {} });\n`;
    await writeFile(join(project, 'conformance.test.ts'), start + suite);
    await symlink(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
    const vitest = `node node_modules/vitest/vitest.mjs run conformance.test.ts -t replay/createPayment`;
    const { out } = await at(0).run(vitest);
    expect(out).toMatch(/Tests +\d+ passed \| \d+ skipped/);
  });

  it('has a command that verifies a webhook endpoint', async () => {
    const endpoint = await listen(byHand());
    afterTheFile(endpoint.close);
    const command = readme.take('payments-conformance receiver').replace('whsec_…', SECRET);
    const { out } = await at(0, { 3000: Number(new URL(endpoint.url).port) }).run(command);
    expect(out).toMatch(/^(\d+) checks: \1 conforming$/m);
  });

  it('names existing flags', async () => {
    const commands = ['', 'receiver', 'init', 'table', 'check-har'];
    const help = await at(0).run(commands.map((name) => `npx payments-conformance ${name} --help`).join('; '));
    const self = await clone.run(`cd '${clone.folder}'\nnpm run verify:self -- --help`);
    const text = await readFile(join(ROOT, 'conformance/README.md'), 'utf8');
    const flags = new Set([...text.matchAll(/`(?:[^`\n]* )?(--[a-z-]+)/g)].map(([, flag = '']) => flag));
    expect(flags.size).toBeGreaterThan(15);
    expect([...flags].filter((flag) => !`${help.out}${self.out}`.includes(`${flag} `))).toEqual([]);
  });

  it('leaves no block untested', () => expect(readme.leftOut()).toEqual([]));
});

/** Each line of the quotation is in the text. `…` matches anything. */
function expectQuoted(quotation: string, text: string): void {
  expect(quotation.trim()).not.toBe('');
  const lines = quotation.trimEnd().split('\n');
  const toPattern = (line: string) => new RegExp(line.trim().split('…').map(escapePattern).join('.*'));
  expect(
    lines.filter((line) => !toPattern(line).test(text)),
    text,
  ).toEqual([]);
}

function escapePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
