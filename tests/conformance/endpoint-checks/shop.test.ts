import { expect, it } from 'vitest';
import { verifyReceiver } from '../../../conformance/src/endpoint-checks/verify.ts';
import { startShop } from '../../client/examples/running-shop.ts';

it("the client's example shop passes", async () => {
  const { url, secret } = await startShop();
  const results = await verifyReceiver({ url: `${url}/webhooks/payments`, secret });
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
});
