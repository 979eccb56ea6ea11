/** The config file of a gateway that moves money through the provider. Secrets come from the environment. */
import { contractMethods, defineGateway, withChannel } from 'payments-gateway';
import { httpChannel } from './http-channel.ts';

const bank = httpChannel({
  name: 'bank',
  url: required('PROVIDER_URL'),
  apiKey: required('PROVIDER_KEY'),
  notificationSecret: required('PROVIDER_SECRET'),
});

export default defineGateway({ methods: withChannel(contractMethods, bank.name), channels: [bank] });

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
