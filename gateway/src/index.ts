/** The gateway as a library, for tests. */
export { type MerchantAccess, type RunningGateway, type StartGatewayOptions, startGateway } from './start-gateway.ts';
