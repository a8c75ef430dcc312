/** The copy of their data that people may download. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AccountDeletions } from '../../src/accounts/changes/account-deletions.js';
import { FormerEmails } from '../../src/accounts/account/former-emails.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import type { OwnDataAnswer } from '../../src/contract/own-data.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';
import { OWN_CHANGE } from '../support/proven-session.js';
import { keepByScim } from '../support/scim-people.js';

let gateway: TestGateway;
let story: NotMeStory;

beforeAll(async () => {
  gateway = await startTestGateway({ config: () => ({ trustProxyHops: 1 }) });
  story = new NotMeStory(gateway);
});

afterAll(() => gateway.close());

let count = 0;
const newReachablePerson = (): Promise<Account> => newPerson(gateway, { email: `data${(count += 1)}@example.org` });
const enter = async (): Promise<ManageUser> => ManageUser.enter(gateway, { account: await newReachablePerson(), fresh: true });
const findNotices = async ({ account }: ManageUser) =>
  (await story.listMails(account)).filter(({ kind }) => kind === 'data-downloaded');

describe('the data of a person', () => {
  it('[DAT-1] are downloaded as a file of everything that is stored, without secrets', async () => {
    const user = await enter();
    const { account, gateway: ownGateway } = user;
    ownGateway.hydra.addStoredConsent(account.id, {
      client: ownGateway.hydra.client({ id: 'shop', name: 'Shop' }),
      scopes: ['openid'],
      grantedAt: new Date('2026-03-01T10:00:00Z'),
    });
    const answer = await user.post(PATHS.manageData);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="account-${account.id}.json"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const data = JSON.parse(answer.html) as OwnDataAnswer;
    expect(data.account).toMatchObject({ id: account.id, username: account.username, email: account.email });
    expect(data.devices).toEqual([expect.objectContaining({ is_this: true, amr: ['pwd'] })]);
    expect(data.apps).toEqual([expect.objectContaining({ id: 'shop', name: 'Shop' })]);
    expect(data.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['account.created', 'sign-in.ok', 'area.opened']));
    for (const secret of [PASSWORD, 'argon2', 'hash', 'token']) expect(answer.html).not.toContain(secret);
  });

  it('[DAT-2] [S-135] are announced by mail and logged; they contain neither name, account, reason nor address of an operator', async () => {
    const user = await enter();
    await gateway.get(AuditLog).record({
      kind: 'account.changed',
      actor: 'operator',
      operator: 'mallory',
      operatorAccount: '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11',
      reason: 'a note of the help desk',
      address: '10.9.8.7',
      accountId: user.account.id,
      detail: { fields: ['email'] },
    });
    const answer = await user.post(PATHS.manageData);
    for (const hers of ['mallory', '10.9.8.7', '0b0e1c5a', 'help desk', 'operatorAccount', 'reason'])
      expect(answer.html).not.toContain(hers);
    expect((JSON.parse(answer.html) as OwnDataAnswer).events).toContainEqual(
      expect.objectContaining({ kind: 'account.changed', by: 'operator', detail: { fields: ['email'] } }),
    );
    expect(await findNotices(user)).toHaveLength(1);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries[0]).toMatchObject({ kind: 'data.downloaded', actor: 'person' });
  });

  it('[DAT-1] have what a SCIM source has sent', async () => {
    const user = await enter();
    expect(JSON.parse((await user.post(PATHS.manageData)).html)).toMatchObject({ scim: null });
    await keepByScim(gateway, user.account, { externalId: 'object-1' });
    const data = JSON.parse((await user.post(PATHS.manageData)).html) as OwnDataAnswer;
    const resource = { userName: user.account.username, title: 'Engineer' };
    expect(data.scim).toMatchObject({ source: 'entra', external_id: 'object-1', active: true, resource, groups: [] });
  });

  it('[DAT-1] name the replaced addresses, and when the account will be deleted', async () => {
    const user = await enter();
    const copy = async () => JSON.parse((await user.post(PATHS.manageData)).html) as OwnDataAnswer;
    expect(await copy()).toMatchObject({ former_emails: [], deletion_due_at: null });
    const { id, email } = user.account;
    const auditContext = { actor: 'person' } as const;
    const leave = (next: string) =>
      gateway.database.transaction(async (trx) => {
        await gateway.get(FormerEmails).prepareChange({ accountId: id, email: next, isOwn: true, auditContext }, trx);
        await trx.updateTable('account').set({ email: next }).where('id', '=', id).execute();
      });
    await leave('second@example.org');
    await leave('third@example.org');
    const due = await gateway.get(AccountDeletions).request(id, OWN_CHANGE);
    const data = await copy();
    expect(data.former_emails.map((former) => former.email)).toEqual(['second@example.org', email]);
    expect(Date.parse(data.former_emails[0]?.kept_until ?? '')).toBeGreaterThan(gateway.clock.now().getTime());
    expect(data.deletion_due_at).toBe(due.toISOString());
    // The address was brought back, so it is no longer a former one.
    await gateway.database.transaction((trx) => trx.updateTable('account').set({ email }).where('id', '=', id).execute());
    expect((await copy()).former_emails.map((former) => former.email)).toEqual(['second@example.org']);
  });

  it('[DAT-2] [S-135] contain only the network of people who have proven nothing', async () => {
    const user = await enter();
    const [strange, own] = ['2001:db8:1:2:3:4:5:6', '203.0.113.9'];
    const { id } = user.account;
    const stranger = gateway.browser({ 'x-forwarded-for': strange });
    await expect(signIn(gateway, stranger, user.account, 'wrong')).rejects.toThrow('422');
    await gateway
      .get(AuditLog)
      .record({ kind: 'password-reset.asked', actor: 'person', address: '198.51.100.77', accountId: id });
    await gateway.get(AuditLog).record({ kind: 'username.changed', actor: 'person', address: own, accountId: id });
    const { html } = await user.post(PATHS.manageData);
    for (const whole of [strange, '198.51.100.77']) expect(html).not.toContain(whole);
    const { events } = JSON.parse(html) as OwnDataAnswer;
    const buildAddress = (kind: string) => events.find((event) => event.kind === kind)?.address;
    expect(buildAddress('password.refused')).toBe('2001:db8:1::/48');
    expect([buildAddress('password-reset.asked'), buildAddress('username.changed')]).toEqual(['198.51.100.0/24', own]);
  });

  it('[MAN-14] [S-135] need a fresh proof, on the page, with the form and by the call', async () => {
    const user = await enter();
    const calls = await user.rpc();
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 5);
    await user.page(PATHS.manageData, 'manage_confirm');
    const question = await user.post(PATHS.manageData);
    expect(question.state('manage_confirm').manage_confirm.next).toBe(PATHS.manageData);
    expect(await calls.get('/data')).toMatchObject({ status: 403, body: { error: 'proof required' } });
    expect(await findNotices(user)).toEqual([]);
  });

  it('[S-135] can be downloaded five times an hour', async () => {
    const user = await enter();
    const calls = await user.rpc();
    for (let copies = 0; copies < 5; copies += 1) expect((await calls.get('/data')).status).toBe(200);
    expect((await calls.get('/data')).status).toBe(429);
    const answer = await user.post(PATHS.manageData);
    expect(answer.status).toBe(429);
    expect(answer.state('manage_data').manage_data.error).toBe('too many requests');
    expect(await findNotices(user)).toHaveLength(5);
  });

  it('are not downloaded while Hydra does not answer, and nothing is recorded as downloaded', async () => {
    const user = await enter();
    const frame = await user.page(PATHS.manage, 'manage');
    gateway.hydra.fail();
    const answer = await user.browser.post(PATHS.manageData, { _xsrf: frame.area.xsrf_token });
    gateway.hydra.fail(null);
    expect(answer.status).toBe(503);
    expect(await findNotices(user)).toEqual([]);
  });
});

describe('MANAGE_FEATURES without data', () => {
  it('has neither page nor call for them, and the overview does not offer them', async () => {
    const bare = await startTestGateway({ config: ({ manage }) => ({ manage: { ...manage, features: [] } }) });
    try {
      const user = await ManageUser.enter(bare, { fresh: true });
      expect((await user.page(PATHS.manage, 'manage')).manage.features).toEqual([]);
      expect((await user.browser.get(PATHS.manageData)).status).toBe(404);
      expect((await user.post(PATHS.manageData)).status).toBe(404);
      expect(await (await user.rpc()).get('/data')).toMatchObject({ status: 404, body: { error: 'page_not_found' } });
    } finally {
      await bare.close();
    }
  });
});
