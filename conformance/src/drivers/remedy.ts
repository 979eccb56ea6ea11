/** Next steps for a reader whose service the driver could not bring into a state. */
import type { Driver } from './driver.ts';
import { gatewayDriver } from './gateway.ts';

const OWN_DRIVER = "if it isn't payments-gateway, write a driver for it: npx payments-conformance init";

/** The step. The driver for payments-gateway is right for that, and for no other service. */
export function driverRemedy(driver: Driver, step: string): string {
  return driver.name === gatewayDriver.name ? OWN_DRIVER : step;
}
