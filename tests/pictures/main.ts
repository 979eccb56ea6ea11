/** `npm run pictures`: takes the documents' screenshots. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { CommandLine, runCommand, UserError } from '../../contract/src/cli.ts';
import { type RunningGateway, startGateway } from '../../gateway/src/server.ts';
import { requestExamples } from '../../generated/examples.ts';
import { serveSite } from '../../scripts/reference/serve-site.ts';
import { buildSite, SITE } from '../../scripts/reference/site.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { sendTaken } from '../load/client.ts';
import { launchBrowser, openPage } from '../tools/browser.ts';

const FOLDER = join(ROOT, 'docs/pictures');
/** Size limit, because every reader of the repository and the documents loads them. */
const BYTES_MAX = 150_000;
const VIEW = { viewport: { width: 1200, height: 640 }, colorScheme: 'light', reducedMotion: 'reduce' } as const;
/** Later than the machine's time, since a merchant's clock never goes back. */
const NOW = new Date('2031-03-03T09:00:00Z');

const PICTURES: Readonly<Record<string, (browser: Browser) => Promise<Buffer>>> = {
  'console-overview.png': (browser) => inConsole(browser, async (page) => shot(page)),
  'console-timeline.png': (browser) =>
    inConsole(browser, async (page, gateway, id) => {
      await page.goto(`${gateway.url}/console#/payments/${id}`);
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      return shot(page);
    }),
  'reference.png': takeReference,
  'conformance.png': takeReport,
};

const command = new CommandLine('npm run pictures --')
  .description(
    `Take the pictures of the documents and write them to docs/pictures: ${Object.keys(PICTURES).join(', ')}.`,
  )
  .handle(async () => {
    await mkdir(FOLDER, { recursive: true });
    const browser = await launchBrowser();
    try {
      for (const [name, take] of Object.entries(PICTURES)) {
        const picture = await take(browser);
        if (picture.length > BYTES_MAX)
          throw new UserError(`${name} has ${picture.length} bytes, more than ${BYTES_MAX}.`);
        await writeFile(join(FOLDER, name), picture);
        console.log(`docs/pictures/${name}  ${Math.round(picture.length / 1000)} kB`);
      }
    } finally {
      await browser.close();
    }
    return 0;
  });

process.exitCode = await runCommand(command);

/** A shop's day with a frozen clock: successful payments, a declined one, a waiting one, and a payout. */
async function inConsole(
  browser: Browser,
  take: (page: Page, gateway: RunningGateway, id: string) => Promise<Buffer>,
): Promise<Buffer> {
  const gateway = await startGateway({ seed: 'pictures' });
  try {
    await gateway.clock.freeze(NOW);
    for (const [currency, amount] of Object.entries({ INR: 25_000_000, EGP: 4_000_000 }))
      await gateway.wallets.fund(currency as 'INR', amount);
    const [id = ''] = [await pay(gateway, 1), await pay(gateway, 2, 125_000), await pay(gateway, 3, 75_000)];
    await post(gateway, '/payments', createRequest(gateway, 4, 'decline-LIMIT_EXCEEDED'));
    await post(gateway, '/payments', createRequest(gateway, 5, 'manual'));
    const { body } = requestExamples.createPayout['imps-inr'];
    await post(gateway, '/payouts', { ...body, callback_url: gateway.webhooks.url });
    await gateway.clock.advance('1m');
    const { url } = await post(gateway, '/sandbox/console-links');
    const { page } = await openPage(browser, url ?? '', VIEW);
    await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
    const picture = await take(page, gateway, id);
    await page.context().close();
    return picture;
  } finally {
    await gateway.close();
  }
}

/** Takes a payment to SUCCESS, minute by minute, and returns its id. */
async function pay(gateway: RunningGateway, order: number, amount?: number): Promise<string> {
  const created = await post(gateway, '/payments', createRequest(gateway, order, `customer-${order}`, amount));
  const id = created['transaction_id'] ?? '';
  await gateway.webhooks.next('PAY_CONFIRMATION_NEEDED');
  await gateway.clock.advance('1m');
  const { confirm_data } = requestExamples.confirmPayment['tid-and-amount'].body;
  const confirmation = { ...confirm_data, amount: String(amount ?? created['amount']) };
  await post(gateway, `/payments/${id}/confirm`, { confirm_data: confirmation });
  await gateway.webhooks.next('SUCCESS');
  await gateway.clock.advance('1m');
  return id;
}

function createRequest({ webhooks }: RunningGateway, order: number, customer: string, amount?: number): object {
  const { body } = requestExamples.createPayment['h2h-upi'];
  return {
    ...body,
    ...(amount !== undefined && { amount }),
    merchant_order_id: `order-${1000 + order}`,
    customer: { ...body.customer, id: customer },
    callback_url: webhooks.url,
  };
}

function post(gateway: RunningGateway, path: string, body: object = {}): Promise<Record<string, string>> {
  return sendTaken(gateway, 'POST', path, body);
}

async function takeReference(browser: Browser): Promise<Buffer> {
  await buildSite();
  const site = await serveSite({ folder: SITE, port: 0 });
  const { page } = await openPage(browser, `${site.url}/docs/createPayment`, VIEW);
  await page.getByRole('button', { name: 'Search' }).waitFor();
  const picture = await shot(page);
  await page.context().close();
  await site.close();
  return picture;
}

/** The report on this repository's gateway, as `npm run conformance` has written it. */
async function takeReport(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage(VIEW);
  const file = join(ROOT, 'docs/conformance/index.html');
  await page.goto(pathToFileURL(file).href);
  const picture = await shot(page);
  await page.close();
  return picture;
}

/** Waits for all pending reads. */
async function shot(page: Page): Promise<Buffer> {
  await page.locator('main .loading').waitFor({ state: 'detached' });
  return page.screenshot({ animations: 'disabled' });
}
