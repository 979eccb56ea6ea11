/** Files made from the document of one of the gateway's own APIs: the document as one file, its types, and the validators of its requests. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Bundle } from '../../contract/src/model.ts';
import type { GatewayApi } from '../../gateway/src/http/gateway-apis.ts';
import { type Artifact, banner } from './artifact.ts';
import { completable } from './types/types.ts';
import { REQUEST_TABLES, validatorsArtifact } from './validators.ts';

/** The files of an API, from its bundled document. */
export async function gatewayApiArtifacts(api: GatewayApi, bundle: Bundle): Promise<Artifact[]> {
  const folder = `generated/${api}`;
  const [types, validators] = await Promise.all([generateTypes(bundle), validatorsArtifact(bundle, REQUEST_TABLES)]);
  const sources = { 'types.ts': types, 'validators.js': validators.code, 'validators.d.ts': validators.types };
  const begin = banner(`gateway/${api}/`, 'its document');
  return [
    { file: `${folder}/${api}.json`, content: `${JSON.stringify(bundle, null, 2)}\n` },
    ...Object.entries(sources).map(([file, content]) => ({
      file: `${folder}/${file}`,
      content: `${begin}\n${content}`,
    })),
  ];
}

async function generateTypes(bundle: Bundle): Promise<string> {
  const nodes = await openapiTS(bundle as unknown as OpenAPI3, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    transform: (schema) => completable(schema as Bundle['components']['schemas'][string]),
  });
  return astToString(nodes);
}
