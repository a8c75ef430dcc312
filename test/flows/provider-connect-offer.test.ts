/** An identity whose address an account here has is connected by a proof of that account, in the same sign-in (PRV-7). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { randomToken } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD } from '../support/gateway.js';
import { ProviderStory, toCallback } from '../support/provider-story.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

let story: ProviderStory;
let count = 0;

beforeAll(async () => {
  story = await ProviderStory.start();
});
afterAll(() => story.gateway.close());

async function createOwner(verified = true): Promise<{ account: Account; email: string }> {
  const email = `owner${(count += 1)}@people.example`;
  return { account: await story.createPerson({ email, emailVerified: verified }), email };
}

/** Signs in at the provider with an address that it has verified. */
const prove = (email: string | undefined, subject = randomToken(8)) =>
  story.signIn(subject, 'google', { session: email === undefined ? {} : { verifiedEmail: email, label: 'Maria' } });

function submit(browser: TestBrowser, page: TestPage, username: string, more: Record<string, string> = {}): Promise<TestPage> {
  const { login_challenge, xsrf_token: _xsrf, ticket, connect } = page.state('login').login;
  const fields = { login_challenge, _xsrf, ticket, connect_offer: connect?.offer ?? '', password_here: 'true' };
  return browser.post(PATHS.loginNative, { ...fields, username, password: PASSWORD, ...more });
}

const list = async ({ id }: Account) =>
  (await story.gateway.get(ExternalIdentities).list(id)).map(({ issuer, label }) => [issuer, label]);
const kinds = async ({ id }: Account) => (await story.gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind);

