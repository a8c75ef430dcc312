/** The e-mail address in the account area: a code at the new address, and the notice to the old one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { Keys } from '../../src/config/keys.js';
import type { SourceSettings } from '../../src/config/source-settings.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { EmailStory } from '../support/own-email.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import type { TestPage } from '../support/test-browser.js';

const SUCCESS = `${PATHS.manage}?status=email-success`;

let gateway: TestGateway;
let story: EmailStory;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new EmailStory(gateway);
});

afterAll(() => gateway.close());

const findAccount = async ({ id }: Account) => gateway.get(Accounts).find(id);
const findEvents = async ({ id }: Account) => (await gateway.get(AuditLog).list(id)).entries;

describe('a change of the e-mail address', () => {
  it('[EML-1] needs a code that was mailed to the new address, which is then verified', async () => {
    const { user, account } = await story.createPerson();
    const overview = await user.page(PATHS.manage, 'manage');
    expect(overview.manage.email).toEqual({ address: account.email, verified: true });
    const address = story.address();
    const sent = await user.post(PATHS.manageEmail, { email: ` ${address} ` });
    expect([sent.status, sent.location]).toEqual([303, PATHS.manageEmailCode]);
    const { manage_email: asked } = await user.page(PATHS.manageEmailCode, 'manage_email');
    expect(asked).toEqual({ error: null, email: '', current: account.email, sent_to: address });
    expect((await findAccount(account))?.email).toBe(account.email);
    const [mail, ...more] = await story.listMails(address);
    expect([mail?.kind, more]).toEqual(['email-change-code', []]);
    const done = await user.post(PATHS.manageEmailCode, { code: await story.findCode(address) });
    expect([done.status, done.location]).toEqual([303, SUCCESS]);
    expect(await findAccount(account)).toMatchObject({ email: address, emailVerified: true });
    const event = (await findEvents(account)).find(({ kind }) => kind === 'account.changed');
    expect(event).toMatchObject({ actor: 'person', detail: { fields: ['email', 'emailVerified'] } });
    expect(JSON.stringify(await findEvents(account))).not.toContain(address);
  });

  it('[EML-1] is made by RPC as with the forms', async () => {
    const { user, account } = await story.createPerson();
    const calls = await user.rpc();
    const address = story.address();
    expect((await calls.get('/email')).body).toEqual({ email: account.email, email_verified: true });
    expect(await calls.post('/email/init', { email: address })).toMatchObject({ status: 200, body: {} });
    const wrong = await calls.post('/email/verify', { code: '000000' });
    expect([wrong.status, wrong.body]).toEqual([422, { error: 'invalid verification code' }]);
    expect((await calls.post('/email/verify', { code: await story.findCode(address) })).status).toBe(200);
    expect((await calls.get('/email')).body).toEqual({ email: address, email_verified: true });
    const again = await calls.post('/email/verify', { code: await story.findCode(address) });
    expect([again.status, again.body]).toEqual([410, { error: 'session expired' }]);
  });

  it('[EML-1] adds a first address, and verifies an existing one', async () => {
    const none = await newPerson(gateway);
    const user = await ManageUser.enter(gateway, { account: none, fresh: true });
    const address = story.address();
    expect((await story.change(user, address)).location).toBe(SUCCESS);
    const written = await newPerson(gateway, { email: story.address() });
    const other = await ManageUser.enter(gateway, { account: written, fresh: true });
    const { manage_email: shown } = await other.page(PATHS.manageEmail, 'manage_email');
    expect(shown).toMatchObject({ email: written.email, current: written.email });
    expect((await story.change(other, written.email ?? '')).location).toBe(SUCCESS);
    expect(await findAccount(written)).toMatchObject({ email: written.email, emailVerified: true });
    expect((await story.listMails(written.email ?? '')).map(({ kind }) => kind)).toEqual(['email-change-code']);
  });

  it.each([
    ['', 'email is empty'],
    ['maria', 'email is invalid'],
    ['maria@example.org\r\nBcc: x@example.org', 'email is invalid'],
    ['"quoted"@example.org', 'email is invalid'],
    [`${'a'.repeat(250)}@example.org`, 'email is invalid'],
  ])('[EML-1] reports the fault of %j, and sends nothing', async (typed, error) => {
    const { user } = await story.createPerson();
    const page = await user.post(PATHS.manageEmail, { email: typed });
    expect([page.status, page.state('manage_email').manage_email]).toMatchObject([422, { error, email: typed }]);
    expect((await user.browser.get(PATHS.manageEmailCode)).location).toBe(PATHS.manageEmail);
  });

  it('[EML-1] [MAN-14] [S-132] needs a fresh proof at both steps, and keeps the input', async () => {
    const { user, account } = await story.createPerson();
    const address = story.address();
    await user.post(PATHS.manageEmail, { email: address });
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 5);
    const later = story.address();
    const question = await user.post(PATHS.manageEmail, { email: later });
    const { next } = question.state('manage_confirm').manage_confirm;
    expect([question.status, next]).toEqual([403, expect.stringMatching(/^\/manage\/credentials\/email\?kept=/)]);
    const code = await user.post(PATHS.manageEmailCode, { code: await story.findCode(address) });
    expect([code.status, code.state('manage_confirm').manage_confirm.next]).toEqual([403, PATHS.manageEmailCode]);
    const calls = await user.rpc();
    expect((await calls.post('/email/init', { email: later })).body['error']).toBe('proof required');
    expect((await calls.post('/email/verify', { code: '123456' })).body['error']).toBe('proof required');
    await user.post(PATHS.manageConfirm, { method: 'password', password: PASSWORD, next });
    expect((await user.page(next, 'manage_email')).manage_email.email).toBe(later);
    expect((await findAccount(account))?.email).toBe(account.email);
  });

  it('[EML-4] is not offered where the installation turns it off, or cannot send mail', async () => {
    const base = gateway.config;
    const settings = [
      () => ({ manage: { ...base.manage, features: ['activity' as const] } }),
      ({ mail: { from } }: typeof base) => ({ mail: { from } }),
    ];
    for (const config of settings) {
      const other = await startTestGateway({ config });
      const user = await ManageUser.enter(other, { fresh: true });
      expect((await user.page(PATHS.manage, 'manage')).manage.email).toBeUndefined();
      expect((await user.browser.get(PATHS.manageEmail)).status).toBe(404);
      expect((await user.post(PATHS.manageEmailCode, { code: '123456' })).status).toBe(404);
      const answer = await (await user.rpc()).post('/email/init', { email: story.address() });
      expect([answer.status, answer.body['error']]).toEqual([404, 'page_not_found']);
      await other.close();
    }
  });

  it('[EML-4] is refused for people of a source, which owns the address: no page, form or call changes it', async () => {
    const person = { username: 'shopper', email: 'shopper@example.org', emailVerified: true, attributes: {}, isActive: true };
    const people = new FakeUserSource('shop');
    people.people.push({ subject: 'id-1', password: PASSWORD, ...person });
    const settings = { id: 'shop' } as unknown as SourceSettings;
    const other = await startTestGateway({ sources: [people], config: () => ({ sources: [settings] }) });
    try {
      await signIn(other, other.browser(), { username: person.username } as Account);
      const account = await other.get(Accounts).findByUsername(person.username);
      if (!account) throw new Error('The sign-in has made no account.');
      const user = await ManageUser.enter(other, { account, fresh: true });
      expect((await user.page(PATHS.manage, 'manage')).manage.email).toBeUndefined();
      expect((await user.browser.get(PATHS.manageEmail)).location).toBe(PATHS.manage);
      const address = story.address();
      const form = await user.post(PATHS.manageEmail, { email: address });
      expect([form.status, form.state('manage_email').manage_email.error]).toEqual([422, 'email elsewhere']);
      const call = await (await user.rpc()).post('/email/init', { email: address });
      expect([call.status, call.body['error']]).toEqual([409, 'email elsewhere']);
      expect(await new EmailStory(other).listMails(address)).toEqual([]);
      expect((await other.get(Accounts).find(account.id))?.email).toBe(person.email);
    } finally {
      await other.close();
    }
  });
});

describe('the code', () => {
  it('[EML-2] [S-133] works once, for ten minutes, with five attempts, in its session, and only the newest one', async () => {
    const { user, account } = await story.createPerson();
    const [first, second] = [story.address(), story.address()];
    await user.post(PATHS.manageEmail, { email: first });
    const old = await story.findCode(first);
    await user.post(PATHS.manageEmail, { email: second });
    const refused = await user.post(PATHS.manageEmailCode, { code: old });
    expect(refused.state('manage_email').manage_email).toMatchObject({ error: 'invalid verification code', sent_to: second });
    const other = await ManageUser.enter(gateway, { account, fresh: true });
    const elsewhere = await other.post(PATHS.manageEmailCode, { code: await story.findCode(second) });
    expect(elsewhere.state('manage_email').manage_email.error).toBe('session expired');
    for (let time = 0; time < 4; time++) await user.post(PATHS.manageEmailCode, { code: old });
    const spent = await user.post(PATHS.manageEmailCode, { code: await story.findCode(second) });
    expect(spent.state('manage_email').manage_email.error).toBe('session expired');
    await user.post(PATHS.manageEmail, { email: second });
    gateway.clock.advanceSeconds(601);
    const late = await user.post(PATHS.manageEmailCode, { code: await story.findCode(second) });
    expect(late.state('manage_email').manage_email.error).toBe('session expired');
    expect((await findAccount(account))?.email).toBe(account.email);
  });

  it('[EML-2] [S-133] still works at the fifth attempt', async () => {
    const { user, account } = await story.createPerson();
    const address = story.address();
    await user.post(PATHS.manageEmail, { email: address });
    const code = await story.findCode(address);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let time = 0; time < 4; time++) expect((await user.post(PATHS.manageEmailCode, { code: wrong })).status).toBe(422);
    expect((await user.post(PATHS.manageEmailCode, { code })).location).toBe(SUCCESS);
    expect((await findAccount(account))?.email).toBe(address);
  });

  it('[EML-2] [S-133] is not compared after too many wrong ones from its network, or in the whole installation', async () => {
    const other = await startTestGateway({ config: ({ limits }) => ({ limits: { ...limits, addressFailures: 3 } }) });
    try {
      const stories = new EmailStory(other);
      const begin = async () => {
        const { user } = await stories.createPerson();
        const address = stories.address();
        await user.post(PATHS.manageEmail, { email: address });
        return { user, code: await stories.findCode(address) };
      };
      const enter = ({ user }: { user: ManageUser }, code: string) => user.post(PATHS.manageEmailCode, { code });
      const isLimited = (page: TestPage) =>
        expect([page.status, page.state('manage_email').manage_email]).toMatchObject([
          429,
          { error: 'too many requests', retry_after: expect.any(Number), sent_to: expect.any(String) },
        ]);
      const [first, second, third] = [await begin(), await begin(), await begin()];
      const enterWrong = async (times: number) => {
        const wrong = first.code === '000000' ? '000001' : '000000';
        for (let time = 0; time < times; time++) expect((await enter(first, wrong)).status).toBe(422);
      };
      await enterWrong(2);
      // A right code does not count.
      expect((await enter(second, second.code)).location).toBe(SUCCESS);
      await enterWrong(1);
      isLimited(await enter(third, third.code));
      other.clock.advanceSeconds(3601);
      const late = await begin();
      const full = { failures: 1000, window_until: new Date(other.clock.now().getTime() + 1_800_000) };
      const key = other.get(Keys).mac('limits', 'email-change-code installation');
      await other.database.db.updateTable('attempt_counter').set(full).where('key', '=', `r:${key}`).execute();
      isLimited(await enter(late, late.code));
      other.clock.advanceSeconds(1801);
      const last = await begin();
      expect((await enter(last, last.code)).location).toBe(SUCCESS);
    } finally {
      await other.close();
    }
  });

  it('[EML-2] of another session is invalid once the address has changed, also by an operator', async () => {
    const { user, account } = await story.createPerson();
    const other = await ManageUser.enter(gateway, { account, fresh: true });
    const [mine, theirs] = [story.address(), story.address()];
    await other.post(PATHS.manageEmail, { email: theirs });
    expect((await story.change(user, mine)).location).toBe(SUCCESS);
    const late = await other.post(PATHS.manageEmailCode, { code: await story.findCode(theirs) });
    expect(late.state('manage_email').manage_email.error).toBe('session expired');
    await other.post(PATHS.manageEmail, { email: theirs });
    await gateway.get(Accounts).update(account.id, { email: story.address() });
    const later = await other.post(PATHS.manageEmailCode, { code: await story.findCode(theirs) });
    expect(later.state('manage_email').manage_email.error).toBe('session expired');
  });

  it('[EML-2] [S-133] is sent five times an hour for one account, and ten times to one mailbox by all accounts', async () => {
    const target = story.address();
    const statuses: number[] = [];
    for (let person = 0; person < 3; person++) {
      const { user } = await story.createPerson();
      for (let time = 0; time < 6; time++) statuses.push((await user.post(PATHS.manageEmail, { email: target })).status);
    }
    expect(statuses).toEqual([...Array<number>(5).fill(303), 429, ...Array<number>(4).fill(303), ...Array<number>(8).fill(429)]);
    const { user } = await story.createPerson();
    const limited = await user.post(PATHS.manageEmail, { email: target.toUpperCase() });
    expect(limited.state('manage_email').manage_email).toMatchObject({
      error: 'too many requests',
      retry_after: expect.any(Number),
    });
  });

  it('[EML-2] is not sent more often to other people because one was entered from the mailbox of its owner', async () => {
    const { user } = await story.createPerson();
    for (let time = 0; time < 4; time++) await user.post(PATHS.manageEmail, { email: story.address() });
    expect((await story.change(user, story.address())).location).toBe(SUCCESS);
    expect((await user.post(PATHS.manageEmail, { email: story.address() })).status).toBe(429);
  });

  it('[EML-2] [S-133] reveals nothing about who has the address to somebody who only enters it', async () => {
    const byEmail = await startTestGateway({ config: ({ login }) => ({ login: { ...login, byEmail: true } }) });
    const stories = new EmailStory(byEmail);
    const { account: owner } = await stories.createPerson();
    const { user, account } = await stories.createPerson();
    const free = stories.address();
    const taken = owner.email ?? '';
    const answers = [];
    for (const email of [taken, free]) {
      const { status, location } = await user.post(PATHS.manageEmail, { email });
      const { manage_email: shown } = await user.page(PATHS.manageEmailCode, 'manage_email');
      answers.push([status, location, { ...shown, sent_to: '' }]);
    }
    expect(answers[0]).toEqual(answers[1]);
    await user.post(PATHS.manageEmail, { email: taken });
    const refused = await user.post(PATHS.manageEmailCode, { code: await stories.findCode(taken) });
    expect(refused.state('manage_email').manage_email).toMatchObject({ error: 'email not available', email: taken });
    expect(await byEmail.get(Accounts).find(account.id)).toMatchObject({ email: account.email });
    const again = await user.post(PATHS.manageEmailCode, { code: await stories.findCode(taken) });
    expect(again.state('manage_email').manage_email.error).toBe('session expired');
    await byEmail.close();
  });
});
