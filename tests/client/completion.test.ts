/** What an editor offers to somebody who types a call. */
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { openEnum, readBundle } from '../../scripts/contract/model.ts';
import { ROOT } from '../../scripts/tools/process.ts';

const FILE = join(ROOT, 'tests/client/completion.virtual.ts');
const HEAD = `import { createPaymentsClient, describeDecline } from '../../client/src/index.ts';
const client = createPaymentsClient({ baseUrl: 'http://service.test', apiKey: 'k' });
`;

/** The string completions at the mark of a program. */
function completions(program: string): string[] {
  const text = HEAD + program.replace('¦', '');
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const content = file === FILE ? text : ts.sys.readFile(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === FILE || ts.sys.fileExists(file),
    readFile: (file) => (file === FILE ? text : ts.sys.readFile(file)),
  };
  const at = HEAD.length + program.indexOf('¦');
  const found = ts.createLanguageService(host).getCompletionsAtPosition(FILE, at, {});
  return (found?.entries ?? []).map((entry) => entry.name);
}

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
  expect(completions(program)).toEqual(expect.arrayContaining(expected));
});
