/** The checks that count for the current version of the contract. The files of earlier versions stay unchanged. */
import { loadContract } from '../../conformance/src/document/contract.ts';
import { currentRequirements } from '../../conformance/src/run/rules.ts';
import type { Bundle } from '../../contract/src/model.ts';

export function requirementsArtifact(bundle: Bundle): { file: string; content: string } {
  const requirements = currentRequirements(loadContract(bundle));
  return {
    file: `conformance/requirements/${requirements.contract}.json`,
    content: `${JSON.stringify(requirements, null, 2)}\n`,
  };
}
