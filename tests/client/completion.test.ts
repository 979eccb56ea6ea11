/** Completions in an editor while a call is typed. */

import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { openEnum, readBundle } from '../../contract/src/model.ts';
import { ROOT } from '../../scripts/tools/process.ts';

const HEAD = `import { createPaymentsClient, describeDecline } from '../../client/src/index.ts';
const client = createPaymentsClient({ baseUrl: 'http://service.test', apiKey: 'k' });
`;

const known = (schema: string) => openEnum(readBundle().components.schemas[schema] ?? {})?.known ?? [];

it.each([
  [
    'paths',
    "client.GET('¦')",
    ['/payments', '/payments/{transaction_id}', '/merchant/balance', '/payouts/{payout_id}'],
  ],
  ['fields', 'client.POST("/payments", { body: { ¦ } })', ['amount', 'merchant_order_id', 'callback_url']],
  ['currencies', "client.POST('/payments', { body: { currency: '¦' } })", ['INR', 'EGP', 'MAD', 'DZD']],
  ['payment methods', "client.POST('/payments', { body: { payment_method_type: '¦' } })", known('PaymentMethodType')],
  ['payout methods', "client.POST('/payouts', { body: { payment_method_type: '¦' } })", known('PayoutMethodType')],
  ['levels of trust', "client.POST('/payments', { body: { customer: { kyc_level: '¦' } } })", known('KycLevel')],
  ['reasons of payments', "describeDecline('payment', '¦')", known('PaymentDeclineReason')],
  ['reasons of payouts', "describeDecline('payout', '¦')", known('PayoutDeclineReason')],
])('an editor offers the %s', (_name, program, expected) => {
  expect(expected.length).toBeGreaterThan(0);
  expect(completions('tests/client', HEAD + program)).toEqual(expect.arrayContaining(expected));
});

const MARK = '¦';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** The program being typed, by its file. All programs share one language service, which reads their imports once. */
const programs = new Map<string, { version: number; text: string }>();

const service = ts.createLanguageService({
  getScriptFileNames: () => [...programs.keys()],
  getScriptVersion: (name) => String(programs.get(name)?.version ?? 0),
  getScriptSnapshot: (name) => {
    const content = programs.get(name)?.text ?? ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => OPTIONS,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => programs.has(name) || ts.sys.fileExists(name),
  readFile: (name) => programs.get(name)?.text ?? ts.sys.readFile(name),
});

/** Completions at the mark `¦` of a program in this folder of the project. */
function completions(folder: string, program: string): string[] {
  const file = join(ROOT, folder, 'completion.virtual.ts');
  programs.set(file, { version: (programs.get(file)?.version ?? 0) + 1, text: program.replace(MARK, '') });
  const found = service.getCompletionsAtPosition(file, program.indexOf(MARK), {});
  return (found?.entries ?? []).map((entry) => entry.name);
}
