/** The `Operations` type: what clients send and receive, independent of any generator's or client's own form. */
import {
  type Bundle,
  componentName,
  type Operation,
  operations,
  type Parameter,
  resolve,
  type Schema,
  successes,
} from '../../../contract/src/model.ts';

/** Indexed by method and path, as clients look them up. Looked-up types keep their names in compiler errors. */
export function operationTypes(bundle: Bundle): string {
  const error = problemName(bundle);
  const methods = Object.entries(Object.groupBy(operations(bundle), ({ method }) => method.toUpperCase()));
  const members = methods.map(([method, called = []]) => {
    const paths = called.map((operation) => `${comment(operation)}\n${operationType(operation, error)}`);
    return `    ${method}: {\n${paths.join('\n')}\n    };`;
  });
  return [
    '/** Requests and responses of each operation, by method and path. `error` is the body of every status but a success. */',
    `export interface Operations {\n${members.join('\n')}\n}`,
    '',
  ].join('\n');
}

function operationType(operation: Operation, error: string): string {
  const { path, request } = operation;
  const places = ['path', 'query'].flatMap((place) => {
    const type = parametersType(operation, place);
    return type ? [`${place}: ${type}`] : [];
  });
  const data = [...new Set(successes(operation).flatMap(({ body }) => (body ? [formatType(body.schema)] : [])))].join(
    ' | ',
  );
  const members = [
    ...(places.length > 0 ? [`params: { ${places.join('; ')} };`] : []),
    ...(request ? [`body: ${formatType(request.schema)};`] : []),
    `data: ${data};`,
    `error: ${error};`,
  ];
  return `        ${JSON.stringify(path)}: {\n${members.map((line) => `            ${line}`).join('\n')}\n        };`;
}

/** If exactly one of several parameters is required, a union with a member for each. */
function parametersType({ parameters, exactlyOneOf }: Operation, place: string): string {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return '';
  if (!here.some(({ name }) => exactlyOneOf.includes(name))) return `{ ${here.map(parameterType).join('; ')} }`;
  const choices = exactlyOneOf.map((chosen) => {
    const members = here.map((parameter) => {
      if (parameter.name === chosen) return parameterType({ ...parameter, required: true });
      return exactlyOneOf.includes(parameter.name) ? `${parameter.name}?: undefined` : parameterType(parameter);
    });
    return `{ ${members.join('; ')} }`;
  });
  return choices.join(' | ');
}

function parameterType({ name, required, schema }: Parameter): string {
  return required ? `${name}: ${formatType(schema)}` : `${name}?: ${formatType(schema)} | undefined`;
}

function formatType(schema: Schema): string {
  if (schema.$ref) return componentName(schema.$ref);
  if (schema.type === 'string') return 'string';
  throw new Error(`A parameter or body has the inline schema ${JSON.stringify(schema)}. Move it to openapi/components`);
}

function comment({ id, summary, description }: Operation): string {
  const lines = [`${summary} (${id}).`, ...description.trim().split('\n')];
  return `        /**\n${lines.map((line) => `         * ${line}`).join('\n')}\n         */`;
}

/** The schema of unlisted statuses, which every listed problem also fits. */
function problemName(bundle: Bundle): string {
  const names = Object.values(bundle.paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses: { default: other } }) => {
      const content = other && resolve(bundle, other).content;
      return Object.values(content ?? {}).map(({ schema }) => componentName(schema.$ref ?? ''));
    }),
  );
  const [name, ...others] = new Set(names);
  if (!name || others.length > 0) throw new Error('Every operation needs the same schema in its default response');
  return name;
}
