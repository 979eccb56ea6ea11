/** The steps of the tutorial: the example server as it is before each, and what the kit is asked for then. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/tools/process.ts';
import { temporaryFolder } from '../tools/temporary.ts';

export const EXAMPLE = join(ROOT, 'conformance/examples/python');
export const TUTORIAL = join(ROOT, 'docs/tutorial-conforming-server.md');

/** A part of a file, and what is there while the step has not been taken. */
type Lack = readonly [file: string, present: string, absent: string];

export interface Step {
  /** Of the tutorial's section that takes it. The section before it quotes what the kit says then. */
  readonly heading: string;
  readonly lacks: Lack;
  /** Checks that the run is limited to, to keep it short. */
  readonly only: readonly string[];
}

export const STEPS: readonly Step[] = [
  {
    heading: 'Move payments on',
    lacks: ['payments.py', 'self._schedule.after(BANK_SECONDS, self._begin, payment)', 'pass'],
    only: ['replay/confirmPayment'],
  },
  {
    heading: 'Refuse what is wrong',
    lacks: ['server.py', 'violations = list(BODIES[name](body, ""))', 'violations = []'],
    only: ['bad-input/createPayment/amount'],
  },
  {
    heading: 'Keep merchants apart',
    lacks: ['payments.py', 'if not payment or payment.merchant != merchant:', 'if not payment:'],
    only: ['isolation/getPayment'],
  },
  {
    heading: 'Recognize repeated requests',
    lacks: ['payments.py', 'known = self._by_order.get(order)', 'known = None'],
    only: ['repeat/payment/same'],
  },
  {
    heading: 'Credit the wallet',
    lacks: ['payments.py', 'self._wallets[payment.merchant] = ', '_ = '],
    only: ['money/payment/collected'],
  },
  {
    heading: 'Send webhooks',
    lacks: ['payments.py', 'self._webhooks.send(', '(lambda *_: None)('],
    only: ['webhook/arrives/paymentSucceeded'],
  },
];

/** A folder with the example as it is before the step: without it, and without those after it. */
export async function folderBefore(step: Step): Promise<string> {
  const folder = await temporaryFolder('tutorial');
  await cp(EXAMPLE, folder, { recursive: true });
  for (const { lacks } of STEPS.slice(STEPS.indexOf(step))) {
    const [name, present, absent] = lacks;
    const file = join(folder, name);
    const text = await readFile(file, 'utf8');
    if (!text.includes(present)) throw new Error(`${name} no longer has: ${present}`);
    await writeFile(file, text.replace(present, absent));
  }
  return folder;
}
