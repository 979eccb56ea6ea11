/** The client in a page: bundled by esbuild and by Vite, and run by a real browser. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { responseExamples, webhookExamples } from '../../../generated/examples.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';

/** The page's script: a call with a retry, one to another origin, and an event signed and verified. */
const PAGE = `
import { createPaymentsClient, formatMoney } from 'payments-client';
import { signWebhook, verifyWebhook } from 'payments-client/webhooks';
const client = createPaymentsClient({ baseUrl: '/', auth: {}, retry: { pauseMs: 1 } });
const { data } = await client.GET('/merchant/balance');
const secret = 'whsec_' + btoa('0123456789abcdef');
const event = await verifyWebhook({ ...(await signWebhook({ body: EVENT, secret })), secret });
const other = createPaymentsClient({ baseUrl: 'http://127.0.0.1:1', auth: {}, retry: { attempts: 1 } });
const refused = await other.GET('/merchant/balance').catch(({ message }) => message);
document.title = [refused.includes('set CORS_ORIGINS=' + location.origin), data.merchant_id, event.kind, event.status, formatMoney(event.data.amount, 'INR', { locale: 'en-IN' })].join(' ');
`;
const EXPECTED = `true ${responseExamples.getBalance[200]['new-merchant'].merchant_id} payment SUCCESS ₹499.00`;

/** Bundles the page's program inside the project with the installed client. */
export const BUNDLERS: Record<string, (project: string) => Promise<string>> = {
  async esbuild(project) {
    const { outputFiles } = await esbuild({
      stdin: { contents: source(), resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'error',
    });
    return outputFiles[0]?.text ?? '';
  },
  async Vite(project) {
    const folder = join(project, 'page');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'main.js'), source());
    await writeFile(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>');
    const built = await vite({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'es2022' },
    });
    const outputs = 'output' in built ? built.output : [];
    return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('\n');
  },
};

/** Serves a page with the program, and the API on the same origin, whose first response is 503. */
export async function servePage(program: string): Promise<string> {
  let calls = 0;
  const server = createServer((request, response) => {
    const [status, type, body]: [number, string, string] =
      request.url === '/'
        ? [200, 'text/html', html(program)]
        : request.url !== '/merchant/balance'
          ? [204, 'text/plain', '']
          : calls++ === 0
            ? [503, 'text/plain', 'not now']
            : [200, 'application/json', JSON.stringify(responseExamples.getBalance[200]['new-merchant'])];
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const { url, close } = await listenOnLoopback(server);
  afterwards(close);
  return `${url}/`;
}

/** The page's title when everything works. */
export { EXPECTED as PAGE_TITLE };

function source(): string {
  return PAGE.replace('EVENT', JSON.stringify(webhookExamples.paymentSucceeded.succeeded));
}

function html(program: string): string {
  return `<!doctype html><title>waiting</title><script type="module">${program.replaceAll('</script', '<\\/script')}</script>`;
}
