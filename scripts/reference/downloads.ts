/** The files for tools next to the pages, and the page that says what each is for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../contract/src/markdown.ts';
import type { Bundle } from '../../contract/src/model.ts';
import { ROOT } from '../tools/process.ts';
import type { Page } from './page.ts';
import { joined } from './pieces.ts';

/** The page's name. */
export const DOWNLOADS_PAGE = 'downloads';

const WORKFLOWS = join(ROOT, 'openapi/workflows');

/** Files of generated/ and their uses. */
const GENERATED: Readonly<Record<string, string>> = {
  'openapi-generators.json':
    'OpenAPI for code generators and agents: the same operations, schemas and examples without chapters, samples and extensions. Tested with orval, hey-api, kubb, swagger-typescript-api, openapi-typescript and openapi-zod-client.',
  'asyncapi.json': 'AsyncAPI: generate handlers or documentation of the webhooks.',
  'postman-collection.json': 'Postman collection: send each request by hand, in Postman, Bruno or Insomnia.',
  'webhook-vectors.json': 'Webhook vectors: test a receiver in any language with valid and invalid deliveries.',
  'types.ts': 'TypeScript types: use them without a package.',
};

/** Files that others write. */
const OTHERS: Readonly<Record<string, string>> = {
  'SKILL.md': 'Guide for coding agents: twelve steps with checks.',
  'changelog-feed.json': 'Feed of the changelog: subscribe to new versions.',
  'llms.txt': 'llms.txt: the index of the Markdown that each page is made from.',
};

export function downloadsPage(): Page {
  const workflows = listWorkflows().map((name) => `[${name}](${name})`);
  const uses = {
    'openapi.json':
      'OpenAPI, the whole contract: validate messages, or render documentation. Some code generators don’t support its version.',
    ...GENERATED,
    ...OTHERS,
  };
  const rows = Object.entries(uses).map(([name, use]) => [`[${name}](${name})`, use]);
  return {
    name: DOWNLOADS_PAGE,
    title: 'Downloads',
    summary: 'OpenAPI, AsyncAPI, Arazzo, Postman, webhook vectors and types',
    markdown: joined([
      'Each file is next to the pages.',
      table(
        ['File', 'What it is, and when to use it'],
        [...rows, [workflows.join(', '), 'Arazzo: run the walkthroughs against a service, with `redocly respect`.']],
      ),
    ]),
  };
}

/** The files by their names. */
export function downloadFiles(bundle: Bundle): Record<string, string> {
  const generated = Object.keys(GENERATED).map((name) => [name, readFileSync(join(ROOT, 'generated', name), 'utf8')]);
  const workflows = listWorkflows().map((name) => [
    name,
    readFileSync(join(WORKFLOWS, name), 'utf8').replace('url: ../openapi.yaml', 'url: openapi.json'),
  ]);
  return { 'openapi.json': JSON.stringify(bundle, null, 2), ...Object.fromEntries([...generated, ...workflows]) };
}

function listWorkflows(): string[] {
  return readdirSync(WORKFLOWS).filter((name) => name.endsWith('.arazzo.yaml'));
}
