/** The files of the gateway's own APIs: their documents, each as one file, with types and the validators of requests. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Bundle } from '../../contract/src/model.ts';
import { GATEWAY_APIS, type GatewayApi } from '../../gateway/src/http/gateway-apis.ts';
import { bundleApi } from '../tools/redocly.ts';
import { type Artifact, banner } from './artifact.ts';
import { completable } from './types/types.ts';
import { REQUEST_TABLES, validatorsArtifact } from './validators.ts';

export async function gatewayApiArtifacts(): Promise<Artifact[]> {
  return (await Promise.all(GATEWAY_APIS.map(listArtifacts))).flat();
}

async function listArtifacts(api: GatewayApi): Promise<Artifact[]> {
  const bundle = await bundleApi(api);
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
  // It changes descriptions of the document.
  const nodes = await openapiTS(structuredClone(bundle) as unknown as OpenAPI3, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    transform: (schema) => completable(schema as Bundle['components']['schemas'][string]),
  });
  return astToString(nodes).replaceAll(' (enum property replaced by openapi-typescript)', '');
}
