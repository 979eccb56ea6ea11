/** A driver's requests end, so that the run does. */
import { expect, it } from 'vitest';
import { boundedDriver, type Driver } from '../../conformance/src/drivers/driver.ts';

const ACCESS = { baseUrl: 'http://127.0.0.1:1', key: 'sk_test_1', fetch };

/** An instance of a class, with members that only its own methods reach. */
class Own implements Driver {
  readonly name = 'own';
  readonly #amount = 7;
  payment = () => undefined;
  payout() {
    return { amount: this.#amount };
  }
  items() {
    return {};
  }
  async disturb(operation: string, status: number) {
    return `${operation} ${status} ${this.#amount}`;
  }
  pay(): Promise<void> {
    return new Promise(() => {});
  }
}

it('rejects when a request does not end, and says which', async () => {
  await expect(boundedDriver(new Own(), 20).pay?.('http://page', ACCESS)).rejects.toThrow(
    "`pay` didn't end within 0.12 s",
  );
});

it('rejects when a request fails at once, and accepts a function without a promise', async () => {
  const driver = { name: 'own', payment() {}, payout() {}, items: () => ({}), move: () => undefined };
  const failing = { ...driver, move: () => JSON.parse('{') };
  const move = ({ move: own }: object & { move: unknown }) =>
    boundedDriver({ ...driver, move: own } as never, 20).move?.('payment', 'pay_1', { until: 'SUCCESS' }, ACCESS);
  await expect(move(driver)).resolves.toBeUndefined();
  await expect(move(failing)).rejects.toThrow(SyntaxError);
});

it('keeps all other members, and adds none', async () => {
  const driver = boundedDriver(new Own(), 20);
  expect(driver.payout({ until: 'SUCCESS' })).toEqual({ amount: 7 });
  expect(await driver.disturb?.('getPayment', 503, ACCESS)).toBe('getPayment 503 7');
  expect([driver.name, driver.move, driver.emptyWallet, driver.followsPrefer]).toEqual([
    'own',
    undefined,
    undefined,
    undefined,
  ]);
});
