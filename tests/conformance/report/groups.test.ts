import { expect, it } from 'vitest';
import { ASSUMED, createExchange, createReport, finding, result, SPECIFIED, verification } from './synthetic.ts';

const listGroups = (...results: Parameters<typeof verification>[0]) => createReport(verification(results)).groups;

it('groups join the checks in which one cause was found', () => {
  const groups = listGroups(
    result('state/one', { findings: [finding({ at: 'body /balances/0/available', found: '"12"' })] }),
    result('state/two', { findings: [finding({ at: 'body /balances/3/available', found: '"7"' })] }),
  );
  expect(groups).toMatchObject([{ checks: ['state/one', 'state/two'], finding: { found: '"12"' } }]);
});

it('groups separate findings by place, clause and kind of value', () => {
  const other = { ...SPECIFIED, pointer: '/paths/~1payouts/post' };
  const groups = listGroups(
    result('state/one', { findings: [finding()] }),
    result('state/place', { findings: [finding({ at: 'body /amount' })] }),
    result('state/clause', { findings: [finding({ clause: other })] }),
    result('state/kind', { findings: [finding({ found: 'nothing' })] }),
  );
  expect(groups).toHaveLength(4);
});

it('groups join checks that one reason kept from being reached', () => {
  const unreached = (id: string, ms: number) =>
    result(id, { verdict: 'not reached', reason: `still CREATED after ${ms} ms`, remedy: 'use a driver' });
  const groups = listGroups(unreached('state/one', 100), unreached('state/two', 200));
  expect(groups).toMatchObject([
    { verdict: 'not reached', checks: ['state/one', 'state/two'], remedy: 'use a driver' },
  ]);
});

it('groups begin with the first thing to fix, such as the wrong response and not the wallet that follows from it', () => {
  const groups = listGroups(
    result('state/unreached', { verdict: 'not reached', reason: 'no driver', levels: ['payouts'] }),
    result('money/payment/collected', { findings: [finding({ at: 'body /balances' })] }),
    result('state/assumed', { findings: [finding({ clause: ASSUMED })] }),
    result('webhook/late', { findings: [finding({ at: 'webhook', found: 'nothing' })] }),
    result('state/shape', { findings: [finding({ at: 'body /id' })] }),
    result('replay/createPayment/h2h-upi', { findings: [finding({ at: 'status', found: '500' })] }),
    result('walk/optional', { verdict: 'not reached', reason: 'no walks' }),
  );
  expect(groups.map(({ checks }) => checks[0])).toEqual([
    'replay/createPayment/h2h-upi',
    'state/shape',
    'state/assumed',
    'state/unreached',
    'webhook/late',
    'money/payment/collected',
    'walk/optional',
  ]);
});

it('a group is shown by a replayed example, and by the exchange that came first', () => {
  const at = (number: number) => finding({ exchange: { ...createExchange({ status: 'NEW' }), number } });
  const [group] = listGroups(
    result('state/early', { findings: [at(1)] }),
    result('replay/getPayment/created', { findings: [at(9)] }),
    result('replay/createPayment/h2h-upi', { findings: [at(4)] }),
  );
  expect(group?.checks).toEqual(['replay/createPayment/h2h-upi', 'replay/getPayment/created', 'state/early']);
});
