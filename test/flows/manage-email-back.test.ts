/** Restoring a former e-mail address with the link of the notice that was sent there. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountDeletions } from '../../src/accounts/changes/account-deletions.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { Cleanup } from '../../src/accounts/cleanup.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { EmailStory } from '../support/own-email.js';
import { ManageUser, signIn } from '../support/manage.js';
import { ResetStory } from '../support/resets.js';

const DONE = `${PATHS.notMeStatus}?status=success`;
const USED = `${PATHS.notMeStatus}?status=used`;
const GONE = `${PATHS.notMeStatus}?status=error-token`;
const WEEK_SECONDS = 7 * 24 * 3600;

let gateway: TestGateway;
let story: EmailStory;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new EmailStory(gateway);
});

afterAll(() => gateway.close());

const findAccount = async ({ id }: Account) => gateway.get(Accounts).find(id);

interface Robbed {
  account: Account;
  /** The address of the owner. */
  own: string;
  thief: ManageUser;
  /** The addresses that the thief has set, in order. */
  addresses: string[];
}

/** Somebody who is signed in as the owner has changed the address. */
async function robAccount(times = 1): Promise<Robbed> {
  const { account, user: thief } = await story.createPerson();
  const addresses = Array.from({ length: times }, () => story.address());
  for (const address of addresses) await story.change(thief, address);
  expect(await findAccount(account)).toMatchObject({ email: addresses.at(-1) });
  return { account, own: account.email ?? '', thief, addresses };
}

describe('the notice to a former address', () => {
  it('[EML-3] [S-39] has a link that asks first, and shows which address is restored', async () => {
    const { account, own, addresses } = await robAccount();
    const token = await story.findReturnToken(own);
    const { not_me } = (await story.notMe.open(token)).state('not_me');
    expect(not_me).toMatchObject({ status: 'ask', token, restored_address: expect.stringMatching(/^m•••.?@example\.org$/) });
    expect(await findAccount(account)).toMatchObject({ email: addresses[0] });
    expect((await story.listMails(addresses[0] ?? '')).map(({ kind }) => kind)).toEqual(['email-change-code']);
  });

  it('[EML-3] [NTC-1] [S-132] has a link that restores the address and secures the account, and the new password is mailed there', async () => {
    const { account, own, thief, addresses } = await robAccount();
    expect((await story.notMe.submit(await story.findReturnToken(own))).location).toBe(DONE);
    expect(await findAccount(account)).toMatchObject({ email: own, emailVerified: true });
    expect((await thief.browser.get(PATHS.manage)).location).toBe(`${PATHS.manageError}unauthorized`);
    expect((await story.listMails(addresses[0] ?? '')).map(({ kind }) => kind)).not.toContain('account-secured');
    const secured = (await story.listMails(own)).find(({ kind }) => kind === 'account-secured');
    expect(secured?.values).toMatchObject({ emailRestored: 1 });
    const reset = await story.notMe.findToken({ email: own }, 'account-secured');
    expect((await new ResetStory(gateway).reset(reset)).location).toContain('status=success');
    const event = (await gateway.get(AuditLog).list(account.id)).entries.find(({ kind }) => kind === 'account.secured');
    expect(event?.detail).toMatchObject({ mail: 'own-email-changed', emailRestored: true });
    expect((await story.notMe.open(await story.findReturnToken(own))).location).toBe(USED);
  });

  it('[EML-3] can also be an earlier mail in the same mailbox', async () => {
    const { account, user: thief } = await story.createPerson();
    const fields = { password: PASSWORD, newPassword: 'elster glanz 9917', newPasswordRepeat: 'elster glanz 9917' };
    await thief.post(PATHS.managePassword, fields);
    const earlier = await story.notMe.findToken(account, 'password-changed');
    await story.change(thief, story.address());
    expect((await story.notMe.submit(earlier)).location).toBe(DONE);
    expect(await findAccount(account)).toMatchObject({ email: account.email, emailVerified: true });
    expect((await story.notMe.open(await story.findReturnToken(account.email ?? ''))).location).toBe(USED);
  });

  it('[EML-3] [DEL-2] ends a link that cancels a deletion and was mailed to the later address', async () => {
    const { account, own, thief, addresses } = await robAccount();
    expect((await thief.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
    const mail = (await story.listMails(addresses[0] ?? '')).find(({ kind }) => kind === 'deletion-requested');
    await story.notMe.submit(await story.findReturnToken(own));
    const due = await gateway.get(AccountDeletions).schedule(account.id, { actor: 'operator' });
    const keep = `${PATHS.keepAccount}?token=${String(mail?.values['keep'])}`;
    expect((await gateway.browser().get(keep)).location).toBe(`${PATHS.keepAccountStatus}?status=error-token`);
    expect(await gateway.get(AccountDeletions).find(account.id)).toEqual(due);
  });

  it('[DEL-1] [S-134] is followed by one about a deletion, whose link restores the address and keeps the account', async () => {
    const { account, own, thief, addresses } = await robAccount(2);
    expect((await thief.post(PATHS.manageDeletion)).location).toBe(PATHS.manage);
    for (const [address, isFormer] of [
      [own, true],
      [addresses[0], true],
      [addresses[1], false],
    ] as const) {
      const mail = (await story.listMails(address ?? '')).find(({ kind }) => kind === 'deletion-requested');
      expect(mail?.values).toEqual({
        due: expect.any(String),
        network: expect.any(String),
        token: expect.any(String),
        ...(isFormer ? {} : { keep: expect.any(String) }),
      });
    }
    expect((await story.notMe.submit(await story.notMe.findToken({ email: own }, 'deletion-requested'))).location).toBe(DONE);
    expect(await findAccount(account)).toMatchObject({ email: own, emailVerified: true });
    expect(await gateway.get(AccountDeletions).find(account.id)).toBeNull();
    gateway.clock.advanceSeconds(8 * 24 * 3600);
    await gateway.get(AccountDeletions).schedule(account.id, { actor: 'operator' });
    const mails = (await story.listMails(addresses[0] ?? '')).filter(({ kind }) => kind === 'deletion-requested');
    expect(mails).toHaveLength(1);
  });

  it('[EML-3] leaves an address unverified that was not verified', async () => {
    const { account, user } = await story.createPerson();
    await gateway.get(Accounts).update(account.id, { emailVerified: false });
    await story.change(user, story.address());
    await story.notMe.submit(await story.findReturnToken(account.email ?? ''));
    expect(await findAccount(account)).toMatchObject({ email: account.email, emailVerified: false });
  });

  it('[EML-3] is valid for a week, and is then deleted', async () => {
    const { account, own, addresses } = await robAccount();
    const token = await story.findReturnToken(own);
    const { browser, fields } = await story.notMe.openForm(token);
    gateway.clock.advanceSeconds(WEEK_SECONDS + 1);
    expect((await browser.post(PATHS.notMe, fields)).location).toBe(GONE);
    expect(await findAccount(account)).toMatchObject({ email: addresses[0] });
    await gateway.get(Cleanup).deleteExpired();
    expect(await gateway.database.db.selectFrom('former_email').selectAll().execute()).toEqual([]);
  });

  it('[EML-3] [S-132] works once, also for ten clicks at the same moment', async () => {
    const { own } = await robAccount();
    const { browser, fields } = await story.notMe.openForm(await story.findReturnToken(own));
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.twin().post(PATHS.notMe, fields)));
    expect(answers.map(({ location }) => location).sort()).toEqual([DONE, ...Array<string>(9).fill(USED)].sort());
  });
});

