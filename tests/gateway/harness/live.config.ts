/** The config file of live gateways: a channel, not marked as simulated, that never responds. */
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { defineGateway } from '../../../gateway/src/channels/definition.ts';
import { contractMethods, withChannel } from '../../../gateway/src/domain/methods.ts';

const unreachable = () => Promise.reject(new Error('the bank does not respond'));

export const BANK: Channel = {
  name: 'bank',
  sandbox: false,
  initiate: unreachable,
  clarify: unreachable,
  verify: unreachable,
  cancel: unreachable,
  payOut: unreachable,
  verifyPayout: unreachable,
};

export default defineGateway({ methods: withChannel(contractMethods, BANK.name), channels: [BANK] });
