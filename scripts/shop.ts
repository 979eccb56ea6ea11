/** `npm run shop`: the example shop of client/examples, against a gateway that runs already. */
import type { AddressInfo } from 'node:net';
import { CommandLine, parseNumber, parsePort, runCommand, stopSignal, UserError } from '../contract/src/cli.ts';
import { findMethod, sandboxMethods } from '../gateway/src/domain/methods.ts';
import { importPackagesFromSource } from './tools/packages.ts';

/** Not a secret: the demo merchant of `npm start` has it everywhere. */
const DEMO_KEY = 'sk_test_demo_0123456789abcdefghijklmnopqrstuv';
const OWN_GATEWAY = 'http://localhost:4000';
const HOST = '127.0.0.1';
const NO_SECRET = `WEBHOOK_SECRET is not set. npm start prints it as 'signing secret'. Run: WEBHOOK_SECRET=whsec_… npm run shop`;

const command = new CommandLine('npm run shop --')
  .description('Start the example shop: host-to-host and redirect payments, webhooks, payouts.')
  .option('--port <port>', 'Port to listen on. 0 selects a free port.', parsePort, 4030)
  .option('--url <url>', 'Base URL of the payments API.', OWN_GATEWAY)
  .option(
    '--validity <minutes>',
    "Time to pay, for the countdown, since the API doesn't state it. Known for this repo's gateway only.",
    parseNumber({ max: 60 * 24 }),
  )
  .addHelpText(
    'after',
    `
Environment: WEBHOOK_SECRET verifies webhooks (npm start prints it). API_KEY defaults to the key of the demo merchant.
The shop listens on loopback, so only a gateway on this machine can send it webhooks. Stop it with Ctrl+C.`,
  )
  .handle(async ({ port, url, validity }: { port: number; url: string; validity?: number }) => {
    const known = url === OWN_GATEWAY ? findMethod(sandboxMethods, 'payment', 'UPI_IN')?.validityMs : undefined;
    await startShop(port, url, validity ? validity * 60_000 : known);
    return 0;
  });

process.exitCode = await runCommand(command);

async function startShop(port: number, gateway: string, validityMs: number | undefined): Promise<void> {
  const { API_KEY: apiKey = DEMO_KEY, WEBHOOK_SECRET: signingSecret } = process.env;
  if (!signingSecret) throw new UserError(NO_SECRET);
  await checkGateway(gateway, apiKey);

  importPackagesFromSource();
  const { createShop } = await import('../client/examples/shop/shop.ts');
  const address = () => `http://${HOST}:${(shop.server.address() as AddressInfo).port}`;
  const shop = createShop({ gateway, apiKey, signingSecret, address, validityMs });
  await shop.listen({ host: HOST, port }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new UserError(`Port ${port} is already in use. Choose another with --port.`)
      : error;
  });
  console.log(`shop     ${address()}\nadmin    ${address()}/admin\ngateway  ${gateway}`);
  await stopSignal();
  await shop.close();
}

/** Throws a UserError with the next step when there is no gateway, or when it does not know the key. */
async function checkGateway(gateway: string, apiKey: string): Promise<void> {
  if (!/^https?:$/.test(URL.parse(gateway)?.protocol ?? '')) {
    throw new UserError(`--url is '${gateway}'. It must be a URL such as http://localhost:4000.`, 2);
  }
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${gateway}/merchant/balance`, { headers, signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  if (!response) throw new UserError(`No gateway responds at ${gateway}. Start one with npm start.`);
  if (response.status === 401)
    throw new UserError(`${gateway} doesn't know the API key. Set API_KEY to one of its keys.`);
  if (!response.ok)
    throw new UserError(
      `${gateway}/merchant/balance responds with ${response.status}. Check that --url is the payments API.`,
    );
}