describe('several changes', () => {
  it('[EML-3] [S-132] are undone by the link to the oldest address, which ends the links that were sent to later ones', async () => {
    const { account, own, addresses } = await robAccount(2);
    const [between = ''] = addresses;
    const [first, second] = [await story.findReturnToken(own), await story.findReturnToken(between)];
    expect((await story.notMe.submit(second)).location).toBe(DONE);
    expect(await findAccount(account)).toMatchObject({ email: between });
    expect((await story.notMe.submit(first)).location).toBe(DONE);
    expect(await findAccount(account)).toMatchObject({ email: own });
    expect((await story.notMe.open(second)).location).toBe(USED);
  });

  it('[EML-3] make a link to a later address useless after an older one was restored', async () => {
    const { account, own, addresses } = await robAccount(2);
    const second = await story.notMe.openForm(await story.findReturnToken(addresses[0] ?? ''));
    await story.notMe.submit(await story.findReturnToken(own));
    expect((await second.browser.post(PATHS.notMe, second.fields)).location).toBe(USED);
    expect(await findAccount(account)).toMatchObject({ email: own });
  });

  it('[EML-3] can still be undone after "that was not me" in the later mailbox', async () => {
    const { account, own, thief, addresses } = await robAccount();
    gateway.clock.advanceSeconds(60);
    await signIn(gateway, gateway.browser({ 'user-agent': 'Another' }), account);
    const later = await story.notMe.findToken({ email: addresses[0] ?? '' }, 'new-browser');
    expect((await story.notMe.submit(later)).location).toBe(DONE);
    expect((await thief.browser.get(PATHS.manage)).status).toBe(303);
    expect((await story.notMe.submit(await story.findReturnToken(own))).location).toBe(DONE);
    expect(await findAccount(account)).toMatchObject({ email: own });
  });

  it('[EML-3] cannot be undone after a change by an operator, or after the deletion of the account', async () => {
    const { account, own } = await robAccount();
    const token = await story.findReturnToken(own);
    const operators = story.address();
    await gateway.get(Accounts).update(account.id, { email: operators });
    expect((await story.notMe.open(token)).location).toBe(GONE);
    const rows = gateway.database.db.selectFrom('former_email').select('id').where('account_id', '=', account.id);
    expect(await rows.execute()).toEqual([]);
  });

  it('[EML-3] [S-132] cannot be undone if a gateway of the previous version has changed the address', async () => {
    const { account, own } = await robAccount();
    const written = { email: 'by.an.older.gateway@example.org', email_key: 'by.an.older.gateway@example.org' };
    await gateway.database.db.updateTable('account').set(written).where('id', '=', account.id).execute();
    expect((await story.notMe.open(await story.findReturnToken(own))).location).toBe(GONE);
  });

  it('[EML-3] [NTC-1] end with "that was not me" while they wait for their code', async () => {
    const { account, own, thief } = await robAccount();
    const next = story.address();
    await thief.post(PATHS.manageEmail, { email: next });
    await story.notMe.submit(await story.findReturnToken(own));
    expect((await thief.browser.get(PATHS.manageEmailCode)).location).toBe(`${PATHS.manageError}unauthorized`);
    const { db } = gateway.database;
    const left = db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', account.id);
    expect((await left.execute()).map(({ purpose }) => purpose)).not.toContain('email-change');
    const frozen = await ManageUser.enter(gateway, { account });
    const refused = await (await frozen.rpc()).post('/email/init', { email: next });
    expect([refused.status, refused.body['error']]).toEqual([423, 'credentials frozen']);
  });
});
