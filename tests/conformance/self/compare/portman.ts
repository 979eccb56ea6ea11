/** Portman: turns the document into a Postman collection with tests and mistakes in the requests, and runs it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../../scripts/tools/process.ts';
import type { Prepared } from './prepare.ts';
import type { Tool } from './tool.ts';

const PORTMAN = 'node_modules/@apideck/portman/bin/portman';
const NEWMAN = 'node_modules/newman/bin/newman.js';
const EVERY = '*::/*';
const CREATIONS = ['POST::/payments', 'POST::/payouts'];
const CONTRACT_TESTS = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'];
const FUZZES = [
  ...['requiredFields', 'minimumNumberFields', 'maximumNumberFields', 'minLengthFields', 'maxLengthFields'],
];
const ENABLED = { enabled: true };

interface Report {
  readonly run: {
    readonly failures: readonly {
      readonly error: { readonly test?: string; readonly name: string };
      readonly source?: { readonly name: string };
    }[];
  };
}

export const portman: Tool = {
  title: 'Portman',
  // It needs tslib, and doesn't depend on it.
  packages: ['@apideck/portman@1.33.0', 'tslib@2.8.1'],
  async start(installed) {
    return {
      async examine({ url, sound, prepared, folder }) {
        const [document, config, collection, report] = ['openapi', 'portman', 'collection', 'report'].map((name) =>
          join(folder, `${name}.json`),
        ) as [string, string, string, string];
        await writeFile(document, JSON.stringify(prepared.document));
        await writeFile(config, JSON.stringify(configFor(prepared, sound.key)));
        const convert = ['-l', document, '-b', url, '-c', config, '-o', collection];
        const converted = await run(process.execPath, [join(installed, PORTMAN), ...convert], {
          ...{ allowFailure: true, cwd: folder },
        });
        // Portman would end Newman's run at the first failure.
        const { code } = await run(
          process.execPath,
          [join(installed, NEWMAN), 'run', collection, '--reporters', 'json', '--reporter-json-export', report],
          { allowFailure: true, cwd: folder },
        );
        const text = await readFile(report, 'utf8').catch(() => undefined);
        if (text === undefined) return [`exit code ${code}: ${converted.stdout.trim().split('\n').at(-1)}`];
        const { failures } = (JSON.parse(text) as Report).run;
        return failures.map(({ error, source }) => `${source?.name}: ${error.test ?? error.name}`);
      },
      close: async () => {},
    };
  },
};

function configFor({ parameters }: Prepared, key: string): object {
  const idOf = (operation: string, name: string) => ({ key: name, value: parameters[`${operation} ${name}`] });
  const inPath = (target: string, operation: string, name: string) => ({
    openApiOperation: target,
    overwriteRequestPathVariables: [{ ...idOf(operation, name), overwrite: true }],
  });
  return {
    version: 1,
    tests: {
      contractTests: CONTRACT_TESTS.map((name) => ({ openApiOperation: EVERY, [name]: ENABLED })),
      variationTests: CREATIONS.map((target) => ({
        ...{ openApiOperation: target, openApiResponse: '400' },
        variations: [
          {
            name: 'bad input',
            fuzzing: [{ requestBody: FUZZES.map((name) => ({ [name]: ENABLED })) }],
            tests: { contractTests: [{ statusCode: { ...ENABLED, code: 400 } }, { schemaValidation: ENABLED }] },
          },
        ],
      })),
    },
    overwrites: [
      {
        openApiOperation: 'GET::/payments',
        overwriteRequestQueryParams: [
          { ...idOf('findPayment', 'transaction_id'), overwrite: true },
          { key: 'merchant_order_id', disable: true },
        ],
      },
      inPath('GET::/payments/{transaction_id}', 'getPayment', 'transaction_id'),
      inPath('POST::/payments/{transaction_id}/clarify', 'clarifyPayment', 'transaction_id'),
      inPath('POST::/payments/{transaction_id}/confirm', 'confirmPayment', 'transaction_id'),
      inPath('GET::/payouts/{payout_id}', 'getPayout', 'payout_id'),
    ],
    globals: { securityOverwrites: { bearer: { token: key } } },
  };
}
