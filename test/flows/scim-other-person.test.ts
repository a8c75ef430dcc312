/** What people see in the account area after a SCIM source has given them the account of another person. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { lockAccount } from '../../src/accounts/account/lock.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import type { AuditKind } from '../../src/accounts/audit/kinds.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { ScimUsers } from '../../src/accounts/scim/scim-users.js';
import { SignedInDevices } from '../../src/accounts/sessions/signed-in-devices.js';
import { TermsAcceptances } from '../../src/accounts/terms/terms-acceptances.js';
import type { OwnDataAnswer } from '../../src/contract/own-data.js';
import { PATHS } from '../../src/contract/paths.js';
import { openBeside, whyNoServer } from '../support/databases.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { waitForBlocked } from '../support/lock-waits.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { buildScimSettings } from '../support/scim-people.js';
import { buildTermsText } from '../support/terms-texts.js';

const SOURCE = buildScimSettings({ password: true });
const SCHEMA = { properties: { contract: { type: 'string' } }, dependentRequired: { given_name: ['contract'] } };
const TIMEOUT_MS = 30_000;
const BY = { actor: 'person' } as const;
const BY_SOURCE = { actor: 'system', source: 'entra' } as const;
const text = buildTermsText('Be kind.');
/** A sign-in that is not over. */
const OPEN = { require: () => Promise.resolve() };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ accounts }) => ({ scim: [SOURCE], accounts: { ...accounts, schema: SCHEMA } }),
  });
});
afterAll(() => gateway.close());

let count = 0;

/** A person whom the source has pushed, in the account area. */
async function enterPushed(more: object = {}): Promise<ManageUser> {
  const userName = `pushed.${(count += 1)}`;
  const resource = { ...more, userName, externalId: `first-${userName}` };
  const created = await gateway.get(ScimUsers).create(SOURCE, resource, BY_SOURCE);
  return enterAgain(created.user.id);
}

/** Sets the password again, and opens the account area with a fresh proof in another browser. */
async function enterAgain(id: string): Promise<ManageUser> {
  await gateway.get(SetPassword).setPassword(id, PASSWORD);
  const row = await gateway.database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { username, display_name: displayName } = row;
  const account = { ...(await newPerson(gateway)), id, username, displayName };
  return ManageUser.enter(gateway, { account, fresh: true });
}

/** The source gives the account to another person. */
async function giveAway({ account: { id } }: ManageUser, more: object = {}): Promise<void> {
  const change = (resource: object) => ({ ...resource, ...more, externalId: `second-${id}` });
  await gateway.get(ScimUsers).change({ source: SOURCE, id, auditContext: BY_SOURCE }, change, false);
}

const accept = ({ account: { id } }: ManageUser, version: string): Promise<boolean> =>
  gateway
    .get(TermsAcceptances)
    .accept({ accountId: id, terms: { id: 'use', version, texts: [text] }, text, clientId: 'portal' }, { ...BY, signIn: OPEN });
const record = ({ account: { id } }: ManageUser, kind: AuditKind, detail: Record<string, string> = {}): Promise<void> =>
  gateway.get(AuditLog).record({ ...BY, kind, accountId: id, address: '192.0.2.7', detail });
const listKinds = async ({ account: { id } }: ManageUser) =>
  (await gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind);
const download = async (user: ManageUser) => JSON.parse((await user.post(PATHS.manageData)).html) as OwnDataAnswer;

/** Events of the new person in `enterAgain`. */
const OWN_KINDS = ['area.opened', 'sign-in.ok', 'password.ok', 'password.changed'];

