/** A gateway on loopback, with the demo merchant of `npm start`. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Demo, demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { createGateway, type NetworkOptions } from '../../../gateway/src/server.ts';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';

export interface ListeningGateway extends Demo {
  readonly baseUrl: string;
}

/** Starts it, and stops it after the test. */
export async function listenGateway(network: Partial<NetworkOptions> = {}): Promise<ListeningGateway> {
  const store = openSqlite(join(await temporaryFolder(), 'gateway.db'));
  const baseUrl = () => `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  const gateway = await createGateway({
    store,
    network,
    publicUrl: baseUrl,
    callbackAllow: ['127.0.0.0/8'],
    keyPolicy: { demo: true },
  });
  afterwards(() => gateway.close());
  const demo = await demoMerchant(store);
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  return { ...demo, baseUrl: baseUrl() };
}
