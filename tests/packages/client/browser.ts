/** The client in a page: bundled by Vite, and run by a real browser. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'vite';
import { responseExamples, webhookExamples } from '../../../generated/examples.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { writeFiles } from '../../tools/temporary.ts';

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
/** The page's title when everything works. */
export const PAGE_TITLE = `true ${responseExamples.getBalance[200]['new-merchant'].merchant_id} payment SUCCESS ₹499.00`;

/** Bundles the page's program inside the project with the installed client. */
export async function bundlePage(project: string): Promise<string> {
  const root = join(project, 'page');
  await writeFiles(root, {
    'main.js': PAGE.replace('EVENT', JSON.stringify(webhookExamples.paymentSucceeded.succeeded)),
    'index.html': '<script type="module" src="/main.js"></script>',
  });
  const built = await build({ root, configFile: false, logLevel: 'error', build: { write: false, target: 'es2022' } });
  const outputs = 'output' in built ? built.output : [];
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('\n');
}

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

function html(program: string): string {
  return `<!doctype html><title>waiting</title><script type="module">${program.replaceAll('</script', '<\\/script')}</script>`;
}
