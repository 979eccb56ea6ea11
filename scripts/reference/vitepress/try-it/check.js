/** Validates a response with the contract's validators. */
import { responseBodies } from '../../../../contract/src/validators.ts';

/** The findings about a response; none if it matches the contract. */
export function findingsAbout(id, status, body) {
  const validator = responseBodies[id]?.[status];
  if (!validator) return [`The contract names no status ${status} for this operation.`];
  if (body === undefined) return ['The body is not JSON.'];
  if (validator(body)) return [];
  return validator.errors.map(({ instancePath, message }) => `${instancePath || 'The body'} ${message}`);
}
