/** The activity of an account, as its owner sees it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeIdentityProviders } from '../../src/providers/fake-identity-providers.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { EmailStory } from '../support/own-email.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0';
const PERSON = { actor: 'person', address: '203.0.113.24', requestId: 'request' } as const;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ identityProviders: new FakeIdentityProviders() });
});
afterAll(() => gateway.close());

const readActivity = async (user: ManageUser, query = '') =>
  (await user.page(`${PATHS.manageActivity}${query}`, 'manage_activity')).manage_activity;

describe('the activity of an account', () => {
  it('[ACT-1] lists what was done, by whom, in which browser and from where, newest first', async () => {
    const account = await newPerson(gateway);
    await signIn(gateway, gateway.browser({ 'user-agent': FIREFOX }), account);
    await gateway
      .get(Accounts)
      .update(account.id, { displayName: 'Other' }, { actor: 'operator', operator: 'desk', address: '10.9.8.7' });
    await gateway
      .get(AuditLog)
      .record({ ...PERSON, kind: 'factor.refused', accountId: account.id, detail: { factor: 'totp-setup' } });
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const { entries, next_cursor: next } = await readActivity(user);
    expect(next).toBeUndefined();
    expect(entries.map(({ activity }) => activity)).toEqual([
      'factor-wrong',
      'account-changed',
      'signed-in',
      'password-changed',
      'account-created',
    ]);
    const [refused, changed, signedIn] = entries;
    expect(refused).toMatchObject({ factor: 'totp', network: '203.0.113.x' });
    expect(refused).not.toHaveProperty('is_this_network');
    expect(changed).toMatchObject({ by_operator: true });
    expect(changed).not.toHaveProperty('network');
    expect(signedIn).toMatchObject({ browser: 'Firefox, Windows', network: '127.0.0.x', is_this_network: true });
    expect(JSON.stringify(entries)).not.toContain('10.9.8.7');
    expect(JSON.stringify(entries)).not.toContain('desk');
  });

  it('[ACT-1] [EML-1] distinguishes one device from all others, and the address from other details', async () => {
    const { account, user } = await new EmailStory(gateway).createPerson();
    const devices = [FIREFOX, FIREFOX, FIREFOX].map((agent) => gateway.browser({ 'user-agent': agent }));
    for (const device of devices) await signIn(gateway, device, account);
    const [one] = (await user.page(PATHS.manageDevices, 'manage_devices')).manage_devices.devices.filter(
      (device) => !device.is_this,
    );
    await user.post(PATHS.manageDevices, { key: one?.id ?? '' });
    await user.post(PATHS.manageDevices);
    const accounts = gateway.get(Accounts);
    await accounts.update(account.id, { email: 'other-activity@example.org', emailVerified: true }, PERSON);
    await accounts.update(account.id, { emailVerified: false }, PERSON);
    await accounts.update(account.id, { email: 'third-activity@example.org', displayName: 'Other' }, PERSON);
    const { entries } = await readActivity(user);
    expect(entries.slice(0, 5).map(({ activity }) => activity)).toEqual([
      'account-changed',
      'email-confirmed',
      'email-changed',
      'sessions-ended',
      'device-ended',
    ]);
    expect(entries[4]).toMatchObject({ about: 'Firefox, Windows' });
    expect(entries[3]).not.toHaveProperty('about');
  });

  it('[ACT-1] has pages of fifty for this account only, whatever the cursor is', async () => {
    const account = await newPerson(gateway);
    const audit = gateway.get(AuditLog);
    for (let number = 0; number < 60; number++)
      await audit.record({ ...PERSON, kind: 'username.changed', accountId: account.id });
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const first = await readActivity(user);
    expect(first.entries).toHaveLength(50);
    const second = await readActivity(user, `?cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ is_continued: true });
    expect(second.entries).toHaveLength(12);
    const ids = [...first.entries, ...second.entries].map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
    for (const cursor of ['x', '-1', '1%20or%201', '']) {
      expect((await readActivity(user, `?cursor=${cursor}`)).entries).toEqual([]);
    }
    const other = await ManageUser.enter(gateway, { proven: true });
    expect((await readActivity(other, `?cursor=${String(ids[0])}`)).entries.map(({ activity }) => activity)).not.toContain(
      'username-changed',
    );
  });

  it('[ACT-1] shows only sign-ins, changes or refused attempts, on every page of the list and in the call', async () => {
    const account = await newPerson(gateway);
    const audit = gateway.get(AuditLog);
    for (let number = 0; number < 51; number++) {
      await audit.record({ ...PERSON, kind: 'password.refused', accountId: account.id });
    }
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const toNames = ({ entries }: { entries: readonly { activity: string }[] }) => [...new Set(entries.map((e) => e.activity))];
    const signIns = await readActivity(user, '?show=sign-ins');
    expect(signIns).toMatchObject({ shown: 'sign-ins', entries: [{ activity: 'signed-in', amr: ['pwd'] }] });
    expect(toNames(await readActivity(user, '?show=changes'))).toEqual(['password-changed', 'account-created']);
    const refused = await readActivity(user, '?show=refused');
    expect(toNames(refused)).toEqual(['password-wrong']);
    const older = await readActivity(user, `?show=refused&cursor=${refused.next_cursor}`);
    expect(older.entries).toHaveLength(1);
    expect(await readActivity(user, '?show=other')).not.toHaveProperty('shown');
    const { body } = await (await user.rpc()).get('/activity?show=sign-ins');
    expect(body).toEqual({ entries: signIns.entries });
  });

  it('[ACT-1] tells an operator that rights were granted and removed, and not by whom and why', async () => {
    const account = await newPerson(gateway);
    const audit = gateway.get(AuditLog);
    const auditContext = {
      actor: 'operator',
      operator: 'mallory',
      operatorAccount: 'account-of-mallory',
      reason: 'a secret plan',
    } as const;
    await audit.record({ ...auditContext, kind: 'operator.granted', accountId: account.id, detail: { right: 'support' } });
    await audit.record({ ...auditContext, kind: 'operator.revoked', accountId: account.id, detail: { right: 'support' } });
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const { entries } = await readActivity(user, '?show=changes');
    expect(entries.slice(0, 2)).toMatchObject([
      { activity: 'rights-revoked', by_operator: true },
      { activity: 'rights-granted', by_operator: true },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/mallory|secret plan/);
  });

  it('[ACT-1] has a call with the same answer, and shows the names of apps', async () => {
    const account = await newPerson(gateway);
    gateway.hydra.addClient(gateway.hydra.client({ id: 'named-app', name: 'Named app' }), ['openid']);
    const audit = gateway.get(AuditLog);
    for (const client of ['named-app', 'gone-app']) {
      await audit.record({ ...PERSON, kind: 'app.removed', accountId: account.id, detail: { client } });
    }
    const skipped = { kind: 'consent.granted', accountId: account.id, detail: { client: 'named-app', asked: false } } as const;
    await audit.record({ ...PERSON, ...skipped });
    for (const provider of ['google', 'gone-provider']) {
      await audit.record({ ...PERSON, kind: 'provider.connected', accountId: account.id, detail: { provider } });
    }
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const { body } = await (await user.rpc()).get('/activity');
    expect(body).toEqual({ entries: (await readActivity(user)).entries });
    expect(body['entries']).toMatchObject([
      { about: 'gone-provider' },
      { about: 'Google' },
      { about: 'gone-app' },
      { about: 'Named app' },
      {},
      { activity: 'account-created' },
    ]);
  });
});
