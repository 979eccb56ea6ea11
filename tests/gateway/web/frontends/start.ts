import { startSandbox } from 'payments-gateway/sandbox';

const sandbox = await startSandbox();
const response = await sandbox.fetch('/merchant/balance', {
  headers: { authorization: `Bearer ${sandbox.key}` },
});
console.log(await response.json());
await sandbox.close();
