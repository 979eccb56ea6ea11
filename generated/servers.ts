// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

/** Addresses of the service, with the prefix of the keys for each. */
export const servers = [
  {
    "url": "https://api.test.gateway.example",
    "keyPrefix": "sk_test_"
  },
  {
    "url": "https://api.gateway.example",
    "keyPrefix": "sk_live_"
  }
] as const;
