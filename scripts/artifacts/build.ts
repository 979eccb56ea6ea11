/** The generated files, one row each. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../../conformance/src/document/contract.ts';
import { currentRequirements } from '../../conformance/src/run/rules.ts';
import { table } from '../../contract/src/markdown.ts';
import type { Bundle, RawOperation } from '../../contract/src/model.ts';
import { deriveDocument } from '../../gateway/src/http/gateway-apis.ts';
import { ROOT } from '../tools/process.ts';
import { bundleApi } from '../tools/redocly.ts';
import { type Artifact, banner } from './artifact.ts';
import { asyncapiDocument } from './asyncapi.ts';
import { collectionArtifact } from './collection.ts';
import { configurationReference } from './configuration.ts';
import {
  currenciesArtifact,
  declineReasonsArtifact,
  methodsArtifact,
  serversArtifact,
  webhookHeadersArtifact,
} from './constants.ts';
import { exampleFactoriesArtifact, exampleResponsesArtifact, examplesArtifact } from './examples.ts';
import { gatewayApiArtifacts } from './gateway-api.ts';
import { generatorsDocument } from './generators-document.ts';
import { implementationsArtifacts } from './implementations.ts';
import { installationArtifacts } from './installation.ts';
import { expandIntroduction } from './introduction.ts';
import { addSamples } from './samples/samples.ts';
import { movesArtifact, statusesArtifact } from './statuses.ts';
import { typesArtifact } from './types/types.ts';
import { validatorsArtifact } from './validators.ts';
import { webhooksArtifact, webhookVectorsArtifact } from './webhooks.ts';

const BUNDLE_FILE = 'generated/openapi.json';
const BANNER = banner('openapi/', 'the contract');

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

/**
 * openapi/ → one document. Redocly resolves the files and stamps the brand (see openapi/lint/plugin.ts). The introduction
 * gets its tables and diagrams from the document's own data, and the operations get code samples. Throws with Redocly's own
 * words when the document does not resolve.
 */
async function bundleContract(): Promise<Bundle> {
  const bundle = await bundleApi('payments');
  // A webhook and a callback are one file. operationIds must be unique, and the webhook keeps it.
  const operations = Object.values(bundle.paths).flatMap((item) => Object.values(item));
  const callbacks = operations.flatMap(({ callbacks: all = {} }) =>
    Object.values(all).flatMap(Object.values<Callback>),
  );
  for (const { post } of callbacks) delete post.operationId;
  bundle.info.description = expandIntroduction(bundle);
  addSamples(bundle);
  return bundle;
}

type Callback = { post: RawOperation };

const ROLES_FILE = 'docs/operations/daily-work.md';
const ROLES_SECTION = /(<!-- begin roles -->\n)[\s\S]*?(<!-- end roles -->)/;

/** The document with its table of roles: the operations of the management API that each role adds. */
function rolesArtifact(bundle: Bundle): Artifact {
  const { operations, access } = deriveDocument(bundle);
  const roles = (bundle.components.schemas['Role']?.enum ?? []) as string[];
  const rows = roles.map((role) => {
    const summaries = operations.filter(({ id }) => access.get(id)?.role === role).map(({ summary }) => summary);
    return [`\`${role}\``, summaries.join(', ')];
  });
  const section = table(['Role', 'Operations that it adds'], rows);
  const content = readFileSync(join(ROOT, ROLES_FILE), 'utf8').replace(ROLES_SECTION, `$1${section}\n$2`);
  return { file: ROLES_FILE, content };
}

/** The checks that count for the current version of the contract. The files of earlier versions stay unchanged. */
function requirementsArtifact(bundle: Bundle): Artifact {
  const requirements = currentRequirements(loadContract(bundle));
  const file = `conformance/requirements/${requirements.contract}.json`;
  return { file, content: `${JSON.stringify(requirements, null, 2)}\n` };
}
