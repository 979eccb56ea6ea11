/** The published gateway, in short: packed, installed and started. The other packages take `npm run test:long`. */
import { expect, it } from 'vitest';
import { expectPayment } from './gateway/payment.ts';
import { installTarball, packWorkspace } from './install.ts';

it('the packed gateway installs without a registry, starts in an empty folder and takes a payment', async () => {
  const packed = await packWorkspace('gateway');
  const needed = ['dist/assets/openapi.json', 'dist/payments-gateway.js', 'dist/THIRD-PARTY-LICENSES.txt'];
  expect(packed.files).toEqual(expect.arrayContaining(needed));
  await expectPayment(await installTarball('gateway', packed), process.execPath);
}, 300_000);
