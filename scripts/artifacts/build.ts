/** The generated files, one row each. */
import type { Bundle } from '../../contract/src/model.ts';
import { bundleApi } from '../tools/redocly.ts';
import { type Artifact, banner } from './artifact.ts';
import { asyncapiDocument } from './asyncapi.ts';
import { bundleContract } from './bundle.ts';
import { collectionArtifact } from './collection.ts';
import { configurationReference } from './configuration.ts';
import {
  currenciesArtifact,
  declineReasonsArtifact,
  methodsArtifact,
  serversArtifact,
  webhookHeadersArtifact,
} from './constants.ts';
import { exampleFactoriesArtifact } from './example-factories.ts';
import { exampleResponsesArtifact } from './example-responses.ts';
import { examplesArtifact } from './examples.ts';
import { gatewayApiArtifacts } from './gateway-api.ts';
import { generatorsDocument } from './generators-document.ts';
import { implementationsArtifacts } from './implementations.ts';
import { installationArtifacts } from './installation.ts';
import { requirementsArtifact } from './requirements.ts';
import { rolesArtifact } from './roles.ts';
import { movesArtifact, statusesArtifact } from './statuses.ts';
import { typesArtifact } from './types/types.ts';
import { validatorsArtifact } from './validators.ts';
import { webhookVectorsArtifact } from './webhook-vectors.ts';
import { webhooksArtifact } from './webhooks.ts';

const BUNDLE_FILE = 'generated/openapi.json';
const BANNER = banner('openapi/', 'the contract');

/** Makes every artifact in memory. */
export async function buildArtifacts(): Promise<Artifact[]> {
  const bundle = await bundleContract();
  const made = await listArtifacts(bundle);
  return [
    ...made,
    ...implementationsArtifacts(made.find(({ file }) => file === BUNDLE_FILE)?.content ?? ''),
    ...(await gatewayApiArtifacts()),
    { file: 'docs/configuration.md', content: configurationReference() },
    ...installationArtifacts(),
    rolesArtifact(await bundleApi('management')),
    requirementsArtifact(bundle),
  ];
}

/** The artifacts of a bundled document. JSON carries no banner, since it has no comments. */
export async function listArtifacts(bundle: Bundle): Promise<Artifact[]> {
  const [types, validators] = await Promise.all([typesArtifact(bundle), validatorsArtifact(bundle)]);
  const sources = [
    { file: 'types.ts', content: types },
    { file: 'currencies.ts', content: currenciesArtifact(bundle) },
    { file: 'decline-reasons.ts', content: declineReasonsArtifact(bundle) },
    { file: 'example-responses.ts', content: exampleResponsesArtifact(bundle) },
    { file: 'examples.ts', content: examplesArtifact(bundle) },
    { file: 'methods.ts', content: methodsArtifact(bundle) },
    { file: 'servers.ts', content: serversArtifact(bundle) },
    { file: 'statuses.ts', content: statusesArtifact(bundle) },
    { file: 'moves.ts', content: movesArtifact(bundle) },
    { file: 'example-factories.ts', content: exampleFactoriesArtifact(bundle) },
    { file: 'webhook-headers.ts', content: webhookHeadersArtifact(bundle) },
    { file: 'webhooks.ts', content: webhooksArtifact(bundle) },
    { file: 'validators.js', content: validators.code },
    { file: 'validators.d.ts', content: validators.types },
  ];
  return [
    { file: BUNDLE_FILE, content: `${JSON.stringify(bundle, null, 2)}\n` },
    { file: 'generated/openapi-generators.json', content: `${JSON.stringify(generatorsDocument(bundle))}\n` },
    { file: 'generated/asyncapi.json', content: `${JSON.stringify(asyncapiDocument(bundle), null, 2)}\n` },
    { file: 'generated/postman-collection.json', content: collectionArtifact(bundle) },
    { file: 'generated/webhook-vectors.json', content: webhookVectorsArtifact(bundle) },
    ...sources.map(({ file, content }) => ({ file: `generated/${file}`, content: `${BANNER}\n${content}` })),
  ];
}