describe('[PRV-7] an identity that no account has connected', () => {
  it('is connected by the password of the account with its address, and signs in from then on', async () => {
    const { account, email } = await createOwner();
    const subject = randomToken(8);
    const { answer, browser, challenge } = await prove(email.toUpperCase(), subject);
    expect([answer.status, answer.state('login').login]).toMatchObject([
      200,
      { error: 'connect', provider: 'Google', username: '', connect: { provider: 'Google' } },
    ]);
    expect(answer.html).not.toContain(account.username);
    expect(await list(account)).toEqual([]);
    const wrong = await submit(browser, answer, account.username, { password: 'wrong' });
    expect([wrong.status, wrong.state('login').login]).toMatchObject([
      422,
      { error: 'credentials', connect: answer.state('login').login.connect },
    ]);
    const signedIn = await submit(browser, wrong, account.username);
    expect(signedIn.status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: account.id, amr: ['pwd'] } }]);
    expect(await list(account)).toEqual([['https://google.example', 'Maria']]);
    expect(await kinds(account)).toContain('provider.connected');
    const again = await story.signIn(subject, 'google');
    expect(story.findAccepted(again.challenge)).toMatchObject([{ authentication: { subject: account.id, amr: ['fed'] } }]);
  });

  it('has the same page after a reload, with the same offer', async () => {
    const { account, email } = await createOwner();
    const { answer, browser, fields } = await prove(email);
    const again = await browser.get(`${toCallback('google')}?${new URLSearchParams(fields).toString()}`);
    expect(again.state('login').login).toMatchObject({ error: 'connect', connect: answer.state('login').login.connect });
    expect((await submit(browser, again, account.username)).status).toBe(303);
    expect(await list(account)).toHaveLength(1);
  });

  it.each([
    ['without an address', undefined],
    ['with something that is not an address', "x' or true --"],
  ])('%s is not offered', async (_name, email) => {
    const { answer } = await prove(email);
    const { login } = answer.state('login');
    expect([answer.status, login]).toMatchObject([422, { error: 'credentials', provider: 'Google' }]);
    expect(login.connect).toBeUndefined();
  });

  it('is offered with the same page and event whether or not an account has the address, so that a provider learns nothing', async () => {
    const owner = await createOwner();
    const disabled = await createOwner();
    const accounts = story.gateway.database.db.updateTable('account').set({ status: 'disabled' });
    await accounts.where('id', '=', disabled.account.id).execute();
    const connected = await createOwner();
    await story.connect(connected.account);
    const own = { email: owner.email.toUpperCase() };
    const seen = [];
    for (const { email } of [owner, own, disabled, connected, await createOwner(false), { email: 'nobody@people.example' }]) {
      const { answer, challenge } = await prove(email);
      const { login } = answer.state('login');
      expect(login).toMatchObject({ error: 'connect', connect: { offer: expect.stringMatching(/^google\../) } });
      const { login_challenge: _, xsrf_token: _xsrf, ticket: _ticket, connect, ...shown } = login;
      const state = { ...shown, passkey: undefined, offer: connect?.offer.length };
      seen.push(JSON.stringify([answer.status, state]).replaceAll(challenge, ''));
    }
    expect(new Set(seen).size).toBe(1);
    const refusals = story.gateway.database.db.selectFrom('audit_event').select(['account_id', 'detail']);
    const refused = await refusals.where('kind', '=', 'provider.refused').orderBy('seq', 'desc').limit(6).execute();
    expect(refused).toEqual(Array(6).fill({ account_id: null, detail: { provider: 'google', reason: 'not connected' } }));
  });

  it.each<[string, () => Promise<{ account: Account; email: string }>]>([
    ['has not verified the address', () => createOwner(false)],
    ['has another address', async () => ({ account: (await createOwner()).account, email: 'nobody@people.example' })],
    [
      'shares the address with another one',
      async () => {
        const owner = await createOwner();
        await story.createPerson({ email: owner.email, emailVerified: true });
        return owner;
      },
    ],
    [
      'has connected another identity there',
      async () => {
        const owner = await createOwner();
        await story.connect(owner.account);
        return owner;
      },
    ],
  ])('is not connected with an account that %s', async (_name, createPerson) => {
    const { account, email } = await createPerson();
    const before = await list(account);
    const { answer, browser, challenge } = await prove(email);
    expect((await submit(browser, answer, account.username)).status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: account.id } }]);
    expect(await list(account)).toEqual(before);
  });

  it('is not connected by the password alone where the account has a passkey', async () => {
    const { account, email } = await createOwner();
    const passkey = {
      account_id: account.id,
      credential_id: `credential of ${account.username}`,
      public_key: Buffer.from([1]),
      algorithm: -7,
      counter: 0,
      backup_eligible: true,
      backed_up: true,
      user_verified: true,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'Telefon',
      created_at: new Date(0),
      last_used_at: new Date(0),
    };
    await story.gateway.database.db.insertInto('passkey').values(passkey).execute();
    const { answer, browser, challenge } = await prove(email);
    expect((await submit(browser, answer, account.username)).status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: account.id, amr: ['pwd'] } }]);
    expect(await list(account)).toEqual([]);
  });

  it('is not connected with another account, whoever signs in', async () => {
    const { account, email } = await createOwner();
    const other = await story.createPerson();
    const { answer, browser, challenge } = await prove(email);
    expect((await submit(browser, answer, other.username)).status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: other.id } }]);
    expect([await list(other), await list(account)]).toEqual([[], []]);
  });

  it('is not connected with an offer of another request, a false one, or one that was used', async () => {
    const { account, email } = await createOwner();
    const first = await prove(email);
    const offer = first.answer.state('login').login.connect?.offer ?? '';
    for (const connect_offer of [offer, `google.${randomToken()}`, 'google', 'google.', '.', 'unknown.x']) {
      const challenge = story.request();
      const browser = story.gateway.browser();
      const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
      const answer = await submit(browser, page, account.username, { connect_offer });
      expect(answer.status).toBe(303);
      expect(await list(account)).toEqual([]);
    }
    expect((await submit(first.browser, first.answer, account.username)).status).toBe(303);
    expect(await list(account)).toHaveLength(1);
    await story.gateway.get(ExternalIdentities).disconnect({
      ...{
        accountId: account.id,
        provider: 'google',
        providerName: 'Google',
        auditContext: { actor: 'system' },
        offeredMethods: null,
      },
    });
    const later = await prove(undefined);
    await submit(later.browser, later.answer, account.username, { connect_offer: offer });
    expect(await list(account)).toEqual([]);
  });

  it('is not connected later than 20 minutes, or while credentials are frozen', async () => {
    const { account, email } = await createOwner();
    const stale = await prove(email);
    story.gateway.clock.advanceSeconds(1201);
    expect((await submit(stale.browser, stale.answer, account.username)).status).toBe(303);
    expect(await list(account)).toEqual([]);
    const frozen = await prove(email);
    const until = new Date(story.gateway.clock.now().getTime() + 3_600_000);
    await story.gateway.database.db
      .updateTable('account')
      .set({ credentials_frozen_until: until })
      .where('id', '=', account.id)
      .execute();
    const signedIn = await submit(frozen.browser, frozen.answer, account.username);
    expect([signedIn.status, await list(account)]).toEqual([303, []]);
  });

  it('is connected after the second factor of an account that has one, and not before', async () => {
    const steps = new SecondStepStory(story.gateway);
    const { account, app } = await steps.createPerson();
    const email = `owner${(count += 1)}@people.example`;
    const verified = { email, email_key: email, email_verified: true };
    await story.gateway.database.db.updateTable('account').set(verified).where('id', '=', account.id).execute();
    const { answer, browser, challenge } = await prove(email);
    expect((await submit(browser, answer, account.username)).location).toBe(stepAddress(challenge));
    expect(await list(account)).toEqual([]);
    const waiting = await steps.openStep(browser, challenge);
    const finished = await browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: app.code() });
    expect(finished.status).toBe(303);
    expect(await list(account)).toHaveLength(1);
  });

  it('is connected once by a double click', async () => {
    const { account, email } = await createOwner();
    const { answer, browser } = await prove(email);
    const clicks = await Promise.all([submit(browser, answer, account.username), submit(browser, answer, account.username)]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    expect(await list(account)).toHaveLength(1);
    expect((await kinds(account)).filter((kind) => kind === 'provider.connected')).toHaveLength(1);
  });
});
