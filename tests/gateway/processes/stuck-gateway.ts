/** A gateway whose channel never responds: it claims work and keeps it. It prints what it holds. */

import type { AddressInfo } from 'node:net';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createGateway } from '../../../gateway/src/gateway.ts';
import { openPostgres } from '../../../gateway/src/store/engine/postgres/postgres-store.ts';
import { everyChannel } from '../harness/channels.ts';

const gateway = await createGateway({
  store: openPostgres(process.env['DATABASE_URL'] ?? ''),
  publicUrl: () => 'http://localhost:4000',
  methods: sandboxMethods,
  channels: everyChannel({
    initiate(payment) {
      console.log(payment.id);
      return new Promise(() => undefined);
    },
    clarify(_payment, items) {
      console.log(JSON.stringify(items));
      return new Promise(() => undefined);
    },
  }),
});
await gateway.listen({ host: '127.0.0.1', port: 0 });
console.log(`http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`);
