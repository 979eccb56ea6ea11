import { expect, it } from 'vitest';
import { verifyReceiver } from '../../../conformance/src/endpoint-checks/verify.ts';
import { startShop } from '../../client/examples/running-shop.ts';
import { SECRET } from './servers.ts';

it("the client's example shop is acquitted", async () => {
  const { url } = await startShop({ secret: SECRET });
  const results = await verifyReceiver({ url: `${url}/webhooks`, secret: SECRET });
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
});