describe('[DAT-3] a person to whom a SCIM source has given the account of another person', () => {
  it('sees only own activity, on the page and by the call', async () => {
    const before = await enterPushed();
    await record(before, 'username.changed');
    await giveAway(before);
    const user = await enterAgain(before.account.id);
    const own = ['signed-in', 'password-changed'];
    const { manage_activity } = await user.page(PATHS.manageActivity, 'manage_activity');
    expect(manage_activity.entries.map(({ activity }) => activity)).toEqual(own);
    const shown = (await (await user.rpc()).get('/activity')).body as { entries: { activity: string }[] };
    expect(shown.entries.map(({ activity }) => activity)).toEqual(own);
  });

  it('sees neither the last sign-in nor the last password of the person before on the overview', async () => {
    const before = await enterPushed();
    const find = () => gateway.get(SignedInDevices).findSummary(before.account.id);
    expect(await find()).toMatchObject({ lastSignIn: expect.anything(), passwordChangedAt: expect.anything() });
    await giveAway(before);
    expect(await find()).toEqual({ devices: 0, readAt: expect.any(Date) });
  });

  it('downloads only own events, while the audit log keeps all', async () => {
    const before = await enterPushed();
    await record(before, 'username.changed');
    await giveAway(before);
    const user = await enterAgain(before.account.id);
    const { events, devices, former_emails, trusted_browsers } = await download(user);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(OWN_KINDS));
    expect(devices).toEqual([expect.objectContaining({ is_this: true })]);
    expect([former_emails, trusted_browsers]).toEqual([[], []]);
    expect(await listKinds(user)).toEqual(expect.arrayContaining(['username.changed', 'sessions.ended', 'account.created']));
  });

  it('sees only own acceptances of terms, while operators see all', async () => {
    const before = await enterPushed();
    await accept(before, '1');
    await giveAway(before);
    const user = await enterAgain(before.account.id);
    const listShown = async () => (await user.page(PATHS.manageData, 'manage_data')).manage_data.terms;
    expect(await listShown()).toEqual([]);
    expect((await download(user)).terms).toEqual([]);
    expect((await (await user.rpc()).get('/terms')).body).toEqual([]);
    await accept(user, '2');
    expect(await listShown()).toMatchObject([{ version: '2', text: text.text, withdrawn_at: null }]);
    expect((await download(user)).terms).toMatchObject([{ version: '2', text: text.text }]);
    const { acceptances } = await gateway.get(TermsAcceptances).page(user.account.id, {});
    expect(acceptances.map(({ version, withdrawnAt }) => [version, withdrawnAt !== null])).toEqual([
      ['2', false],
      ['1', true],
    ]);
  });

  it('is not shown when the person before used an app', async () => {
    const before = await enterPushed();
    const { id } = before.account;
    await record(before, 'sign-in.ok', { client: 'shop' });
    await giveAway(before);
    const user = await enterAgain(id);
    gateway.hydra.addStoredConsent(id, {
      client: gateway.hydra.client({ id: 'shop', name: 'Shop' }),
      scopes: ['openid'],
      grantedAt: gateway.clock.now(),
    });
    expect((await download(user)).apps).toMatchObject([{ id: 'shop', last_used_at: null }]);
  });

  it('has no value of the person before that the source does not send, except one without which the change would be refused', async () => {
    const before = await enterPushed();
    const { id, username } = before.account;
    const accounts = gateway.get(Accounts);
    await accounts.update(id, {
      email: 'before@work.example',
      emailVerified: true,
      displayName: 'Anna Before',
      picture: 'https://work.example/anna.png',
      language: 'de',
      attributes: { nickname: 'anna', contract: '1' },
      groups: ['staff'],
    });
    await giveAway(before, { title: 'Engineer', name: { givenName: 'Bob' } });
    const { id: _, created_at: __, updated_at: ___, ...values } = (await download(await enterAgain(id))).account;
    expect(values).toEqual({
      ...{ username, display_name: 'Bob', email: null, email_verified: false, picture: null, language: null },
      ...{ groups: ['staff'], attributes: { given_name: 'Bob', contract: '1' } },
    });
  });

  it('has an address that is not proven, if the source sends the address of the person before', async () => {
    const emails = [{ value: 'shared@work.example' }];
    const before = await enterPushed({ emails });
    const { id } = before.account;
    await gateway.get(Accounts).update(id, { emailVerified: true });
    await giveAway(before, { emails });
    expect(await gateway.get(Accounts).find(id)).toMatchObject({ email: 'shared@work.example', emailVerified: false });
  });

  const onServer = whyNoServer() === null ? it : it.skip;
  onServer('does not see what the person before did while the source waited for the account', async () => {
    const before = await enterPushed();
    const { id } = before.account;
    const beside = await openBeside(gateway.database, gateway.clock);
    try {
      const { given } = await beside.transaction(async (trx) => {
        await lockAccount(id, trx);
        const begun = giveAway(before);
        await waitForBlocked(TIMEOUT_MS, trx);
        await record(before, 'username.changed');
        return { given: begun };
      });
      await given;
    } finally {
      await beside.close();
    }
    const { entries } = await gateway.get(AuditLog).search({ ofPresentPerson: id });
    expect(entries).toEqual([]);
  });
});
