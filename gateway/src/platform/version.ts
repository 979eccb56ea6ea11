/** The version of this build. */
import gatewayPackage from '../../package.json' with { type: 'json' };

/**
 * The package's version with the revision as build metadata, such as `1.0.0+036ed5a1b2c3`, so that it distinguishes
 * builds. The package's build inserts the revision, and a clone sets the variable when it starts.
 */
export function gatewayVersion(): string {
  const revision = process.env['PAYMENTS_REVISION'];
  return revision ? `${gatewayPackage.version}+${revision}` : gatewayPackage.version;
}
