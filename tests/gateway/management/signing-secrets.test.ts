import { expect, it } from 'vitest';
import { describeOnEachStore } from '../harness/stores.ts';
import { judgeDelivery } from '../sandbox/webhooks.ts';
import { startOperated } from './operator.ts';

describeOnEachStore('signing secrets', (open) => {
  it('are listed without the secrets, and a rotation returns the new one once', async () => {
    const { test, operator, receiver, decline } = await startOperated(await open());
    const path = `/management/merchants/${test.merchant.id}/signing-secrets`;
    const made = (await operator.call('POST', `${path}/rotate`, { overlap: '10m' })).body;
    expect(made.secret).toMatch(/^whsec_/);
    expect(Date.parse(made.previous_expires_at) - test.clock.now()).toBe(600_000);
    await decline();
    const [first] = receiver.requests;
    const verdicts = [test.secret, made.secret].map(
      (secret) => first && judgeDelivery(first, secret, test.clock.now()),
    );
    expect(await Promise.all(verdicts)).toEqual(['valid', 'valid']);
    const listed = await operator.call('GET', path);
    expect(listed.text).not.toContain('whsec_');
    expect(listed.body.data).toEqual([
      expect.objectContaining({ valid: true, expires_at: made.previous_expires_at }),
      {
        id: made.id,
        created_at: expect.any(String),
        valid: true,
        encrypted_with: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
    ]);
    const changes = await operator.call('GET', '/management/changes');
    expect(changes.body.data).toEqual([
      expect.objectContaining({ action: 'rotateSigningSecret', subject: made.id, merchant_id: test.merchant.id }),
    ]);
    const recorded = JSON.stringify(await test.gateway.store.read.all('select * from operator_changes'));
    expect(recorded + changes.text).not.toContain('whsec_');
  });

  it('are revoked, the only valid one by force alone', async () => {
    const { test, operator, receiver, decline } = await startOperated(await open());
    const path = `/management/merchants/${test.merchant.id}/signing-secrets`;
    const { id } = (await operator.call('POST', `${path}/rotate`)).body;
    const revoked = await operator.call('POST', `${path}/${id}/revoke`);
    expect(revoked.body.data.map(({ valid }: { valid: boolean }) => valid)).toEqual([true, false]);
    expect((await operator.call('POST', `${path}/${id}/revoke`)).status).toBe(404);
    const [{ id: only }] = revoked.body.data;
    const refused = await operator.call('POST', `${path}/${only}/revoke`);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('force') } });
    expect((await operator.call('POST', `${path}/${only}/revoke`, { force: true })).status).toBe(200);
    await decline();
    expect(receiver.requests).toEqual([]);
    const { data } = (await operator.call('GET', '/management/changes')).body;
    expect(data.map(({ action, subject }: { action: string; subject: string }) => [action, subject])).toEqual([
      ['revokeSigningSecret', only],
      ['revokeSigningSecret', id],
      ['rotateSigningSecret', id],
    ]);
  });

  it('are isolated between merchants, and few expired ones are kept', async () => {
    const { test, operator } = await startOperated(await open());
    const other = await test.addMerchant('Other');
    const path = (merchantId: number) => `/management/merchants/${merchantId}/signing-secrets`;
    const { id } = (await operator.call('POST', `${path(other.merchant.id)}/rotate`)).body;
    expect((await operator.call('POST', `${path(test.merchant.id)}/${id}/revoke`)).status).toBe(404);
    for (let count = 0; count < 10; count++) {
      await operator.call('POST', `${path(test.merchant.id)}/rotate`, { overlap: '0s' });
    }
    const { data } = (await operator.call('GET', path(test.merchant.id))).body;
    expect(data.map(({ valid }: { valid: boolean }) => valid)).toEqual([...Array(5).fill(false), true]);
    const long = await operator.call('POST', `${path(test.merchant.id)}/rotate`, { overlap: '31d' });
    expect([long.status, long.body.violations[0].pointer]).toEqual([400, '/overlap']);
  });
});
