/** The basis of a finding whose clause holds for many places of the contract. */
import { describe, expect, it } from 'vitest';
import { listHistories, listObservations } from '../../conformance/src/core/history.ts';
import { judgeResponse } from '../../conformance/src/core/judge.ts';
import { listEvents } from '../../conformance/src/core/transactions.ts';
import type { Contract } from '../../conformance/src/document/contract.ts';
import { contract, createExchange } from './report/synthetic.ts';

describe('a response to clarifyPayment, which the source leaves open', () => {
  const operation = contract.operation('clarifyPayment');
  const found = (body: object, status: number) =>
    judgeResponse(contract, { ...createExchange(body, status), call: { operation } }, 200);

  it.each([
    ['another body', {}, 200, 'assumption clarify-response'],
    ['another success', {}, 204, 'assumption clarify-response'],
    ['a rejection', {}, 400, 'source 3, 4.2'],
  ])('with %s', (_name, body, status, rests) => {
    const clauses = found(body, status).map(({ clause }) => clause.rests);
    expect(new Set(clauses)).toEqual(new Set([rests]));
  });
});

describe('events', () => {
  it('are about the kind of transaction whose creation declares them', () => {
    const kinds = Object.groupBy(listEvents(contract), ({ kind }) => kind);
    expect(kinds.payment?.map(({ status }) => status).sort()).toEqual([
      'EXTRA_DATA_NEEDED',
      'FAILED',
      'PAY_CONFIRMATION_NEEDED',
      'SUCCESS',
    ]);
    expect(kinds.payout?.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCESS']);
  });

  it('are refused if no creation declares them', () => {
    const operations = contract.operations.map((operation) => ({ ...operation, callbacks: [] }));
    expect(() => listEvents({ ...contract, operations } as Contract)).toThrow('is not a callback');
  });
});

describe('the history of a payment', () => {
  const created = createExchange({ transaction_id: 'pay_1', status: 'CREATED' });
  const read = {
    ...createExchange({ transaction_id: 'pay_1', status: 'SUCCESS' }),
    ...{ call: { operation: contract.operation('getPayment') }, endedAt: 3_000 },
  };
  const listStatuses = (exchanges: Parameters<typeof listHistories>[0]['exchanges']) =>
    listHistories({ exchanges, deliveries: [] }).map((history) =>
      listObservations(history).map(({ status }) => status),
    );

  it('has its statuses in the order in which they were seen', () => {
    expect(listStatuses([created, read])).toEqual([['CREATED', 'SUCCESS']]);
  });

  it('leaves out a repeated creation, which returns the first response', () => {
    expect(listStatuses([created, read, { ...created, endedAt: 4_000 }])).toEqual([['CREATED', 'SUCCESS']]);
  });

  it('leaves out examples that a mock was asked for', () => {
    expect(listStatuses([{ ...created, call: { ...created.call, prefer: 'example=h2h' } }])).toEqual([]);
  });
});
