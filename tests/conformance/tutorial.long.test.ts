/** The tutorial's code is that of the example, and the kit says at each step what the tutorial quotes. */

import { globSync, readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { startServer } from '../tools/server.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { PYTHON_MISSING } from './python.ts';
import { EXAMPLE, folderBefore, STEPS, TUTORIAL } from './tutorial.ts';

const ENV = {
  API_KEY: 'sk_test_tutorial',
  SECOND_API_KEY: 'sk_test_other',
  WEBHOOK_SECRET: 'whsec_c2VjcmV0IG9mIHRoZSB0dXRvcmlhbA==',
  PYTHONDONTWRITEBYTECODE: '1',
};
const LEVELS = 'payments-h2h,webhooks,repeat-safety';

/** The sections by heading. */
const SECTIONS = new Map(
  readFileSync(TUTORIAL, 'utf8')
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
const HEADINGS = [...SECTIONS.keys()];

function blocks(heading: string, language: string): string[] {
  const found = (SECTIONS.get(heading) ?? '').matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map(([, text = '']) => text);
}

/** What the kit prints about the server in the folder. */
async function kit(folder: string, ...args: string[]): Promise<string> {
  const server = await startServer(['server.py', '0'], { node: 'python3', cwd: folder, env: ENV });
  afterwards(() => server.end('SIGTERM'));
  const command = [join(ROOT, 'conformance/src/main.ts'), server.url, '--driver', './driver.js', '--no-github'];
  const limits = ['--timeout', '3000', '--seed', '1', '--walks', '1'];
  const ran = await run(process.execPath, [...command, ...limits, ...args], {
    ...{ cwd: folder, env: { ...process.env, ...ENV }, allowFailure: true },
  });
  return ran.stdout.replaceAll(server.url, 'http://127.0.0.1:8000');
}

/** Each line of the quotation is in the text; `…` stands for anything. */
function expectQuoted(quotation: string, text: string): void {
  const lines = text.split('\n');
  const missing = quotation
    .trimEnd()
    .split('\n')
    .filter((quoted) => !lines.some((line) => hasInOrder(line, quoted.trim().split('…'))));
  expect(missing, text).toEqual([]);
}

function hasInOrder(line: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = line.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

describe.skipIf(PYTHON_MISSING !== '')(`the tutorial${PYTHON_MISSING}`, () => {
  it('begins with a server that the kit understands', async () => {
    const folder = await temporaryFolder('tutorial');
    await cp(join(EXAMPLE, 'driver.js'), join(folder, 'driver.js'));
    await writeFile(join(folder, 'server.py'), blocks('Start with an address and a key', 'python')[0] ?? '');
    const printed = await kit(folder, '--level', 'payments-h2h', '--only', 'replay/createPayment');
    expectQuoted(blocks('Tell the kit how to reach each state', 'text')[0] ?? '', printed);
  });

  it.each(STEPS.map((step) => [step.heading, step] as const))(
    'quotes what the kit says before the step "%s"',
    { timeout: 60_000 },
    async (heading, step) => {
      const quotation = blocks(HEADINGS[HEADINGS.indexOf(heading) - 1] ?? '', 'text').at(-1) ?? '';
      expect(quotation).not.toBe('');
      expectQuoted(quotation, await kit(await folderBefore(step), '--level', LEVELS, '--only', step.only.join(',')));
    },
  );

  it('ends with the level', { timeout: 60_000 }, async () => {
    expectQuoted(blocks('Claim the level', 'text')[0] ?? '', await kit(EXAMPLE, '--level', 'payments-h2h'));
  });

  it('shows the code of the example', async () => {
    const files = globSync('*.{py,js}', { cwd: EXAMPLE }).map((file) => readFile(join(EXAMPLE, file), 'utf8'));
    const code = (await Promise.all(files)).join('\n');
    const [, ...later] = HEADINGS.flatMap((heading) => [...blocks(heading, 'python'), ...blocks(heading, 'js')]);
    expect(later.length).toBeGreaterThan(6);
    expect(later.filter((block) => !code.includes(block))).toEqual([]);
  });
});
