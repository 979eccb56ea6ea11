/** Code samples for each operation, made from the contract's own examples. */
import {
  type Bundle,
  type CodeSample,
  type Operation,
  operations,
  type RequestExample,
} from '../../../contract/src/model.ts';
import { sampleCall } from './call.ts';
import { curlSample, pythonSample, typescriptSample } from './languages.ts';
import { templateSamples } from './templates.ts';

/** The samples of an operation, for its first named request by default. */
export function operationSamples(bundle: Bundle, operation: Operation, request?: RequestExample): CodeSample[] {
  const call = sampleCall(bundle, operation, request);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(call) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(call) },
    { lang: 'Python', label: 'Python', source: pythonSample(call) },
  ];
}

/** The samples of pages: the document's, and further languages. */
export function pageSamples(bundle: Bundle, operation: Operation, request?: RequestExample): CodeSample[] {
  const further = templateSamples(sampleCall(bundle, operation, request));
  return [
    ...operationSamples(bundle, operation, request),
    ...further.map(({ label, language, source }) => ({ lang: language, label, source })),
  ];
}

export function addSamples(bundle: Bundle): void {
  for (const operation of operations(bundle)) {
    const raw = bundle.paths[operation.path]?.[operation.method];
    if (!raw) throw new Error(`${operation.id} is not at its path`);
    raw['x-codeSamples'] = operationSamples(bundle, operation);
  }
}
