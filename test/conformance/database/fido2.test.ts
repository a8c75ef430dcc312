import { beforeAll, expect, it } from '@jest/globals';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { BOUND_TO, BY, FactorParts } from './factor-parts.js';

describeOnSampledDatabases('security keys', (test) => {
  let parts: FactorParts;
  beforeAll(async () => {
    parts = await FactorParts.create(test);
  });

  it('[RPC-4] [FID-3] are registered with a list of the keys that the account has, and with a name', async () => {
    const account = await parts.createPerson();
    const first = parts.createKey();
    const added = await parts.register(account, first, { name: '  Blue\u202Ekey\n ' });
    expect(added).toEqual({ kind: 'added', recoveryCodes: expect.any(Array), methods: ['hwk', 'pop', 'user'] });
    const begun = await parts.fido2.beginRegistration(account, BOUND_TO);
    expect(begun).toMatchObject({
      relyingPartyId: 'localhost',
      relyingPartyName: 'Foyer',
      username: account.username,
      displayName: account.displayName,
      existingCredentialIds: [first.id],
      icon: '',
      publicKey: { challenge: begun.challenge, excludeCredentials: [{ id: first.id }] },
    });
    expect(begun).toHaveProperty('publicKey.user.id', Buffer.from(begun.userId, 'base64').toString('base64url'));
    expect(begun.base64EncodedUserId).toBe(begun.userId);
    expect(Buffer.from(begun.userId, 'base64').toString('hex')).toBe(account.id.replaceAll('-', ''));
    expect(await parts.register(account, parts.createKey({ algorithm: -36 }))).toMatchObject({ kind: 'added' });
    expect(await parts.fido2.list(account.id)).toEqual([
      expect.objectContaining({ name: 'Blue key', last_used_at: null }),
      expect.objectContaining({ name: '' }),
    ]);
    expect(await parts.factors.readCounts(account.id)).toEqual({ webauthn: 2, 'recovery-codes': 10 });
    expect(await parts.listNotices(account)).toEqual(['security-key-added', 'security-key-added']);
  });

  it('[RPC-4] are registered once with the session of the set-up, within five minutes and at the place where it began', async () => {
    const account = await parts.createPerson();
    const other = await parts.createPerson();
    const finish = async (begun: { sessionId: string; challenge: string }, more = {}): Promise<unknown> => {
      const credential = parts.createKey().register(begun.challenge);
      const { sessionId } = begun;
      return parts.fido2.finishRegistration({
        account,
        boundTo: BOUND_TO,
        sessionId,
        credential,
        onlyFirst: false,
        auditContext: BY,
        ...more,
      });
    };
    const expired = { kind: 'refused', code: 'session expired' };
    const older = await parts.fido2.beginRegistration(account, BOUND_TO);
    const newer = await parts.fido2.beginRegistration(account, BOUND_TO);
    expect(await finish(older)).toEqual(expired);
    expect(await finish(newer, { boundTo: 'area:another' })).toEqual(expired);
    expect(await finish(newer)).toMatchObject({ kind: 'added' });
    expect(await finish(newer)).toEqual(expired);
    expect(await finish(await parts.fido2.beginRegistration(account, BOUND_TO), { account: other })).toEqual(expired);
    const late = await parts.fido2.beginRegistration(account, BOUND_TO);
    test.clock.advanceSeconds(301);
    expect(await finish(late)).toEqual(expired);
    expect(await finish({ sessionId: '', challenge: 'AAAA' })).toEqual(expired);
  });

  it('[RPC-4] are refused without an error whatever is sent, and the session is used up', async () => {
    const account = await parts.createPerson();
    for (const credential of [undefined, null, 7, '{', {}, [], { id: 'a', rawId: 'a', type: 'public-key', response: {} }]) {
      const { sessionId } = await parts.fido2.beginRegistration(account, BOUND_TO);
      const given = { account, boundTo: BOUND_TO, sessionId, credential, onlyFirst: false, auditContext: BY };
      expect(await parts.fido2.finishRegistration(given)).toEqual({ kind: 'refused', code: 'fido2 failed' });
      expect(await parts.fido2.finishRegistration(given)).toEqual({ kind: 'refused', code: 'session expired' });
    }
  });

  it('[RPC-4] belong to one account at most, also when two register one at the same moment', async () => {
    const people = await Promise.all([parts.createPerson(), parts.createPerson(), parts.createPerson()]);
    const key = parts.createKey();
    const answers = await Promise.all(people.map((account) => parts.register(account, key)));
    expect(answers.filter(({ kind }) => kind === 'added')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'fido2 already registered')).toHaveLength(2);
    const owner = people[answers.findIndex(({ kind }) => kind === 'added')]!;
    expect(await parts.register(owner, key)).toEqual({ kind: 'refused', code: 'fido2 already registered' });
  });

  it('are limited to ten, also when they are registered at the same moment', async () => {
    const account = await parts.createPerson();
    for (let number = 0; number < 9; number++) await parts.register(account, parts.createKey());
    const answers = await Promise.all(
      ['area:a', 'area:b', 'area:c'].map((boundTo) => parts.register(account, parts.createKey(), { boundTo })),
    );
    expect(answers.filter(({ kind }) => kind === 'added')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'too many keys')).toHaveLength(2);
  });

  it('[MFV-2] are not registered at login beside another factor, nor by two browsers at the same moment', async () => {
    const { account: owner } = await parts.createWithTotp();
    expect(await parts.register(owner, parts.createKey(), { boundTo: 'pending:one', onlyFirst: true })).toEqual({
      kind: 'refused',
      code: 'totp already registered',
    });
    const account = await parts.createPerson();
    const answers = await Promise.all(
      ['pending:one', 'pending:two'].map((boundTo) => parts.register(account, parts.createKey(), { boundTo, onlyFirst: true })),
    );
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['added', 'refused']);
  });

  it('[MFV-4] prove a fresh challenge once, at the place that asked for it', async () => {
    const account = await parts.createPerson();
    const key = parts.createKey();
    await parts.register(account, key);
    const challenge = await parts.beginAssertion(account);
    const answer = key.assert(challenge);
    expect(await parts.finishAssertion(account, answer, 'area:another')).toEqual({ kind: 'refused' });
    expect(await parts.finishAssertion(account, JSON.stringify(answer))).toMatchObject({
      kind: 'proven',
      methods: ['hwk', 'pop', 'user'],
    });
    expect(await parts.finishAssertion(account, answer)).toEqual({ kind: 'refused' });
    expect(await parts.finishAssertion(account, key.assert('b3du'))).toEqual({ kind: 'refused' });
    const older = await parts.beginAssertion(account);
    await parts.beginAssertion(account);
    expect(await parts.finishAssertion(account, key.assert(older))).toEqual({ kind: 'refused' });
    await parts.attempts.unlock(account, async () => undefined);
    const { challenge: ofRegistration } = await parts.fido2.beginRegistration(account, BOUND_TO);
    expect(await parts.finishAssertion(account, key.assert(ofRegistration))).toEqual({ kind: 'refused' });
    const late = await parts.beginAssertion(account);
    test.clock.advanceSeconds(301);
    expect(await parts.finishAssertion(account, key.assert(late))).toEqual({ kind: 'refused' });
  });

  it('[MFV-4] prove once when the same response is sent several times at the same moment', async () => {
    const account = await parts.createPerson();
    const key = parts.createKey({ counter: 0 });
    await parts.register(account, key);
    const answer = key.assert(await parts.beginAssertion(account));
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => parts.finishAssertion(account, answer)));
    expect(verdicts.filter(({ kind }) => kind === 'proven')).toHaveLength(1);
  });

  it('[MFV-4] prove nothing for another account or another user', async () => {
    const [account, other] = await Promise.all([parts.createPerson(), parts.createPerson()]);
    const [key, foreign] = [parts.createKey(), parts.createKey()];
    await parts.register(account, key);
    await parts.register(other, foreign);
    expect(await parts.finishAssertion(account, foreign.assert(await parts.beginAssertion(account)))).toEqual({
      kind: 'refused',
    });
    const claimed = key.assert(await parts.beginAssertion(account), { userHandle: Buffer.from(other.id).toString('base64url') });
    expect(await parts.finishAssertion(account, claimed)).toEqual({ kind: 'refused' });
    expect(await parts.finishAssertion(other, key.assert(await parts.beginAssertion(account)))).toEqual({ kind: 'refused' });
    expect(await parts.finishAssertion(other, foreign.assert(await parts.beginAssertion(account)))).toEqual({ kind: 'refused' });
    expect(await parts.finishAssertion(other, foreign.assert(await parts.beginAssertion(other)))).toMatchObject({
      kind: 'proven',
      methods: ['hwk', 'pop', 'user'],
    });
    const { userId } = await parts.fido2.beginRegistration(account, BOUND_TO);
    const userHandle = Buffer.from(userId, 'base64').toString('base64url');
    expect(await parts.finishAssertion(account, key.assert(await parts.beginAssertion(account), { userHandle }))).toMatchObject({
      kind: 'proven',
      methods: ['hwk', 'pop', 'user'],
    });
  });

  it('[MFV-4] prove with a counter that increases; a cloned key is refused and recorded in the audit log', async () => {
    const account = await parts.createPerson();
    const key = parts.createKey({ counter: 7 });
    await parts.register(account, key);
    const assertion = key.assert(await parts.beginAssertion(account), { hasWrongSignature: true, counter: 90 });
    expect(await parts.finishAssertion(account, assertion)).toEqual({ kind: 'refused' });
    expect(await parts.finishAssertion(account, key.assert(await parts.beginAssertion(account)))).toMatchObject({
      kind: 'proven',
      methods: ['hwk', 'pop', 'user'],
    });
    const copied = key.assert(await parts.beginAssertion(account), { counter: 8 });
    expect(await parts.finishAssertion(account, copied)).toEqual({ kind: 'refused' });
    expect((await parts.listAuditEvents(account)).at(-1)).toMatchObject({ kind: 'factor.refused', detail: { fault: 'counter' } });
    const zero = key.assert(await parts.beginAssertion(account), { counter: 0 });
    expect(await parts.finishAssertion(account, zero)).toEqual({ kind: 'refused' });
  });

  it('prove nothing for a disabled account, and are missing where there are none', async () => {
    const account = await parts.createPerson();
    expect(await parts.fido2.beginAssertion(account.id, BOUND_TO)).toBeNull();
    expect(await parts.finishAssertion(account, {})).toEqual({ kind: 'missing' });
    const key = parts.createKey();
    await parts.register(account, key);
    const challenge = await parts.beginAssertion(account);
    await parts.accounts.setStatus(account.id, 'disabled');
    expect(await parts.finishAssertion(account, key.assert(challenge))).toEqual({ kind: 'refused' });
    expect(await parts.register(account, parts.createKey())).toEqual({ kind: 'refused', code: 'unauthorized' });
  });

  it('are renamed and removed by their account only; the recovery codes are removed with the last key', async () => {
    const { account } = await parts.createWithTotp();
    const stranger = await parts.createPerson();
    await parts.register(account, parts.createKey(), { name: 'Red key' });
    const [key] = await parts.fido2.list(account.id);
    expect(await parts.fido2.rename({ accountId: stranger.id, auditContext: BY }, { id: key!.id, name: 'mine' })).toBe(false);
    expect(await parts.fido2.remove(key!.id, { accountId: stranger.id, auditContext: BY, mayBeLast: true })).toBe(false);
    expect(await parts.fido2.remove('nonsense', { accountId: account.id, auditContext: BY, mayBeLast: true })).toBe(false);
    expect(await parts.fido2.rename({ accountId: account.id, auditContext: BY }, { id: key!.id, name: 'x'.repeat(80) })).toBe(
      true,
    );
    expect((await parts.fido2.list(account.id))[0]?.name).toBe('x'.repeat(60));
    expect(await parts.fido2.remove(key!.id, { accountId: account.id, auditContext: BY, mayBeLast: true })).toBe(true);
    expect(await parts.factors.readCounts(account.id)).toEqual({ totp: 1, 'recovery-codes': 10 });
    await parts.totp.remove({ accountId: account.id, auditContext: BY, mayBeLast: true });
    expect(await parts.factors.readCounts(account.id)).toEqual({});
    expect(await parts.listNotices(account)).toEqual([
      'totp-added',
      'security-key-added',
      'security-key-removed',
      'totp-removed',
    ]);
  });
});
