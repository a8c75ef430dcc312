import { beforeAll, expect, it } from '@jest/globals';
import { AccountDisabled } from '../../../src/accounts/account/account.errors.js';
import { CarriedProofs, type CarriedTo } from '../../../src/accounts/sessions/carried-proofs.js';
import { ManageSessionRecords } from '../../../src/accounts/sessions/manage-sessions.js';
import { PendingAuthentications } from '../../../src/accounts/sessions/pending-authentications.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnDatabases } from '../../support/databases.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS } from './account-parts.js';

describeOnDatabases('carried proofs', (test) => {
  let parts: AccountParts;
  let carried: CarriedProofs;
  beforeAll(() => {
    parts = new AccountParts(test.database);
    carried = new CarriedProofs(test.database, KEYS);
  });

  async function kept(more: { securityStamp?: string; passwordVersion?: string } = {}): Promise<{ to: CarriedTo; id: string }> {
    const { id } = await parts.person();
    const to: CarriedTo = {
      step: 'login',
      requestUrl: 'https://op.example/oauth2/auth?state=one',
      secret: randomToken(),
      browser: randomToken(),
    };
    await carried.keep(to, { accountId: id, amr: ['pwd', 'otp', 'mfa'], content: 'what was proven', ...more });
    return { to, id };
  }

  it('[S-12b] are taken once, however many try, with what was proven', async () => {
    const { to, id } = await kept();
    const taken = await Promise.all(Array.from({ length: 8 }, () => carried.take(to)));
    expect(taken.filter((proof) => proof !== null)).toEqual([
      { accountId: id, amr: ['pwd', 'otp', 'mfa'], content: 'what was proven' },
    ]);
  });

  it('[S-12b] belong to their step, request, secret and browser, for 60 seconds', async () => {
    const { to } = await kept();
    const others: Partial<CarriedTo>[] = [
      { step: 'consent' },
      { requestUrl: `${to.requestUrl}&scope=admin` },
      { secret: randomToken() },
      { browser: randomToken() },
    ];
    for (const other of others) expect(await carried.take({ ...to, ...other })).toBeNull();
    test.clock.advanceSeconds(61);
    expect(await carried.take(to)).toBeNull();
  });

  it('[S-12b] end with the sessions, the password and the account', async () => {
    const ends = [
      (id: string) => parts.accounts.setStatus(id, 'disabled'),
      (id: string) => parts.sessions.endForAccount(id),
      (id: string) => parts.setPassword.setPassword(id, 'birke anders 9314'),
    ];
    for (const end of ends) {
      const { to, id } = await kept();
      await end(id);
      expect(await carried.take(to)).toBeNull();
    }
  });

  it('are not kept for a password that was replaced, an access that has ended, or nobody', async () => {
    await expect(kept({ passwordVersion: '1' })).rejects.toThrow(AccountDisabled);
    await expect(kept({ securityStamp: '1' })).rejects.toThrow(AccountDisabled);
    const to: CarriedTo = { step: 'login', requestUrl: '', secret: '', browser: '' };
    await expect(carried.keep(to, { accountId: 'nobody', amr: [], content: '' })).rejects.toThrow(AccountDisabled);
  });

  it('are no pending authentication of a challenge', async () => {
    const { to } = await kept();
    const enrolments = new ManageSessionRecords(test.database, KEYS, testConfig(), parts.audit);
    const pendings = new PendingAuthentications(test.database, KEYS, parts.challenges, enrolments);
    for (const challenge of [to.requestUrl, to.secret]) expect(await pendings.find(challenge, to.browser)).toBeNull();
  });
});
