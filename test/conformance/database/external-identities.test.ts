import type { INestApplicationContext, Type } from '@nestjs/common';
import { beforeAll, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../../src/accounts/account/accounts.js';
import { BrowserSessions } from '../../../src/accounts/sessions/browser-sessions.js';
import { ExternalIdentities } from '../../../src/accounts/identities/external-identities.js';
import { LastSignInMethod } from '../../../src/accounts/identities/sign-in-methods.js';
import { ProviderTransactions } from '../../../src/accounts/secrets/provider-transactions.js';
import { SetPassword } from '../../../src/accounts/password/set-password.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { openModules } from '../../support/modules.js';
import { KEYS, newName } from './account-parts.js';

const BY = { actor: 'person' } as const;
const ISSUER = 'https://accounts.example';

describeOnSampledDatabases('external identities', (test) => {
  let modules: INestApplicationContext;
  const get = <Part>(type: Type<Part>): Part => modules.get(type);

  beforeAll(async () => {
    modules = await openModules({ keys: KEYS, database: test.database });
  });

  const createPerson = (): Promise<Account> => get(Accounts).create({ username: newName(), email: 'maria@example.org' });
  const newIdentity = (subject: string = randomToken(8), issuer = ISSUER) => ({
    issuer,
    subject,
    label: 'Maria' as string | null,
  });
  const connect = ({ id: accountId }: Account, who = newIdentity(), provider = 'google') =>
    get(ExternalIdentities).connect({ accountId, provider, providerName: 'Google', identity: who, auditContext: BY });
  const disconnect = (
    { id: accountId }: Account,
    provider = 'google',
    offered = { providers: ['google', 'microsoft'], passkeys: true },
  ) =>
    get(ExternalIdentities).disconnect({
      accountId,
      provider,
      providerName: 'Google',
      auditContext: BY,
      offeredMethods: offered,
    });
  const findAccountIds = async (who: { issuer: string; subject: string }, client = 'app') =>
    (await get(ExternalIdentities).findAccounts(who, client)).map(({ account }) => account.id);

  it('[PRV-3] are found only by their exact issuer and subject', async () => {
    const account = await createPerson();
    const who = newIdentity('Sub-1');
    await connect(account, who);
    expect(await findAccountIds(who)).toEqual([account.id]);
    for (const other of [
      newIdentity('sub-1'),
      newIdentity('Sub-1 '),
      newIdentity('Sub-1', `${ISSUER}/`),
      newIdentity('maria@example.org'),
    ]) {
      expect(await findAccountIds(other)).toEqual([]);
    }
  });

  it('connect once for each provider of an account; one identity may have several accounts', async () => {
    const [one, two, who] = [await createPerson(), await createPerson(), newIdentity()];
    expect(await Promise.all([connect(one, who), connect(two, who)])).toEqual(['connected', 'connected']);
    expect(await connect(one, who)).toBe('same');
    expect(await connect(one, newIdentity())).toBe('other');
    expect(await connect(one, newIdentity(), 'microsoft')).toBe('connected');
    expect(new Set(await findAccountIds(who))).toEqual(new Set([one.id, two.id]));
    const twenty = await Promise.all(Array.from({ length: 20 }, () => connect(two, newIdentity(), 'apple')));
    expect(twenty.filter((outcome) => outcome === 'connected')).toHaveLength(1);
  });

  it('list first the account that was chosen last in the app', async () => {
    const [one, two, who] = [await createPerson(), await createPerson(), newIdentity()];
    await connect(one, who);
    await connect(two, who);
    await get(ExternalIdentities).markUsed({ ...who, label: 'Mia\u0000' }, { accountId: two.id, clientId: 'app' });
    expect(await findAccountIds(who)).toEqual([two.id, one.id]);
    expect(await findAccountIds(who, 'other')).toEqual([one.id, two.id]);
    await get(ExternalIdentities).markUsed(who, { accountId: one.id, clientId: 'app' });
    expect(await findAccountIds(who)).toEqual([one.id, two.id]);
    const [connection] = await get(ExternalIdentities).list(two.id);
    expect(connection).toMatchObject({ label: 'Mia', provider: 'google' });
    expect(connection?.lastUsedAt).toBeInstanceOf(Date);
  });

  it('keep the last sign-in method of an account, also when two are removed at the same moment', async () => {
    const account = await createPerson();
    await connect(account);
    await expect(disconnect(account)).rejects.toBeInstanceOf(LastSignInMethod);
    await connect(account, newIdentity(), 'microsoft');
    const outcomes = await Promise.allSettled([disconnect(account), disconnect(account, 'microsoft')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await get(ExternalIdentities).list(account.id)).toHaveLength(1);
    await get(SetPassword).setPassword(account.id, 'kupfer linde 4821');
    const [{ provider } = { provider: '' }] = await get(ExternalIdentities).list(account.id);
    expect(await disconnect(account, provider)).toBe(true);
    expect(await disconnect(account, provider)).toBe(false);
  });

  it('may be removed where a passkey remains, unless passkeys are not accepted', async () => {
    const account = await createPerson();
    await connect(account);
    const passkey = { credential_id: randomToken(), public_key: Buffer.from('key'), algorithm: -7, counter: 0, name: 'x' };
    const flags = { backup_eligible: false, backed_up: false, user_verified: true, transports: [], created_at: new Date() };
    const aaguid = '00000000-0000-0000-0000-000000000000';
    await test.database.db
      .insertInto('passkey')
      .values({ account_id: account.id, aaguid, ...passkey, ...flags })
      .execute();
    const off = { providers: ['google'], passkeys: false };
    await expect(disconnect(account, 'google', off)).rejects.toBeInstanceOf(LastSignInMethod);
    expect(await disconnect(account)).toBe(true);
  });

  it('[MAN-9] of a provider that is no longer configured do not count as a remaining sign-in method', async () => {
    const account = await createPerson();
    await connect(account);
    await connect(account, newIdentity(), 'gone');
    await expect(disconnect(account)).rejects.toBeInstanceOf(LastSignInMethod);
    expect(await get(ExternalIdentities).list(account.id)).toHaveLength(2);
    expect(await disconnect(account, 'gone')).toBe(true);
  });

  it('[S-44] begin nothing with a proof from before the access was ended', async () => {
    const account = await createPerson();
    const who = newIdentity();
    await connect(account, who);
    const begin = (securityStamp: string) =>
      get(BrowserSessions).begin({
        browser: randomToken(),
        accountId: account.id,
        upstreamSessionId: randomToken(),
        acr: 'urn:foyer:acr:pwd',
        amr: ['fed'],
        lifetimeSeconds: 60,
        securityStamp,
      });
    const currentStamp = async () => (await get(ExternalIdentities).findAccounts(who, 'app'))[0]?.securityStamp ?? '';
    const before = await currentStamp();
    await begin(before);
    await get(SetPassword).setPassword(account.id, 'kupfer linde 4821');
    const after = await currentStamp();
    expect(after).not.toBe(before);
    await expect(begin(before)).rejects.toThrow();
    await begin(after);
    await get(BrowserSessions).endForAccount(account.id);
    await expect(begin(after)).rejects.toThrow();
  });

  it('[S-69] have a provider transaction that is returned once, to the browser that began it, within ten minutes', async () => {
    const transactions = get(ProviderTransactions);
    const purpose = { kind: 'sign-in', challenge: 'c', remember: true } as const;
    let state = '';
    const send = () =>
      transactions.start({ provider: 'google', browser: 'browser', handle: null, purpose }, (named) => {
        state = named;
        return Promise.resolve({ url: 'https://there.example', transaction: { nonce: 'n' } });
      });
    expect(await send()).toBe('https://there.example');
    for (const wrong of [{ provider: 'microsoft' }, { holder: 'other' }, { state: 'x' }]) {
      expect(await transactions.consume({ provider: 'google', state, holder: 'browser', ...wrong })).toBeNull();
    }
    const takes = await Promise.all(
      Array.from({ length: 20 }, () => transactions.consume({ provider: 'google', state, holder: 'browser' })),
    );
    expect(takes.filter(Boolean)).toMatchObject([{ purpose, begun: { nonce: 'n' } }]);
    await send();
    test.clock.advanceSeconds(601);
    expect(await transactions.consume({ provider: 'google', state, holder: 'browser' })).toBeNull();
  });
});
