/** The example's config file, with a validity and polling intervals short enough for a test. */
import { contractMethods, defineGateway, withChannel } from 'payments-gateway';
import { httpChannel } from '../../../gateway/examples/http-channel/http-channel.ts';

const { PROVIDER_URL = '', PROVIDER_KEY = '', PROVIDER_SECRET = '' } = process.env;
const VALIDITY_MS = 10_000;

export default defineGateway({
  methods: withChannel(contractMethods, 'bank').map((method) => ({ ...method, validityMs: VALIDITY_MS })),
  channels: [
    httpChannel({
      name: 'bank',
      url: PROVIDER_URL,
      apiKey: PROVIDER_KEY,
      notificationSecret: PROVIDER_SECRET,
      pollMs: 1_000,
    }),
  ],
});
