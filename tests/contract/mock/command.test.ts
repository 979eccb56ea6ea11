import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../../contract/src/mock/server.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';

const SCRIPT = join(ROOT, 'contract/src/main.ts');

function mock(...args: string[]) {
  return run(process.execPath, [SCRIPT, 'mock', ...args], { allowFailure: true });
}

describe('npm run mock', () => {
  test('reports a taken port and the fix in one line, and exits 1', async () => {
    const running = await startMock({ port: 0 });
    const { port } = new URL(running.url);
    const ran = await mock('--port', port);
    await running.close();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(
      `Port ${port} of 127.0.0.1 is taken. Choose another with --port, or stop what listens there.\n`,
    );
  });

  test('prints help with --help', async () => {
    const ran = await mock('--help');
    expect(ran.code).toBe(0);
    for (const option of ['--port <port>', '--host <host>', '--verbose', '--webhooks [hosts]'])
      expect(ran.stdout).toContain(option);
  });

  test.each([['--port', '70000'], ['--color']])('exits 2 when called with %s', async (...args) => {
    const ran = await mock(...args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('    at ');
  });

  test('logs each request if asked to, with escapes, and stops with exit code 0 on SIGTERM', async () => {
    const child = spawn(process.execPath, [SCRIPT, 'mock', '--port', '0', '--verbose'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    for await (const chunk of child.stdout) {
      const started = text.includes('Limits:');
      text += chunk;
      if (!started && text.includes('Limits:')) {
        const headers = { authorization: 'Bearer sk_test_any', 'content-type': 'application/json' };
        const body = JSON.stringify({ '\x1b[2J': 1 });
        void fetch(`${/http:\/\/[\d.:]+/.exec(text)?.[0]}/payments`, { method: 'POST', headers, body });
      }
      if (/POST \/payments 400[\s\S]*2J/.test(text)) child.kill('SIGTERM');
    }
    expect(await exit).toBe(0);
    expect(text).toContain('body /\\u001b[2J ');
  });
});
