/** A person requests the deletion of their account, can cancel it for a week, and then the account is deleted. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountDeletions } from '../../src/accounts/changes/account-deletions.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { DueDeletions } from '../../src/accounts/due-deletions.js';
import { PATHS } from '../../src/contract/paths.js';
import { RevocationRunner } from '../../src/hydra/revocation-runner.js';
import { renderMail } from '../../src/mail/render-mail.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';

const WEEK_SECONDS = 7 * 24 * 3600;
const KEPT = `${PATHS.keepAccountStatus}?status=success`;
const GONE = `${PATHS.keepAccountStatus}?status=error-token`;

let gateway: TestGateway;
let story: NotMeStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new NotMeStory(gateway);
});
afterAll(() => gateway.close());

const person = () => newPerson(gateway, { email: `leaving${(count += 1)}@example.org` });
const enter = async (fresh = true) => ManageUser.enter(gateway, { account: await person(), fresh });
const findDeletion = ({ id }: Account) => gateway.get(AccountDeletions).find(id);
const toEntries = async ({ id }: Account) => (await gateway.get(AuditLog).list(id)).entries;
const toMail = async (account: Account, kind: string) => (await story.listMails(account)).findLast((mail) => mail.kind === kind);

async function requestDeletion(): Promise<ManageUser & { keep: string }> {
  const user = await enter();
  expect((await user.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
  const mail = await toMail(user.account, 'deletion-requested');
  return Object.assign(user, { keep: String(mail?.values['keep']) });
}

const look = (token: string, browser = gateway.browser()) => browser.get(`${PATHS.keepAccount}?token=${token}`);

describe('the deletion of an account by its person', () => {
  it('[DEL-1] [S-134] is explained, needs a fresh proof, and starts a week in which everything works', async () => {
    const old = await enter(false);
    expect((await old.browser.get(PATHS.manageDeletion)).state('manage_confirm').manage_confirm.next).toBe(PATHS.manageDeletion);
    expect((await old.post(PATHS.manageDeletion)).status).toBe(403);
    expect(await findDeletion(old.account)).toBeNull();

    const user = await enter();
    const { manage_deletion: shown } = await user.page(PATHS.manageDeletion, 'manage_deletion');
    expect(shown).toEqual({ error: null, due_at: null, wait_days: 7, is_mailed: true });
    expect((await user.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
    const due = await findDeletion(user.account);
    expect(due).toEqual(expect.any(Date));
    expect((await user.page(PATHS.manage, 'manage')).manage.deletion_due_at).toBe(due?.toISOString());
    expect((await user.page(PATHS.manageDeletion, 'manage_deletion')).manage_deletion.due_at).toBe(due?.toISOString());
    expect((await toEntries(user.account))[0]).toMatchObject({ kind: 'deletion.requested', detail: { due: due?.toISOString() } });
    // A second request changes nothing and sends no mail.
    await user.post(PATHS.manageDeletion);
    expect(await findDeletion(user.account)).toEqual(due);
    const mails = (await story.listMails(user.account)).filter(({ kind }) => kind === 'deletion-requested');
    expect(mails).toHaveLength(1);
    const { text } = renderMail(mails[0]!, gateway.config);
    expect(text).toContain(`${gateway.config.publicUrl}${PATHS.keepAccount}?token=`);
    expect(text).toContain(`${PATHS.notMe}?token=`);
    await signIn(gateway, gateway.browser(), user.account);
  });

  it('[DEL-1] [S-134] can be requested five times an hour, because each request sends a mail', async () => {
    const user = await enter();
    for (let begun = 0; begun < 5; begun += 1) {
      expect((await user.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
      await user.post(PATHS.manageDeletionCancel);
    }
    const answer = await user.post(PATHS.manageDeletion);
    expect(answer.status).toBe(429);
    expect(answer.state('manage_deletion').manage_deletion.error).toBe('too many requests');
    expect(await findDeletion(user.account)).toBeNull();
    const mails = (await story.listMails(user.account)).filter(({ kind }) => kind === 'deletion-requested');
    expect(mails).toHaveLength(5);
  });

  it('[DEL-1] is confirmed as often as it is requested, because only the first request begins it', async () => {
    const user = await requestDeletion();
    const due = await findDeletion(user.account);
    const calls = await user.rpc();
    for (let repeated = 0; repeated < 5; repeated += 1) {
      expect(await calls.post('/deletion')).toMatchObject({ status: 200, body: { due_at: due?.toISOString() } });
    }
    expect((await user.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
  });

  it('[DEL-1] [S-134] is refused while credentials are frozen, and is not offered where the installation turns it off', async () => {
    const user = await enter();
    const frozen = new Date(gateway.clock.now().getTime() + 3_600_000);
    const { db } = gateway.database;
    await db.updateTable('account').set({ credentials_frozen_until: frozen }).where('id', '=', user.account.id).execute();
    expect((await user.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
    const calls = await user.rpc();
    expect(await calls.post('/deletion')).toMatchObject({ status: 423, body: { error: 'credentials frozen' } });
    expect(await findDeletion(user.account)).toBeNull();

    const without = await startTestGateway({ config: ({ manage }) => ({ manage: { ...manage, features: [] } }) });
    try {
      const account = await newPerson(without);
      const nobody = await ManageUser.enter(without, { account, fresh: true });
      expect((await nobody.browser.get(PATHS.manageDeletion)).status).toBe(404);
      expect((await nobody.browser.get(PATHS.manageActivity)).status).toBe(404);
      expect((await nobody.post(PATHS.manageDeletion)).status).toBe(404);
      expect((await nobody.post(PATHS.manageDeletionCancel)).status).toBe(404);
      for (const path of ['/deletion', '/activity']) {
        expect(await (await nobody.rpc()).get(path)).toMatchObject({ status: 404, body: { error: 'page_not_found' } });
      }
      // A deletion that an operator started can still be cancelled.
      await without.get(AccountDeletions).schedule(account.id, { actor: 'operator' });
      expect((await nobody.post(PATHS.manageDeletionCancel)).location).toBe(`${PATHS.manage}?status=deletion-cancelled`);
    } finally {
      await without.close();
    }
  });

  it('[DEL-1] [DEL-2] has calls with the same effect', async () => {
    const user = await enter();
    const calls = await user.rpc();
    expect((await calls.get('/deletion')).body).toEqual({ due_at: null, wait_days: 7 });
    const { body } = await calls.post('/deletion');
    expect(body).toEqual({ due_at: (await findDeletion(user.account))?.toISOString(), wait_days: 7 });
    expect((await calls.delete('/deletion')).status).toBe(200);
    expect((await calls.delete('/deletion')).status).toBe(200);
    expect(await findDeletion(user.account)).toBeNull();
  });

  it('[DEL-2] is cancelled in the account area without a fresh proof, with a notice and an audit entry', async () => {
    const user = await requestDeletion();
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 1);
    const back = await ManageUser.enter(gateway, { account: user.account });
    expect((await back.post(PATHS.manageDeletionCancel)).location).toBe(`${PATHS.manage}?status=deletion-cancelled`);
    expect(await findDeletion(user.account)).toBeNull();
    expect(await toMail(user.account, 'deletion-cancelled')).toBeDefined();
    expect((await toEntries(user.account)).find(({ kind }) => kind === 'deletion.cancelled')).toMatchObject({
      detail: { way: 'area' },
    });
  });

  it('[DEL-2] [S-39] [S-134] is cancelled with the link of the mail: opening it changes nothing, pressing the button does, also twice', async () => {
    const { account, keep } = await requestDeletion();
    const browser = gateway.browser();
    const { keep_account: ask } = (await look(keep, browser)).state('keep_account');
    if (ask.status !== 'ask') throw new Error('The link asks.');
    await gateway.browser().request(`${PATHS.keepAccount}?token=${keep}`, { method: 'HEAD' });
    expect(await findDeletion(account)).not.toBeNull();
    expect((await gateway.browser().post(PATHS.keepAccount, { token: keep })).status).toBe(403);
    const fields = { _xsrf: ask.xsrf_token, token: keep };
    expect((await browser.post(PATHS.keepAccount, fields)).location).toBe(KEPT);
    expect(await findDeletion(account)).toBeNull();
    expect((await browser.post(PATHS.keepAccount, fields)).location).toBe(KEPT);
    expect((await look(keep)).location).toBe(KEPT);
    expect((await toEntries(account)).filter(({ kind }) => kind === 'deletion.cancelled')).toHaveLength(1);
    expect((await look('unknown')).location).toBe(GONE);
    expect((await browser.post(PATHS.keepAccount, { ...fields, token: 'unknown' })).location).toBe(GONE);
    gateway.clock.advanceSeconds(WEEK_SECONDS + 1);
    expect((await look(keep)).location).toBe(GONE);
  });

  it('[DEL-2] [S-134] is not cancelled with the link of the mail while the account is disabled', async () => {
    const { account, keep } = await requestDeletion();
    const browser = gateway.browser();
    const { keep_account: ask } = (await look(keep, browser)).state('keep_account');
    if (ask.status !== 'ask') throw new Error('The link asks.');
    await gateway.get(Accounts).setStatus(account.id, 'disabled');
    expect((await look(keep)).location).toBe(GONE);
    const fields = { _xsrf: ask.xsrf_token, token: keep };
    expect((await browser.post(PATHS.keepAccount, fields)).location).toBe(GONE);
    expect(await findDeletion(account)).not.toBeNull();
    await gateway.get(Accounts).setStatus(account.id, 'active');
    expect((await browser.post(PATHS.keepAccount, fields)).location).toBe(KEPT);
  });

  it('[DEL-2] is not reported as cancelled if the account is deleted while the button is pressed', async () => {
    const { account, keep } = await requestDeletion();
    const browser = gateway.browser();
    const { keep_account: ask } = (await look(keep, browser)).state('keep_account');
    if (ask.status !== 'ask') throw new Error('The link asks.');
    const deletions = gateway.get(AccountDeletions);
    const cancel = deletions.cancel.bind(deletions);
    const spy = jest.spyOn(deletions, 'cancel').mockImplementation(async (...parameters) => {
      gateway.clock.advanceSeconds(WEEK_SECONDS + 1);
      await gateway.get(DueDeletions).run();
      return cancel(...parameters);
    });
    try {
      expect((await browser.post(PATHS.keepAccount, { _xsrf: ask.xsrf_token, token: keep })).location).toBe(GONE);
    } finally {
      spy.mockRestore();
    }
    expect(await gateway.get(Accounts).find(account.id)).toBeNull();
  });

  it('[DEL-2] [S-134] is cancelled by "that was not me"', async () => {
    const { account } = await requestDeletion();
    await story.submit(await story.findToken(account, 'deletion-requested'));
    expect(await findDeletion(account)).toBeNull();
    const way = (await toEntries(account)).find(({ kind }) => kind === 'deletion.cancelled')?.detail;
    expect(way).toEqual({ way: 'not-me' });
  });

  it('[DEL-3] happens when it is due and not before: only events remain here and nothing at Hydra, and a last mail is sent', async () => {
    const { account, keep, browser } = await requestDeletion();
    gateway.clock.advanceSeconds(WEEK_SECONDS - 3600);
    await gateway.get(DueDeletions).run();
    await signIn(gateway, gateway.browser(), account);
    gateway.clock.advanceSeconds(7200);
    expect(await gateway.get(DueDeletions).run()).toBe(1);
    expect(await gateway.get(DueDeletions).run()).toBe(0);
    const last = await toMail(account, 'account-deleted');
    expect(last?.values).toEqual({ username: account.username });
    expect(renderMail(last!, gateway.config).text).not.toContain('token=');
    expect((await toEntries(account))[0]).toMatchObject({ kind: 'account.deleted', actor: 'system', detail: { by: 'person' } });
    const before = gateway.hydra.calls.length;
    gateway.clock.advanceSeconds(60);
    await gateway.get(RevocationRunner).run();
    const calls = gateway.hydra.calls.slice(before).map(({ call }) => call);
    expect(calls).toContain('endLoginSessions');
    expect(calls).toContain('revokeConsents');
    expect((await browser.get(PATHS.manage)).location).toBe(`${PATHS.manageError}unauthorized`);
    expect((await look(keep)).location).toBe(GONE);
    await expect(signIn(gateway, gateway.browser(), account)).rejects.toThrow();
  });
});
