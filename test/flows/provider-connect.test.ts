/** Connecting and disconnecting a provider in the account area, over HTTP (MAN-2, 8, 9, 10, 14, RPC-7, NTC-1, 2). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { randomToken } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { ManageUser, accessToken, signIn } from '../support/manage.js';
import { FORM_PROVIDER, ProviderStory } from '../support/provider-story.js';
import type { TestPage } from '../support/test-browser.js';

let story: ProviderStory;

beforeAll(async () => {
  story = await ProviderStory.start();
});

afterAll(() => story.gateway.close());
afterEach(() => story.providers.setDown(false));

const CONNECTED = `${PATHS.manage}?status=oauth-connect-success`;
const DISCONNECTED = `${PATHS.manage}?status=oauth-disconnect-success`;
const toFailureAddress = (code: string) => `${PATHS.manage}?oauth-error=${code}`;
const list = (account: Account) => story.gateway.get(ExternalIdentities).list(account.id);
const findKinds = async ({ id }: Account) =>
  (await story.gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind as string);
const findNotices = async ({ id }: Account) =>
  (await story.gateway.database.db.selectFrom('outbox').select('kind').where('account_id', '=', id).execute()).map(
    ({ kind }) => kind,
  );

async function enterManage(more: Parameters<ProviderStory['createPerson']>[0] = {}): Promise<ManageUser> {
  const account = await story.createPerson({ email: 'maria@example.org', ...more });
  return ManageUser.enter(story.gateway, { account, fresh: true });
}

/** Signs in with the provider alone: no password, no factor. */
async function enterByProvider(more: Parameters<ProviderStory['createPerson']>[0] = {}): Promise<ManageUser> {
  const accounts = story.gateway.get(Accounts);
  const account = await accounts.create({ username: `only.${randomToken(6).replaceAll(/[-_]/g, 'x')}`, ...more });
  const browser = story.gateway.browser({ 'accept-language': 'en' });
  await story.signIn(await story.connect(account), 'google', { browser });
  const entry = await browser.get(`${PATHS.manage}?t=${accessToken(story.gateway, account)}`);
  expect(entry.location).toBe(PATHS.manage);
  return new ManageUser(story.gateway, account, browser);
}

const oauth = (provider: string, what: 'connect' | 'disconnect') => `${PATHS.manageOauth}/${provider}/${what}`;

/** Follows the button to the final page. */
async function connectProvider(
  user: ManageUser,
  provider: string,
  subject = randomToken(8),
  label: string | null = null,
): Promise<TestPage> {
  const { location } = await user.post(oauth(provider, 'connect'));
  return story.callBack(provider, user.browser, story.providers.signIn(location ?? '', subject, { label }));
}

describe('connecting, with script off', () => {
  it.each(['google', FORM_PROVIDER, 'work'])(
    '[MAN-10] [MAN-9] [NTC-1] %s: a round trip connects, with a mail and an audit event',
    async (provider) => {
      const user = await enterManage();
      const answer = await connectProvider(user, provider, 'somebody', 'm.musterfrau@example.org');
      expect([answer.status, answer.location]).toEqual([303, CONNECTED]);
      expect(await list(user.account)).toMatchObject([{ provider, issuer: `https://${provider}.example`, subject: 'somebody' }]);
      expect(await findKinds(user.account)).toContain('provider.connected');
      expect(await findNotices(user.account)).toEqual(['provider-connected']);
      const page = await user.browser.get(CONNECTED);
      expect(page.state('manage').manage).toMatchObject({ status: 'oauth-connect-success' });
      expect(page.state('manage').manage.providers.find(({ id }) => id === provider)).toMatchObject({
        connected: true,
        label: 'm.musterfrau@example.org',
      });
      expect(page.html).toContain(`action="${oauth(provider, 'disconnect')}"`);
      expect(story.providers.requests.at(-1)).toMatchObject({ chooseAccount: true });
    },
  );

  it('[NTC-2] sends a mail with the name of the provider, in the language of the account', async () => {
    const user = await enterManage({ language: 'de', email: 'nur-google@example.org' });
    await connectProvider(user, 'google');
    const mails = await story.gateway.get(OutboxClaims).claim(100);
    const mail = mails.find(({ recipient }) => recipient === 'nur-google@example.org');
    expect(mail).toMatchObject({ kind: 'provider-connected', locale: 'de', values: { provider: 'Google' } });
  });

  it('accepts the same identity again, also for a second account, but not another one of that provider', async () => {
    const user = await enterManage();
    await connectProvider(user, 'google', 'same-for-both');
    expect((await connectProvider(user, 'google', 'same-for-both')).location).toBe(CONNECTED);
    const other = await enterManage();
    expect((await connectProvider(other, 'google', 'same-for-both')).location).toBe(CONNECTED);
    expect((await connectProvider(user, 'google', 'another-one')).location).toBe(toFailureAddress('other_connected'));
    expect(await list(user.account)).toHaveLength(1);
    expect(await findNotices(user.account)).toEqual(['provider-connected']);
  });

  it('[MAN-10] [S-73c] shows faults in its own words', async () => {
    const user = await enterManage();
    const begin = async () => {
      const { location } = await user.post(oauth('google', 'connect'));
      return new URL(location ?? '').searchParams.get('state') ?? '';
    };
    const cancelled = await story.callBack('google', user.browser, { state: await begin(), error: 'access_denied' });
    expect(cancelled.location).toBe(toFailureAddress('access_denied'));
    const hostile = { state: await begin(), error: '<script>', error_description: 'evil' };
    expect((await story.callBack('google', user.browser, hostile)).location).toBe(toFailureAddress('refused'));
    const page = await user.browser.get(toFailureAddress('access_denied'));
    expect(page.html).toContain('Failed to connect to provider');
    expect(page.html).toContain('The request was cancelled at the provider.');
    story.providers.setDown(true);
    expect((await user.post(oauth('google', 'connect'))).location).toBe(toFailureAddress('unavailable'));
    expect(await list(user.account)).toEqual([]);
  });

  it('[NTC-1] connects nothing once credentials are frozen, and says so on the page where it began', async () => {
    const user = await enterManage();
    const { location } = await user.post(oauth('google', 'connect'));
    const { id } = user.account;
    const credentials_frozen_until = new Date(story.gateway.clock.now().getTime() + 3_600_000);
    const { db } = story.gateway.database;
    await db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', id).execute();
    const answer = await story.callBack('google', user.browser, story.providers.signIn(location ?? '', 'thief'));
    expect([answer.status, answer.location]).toEqual([303, toFailureAddress('frozen')]);
    const page = await user.browser.get(toFailureAddress('frozen'));
    expect(page.html).toContain('Nothing has been connected.');
    expect(page.html).toContain('Locked until <time');
    expect(page.html).not.toContain('action="/manage/oauth/');
    for (const action of ['connect', 'disconnect'] as const) {
      expect((await user.post(oauth('google', action))).location).toBe(PATHS.manage);
    }
    expect(await list(user.account)).toEqual([]);
  });

  it('[S-73] ends in the session that began it: not in another browser, not after a logout, not for another person', async () => {
    const user = await enterManage();
    const begin = async () => (await user.post(oauth('google', 'connect'))).location ?? '';
    const foreign = await enterManage();
    const fields = story.providers.signIn(await begin(), 'victim');
    expect((await story.callBack('google', foreign.browser, fields)).location).toBe(toFailureAddress('expired'));
    expect(await list(foreign.account)).toEqual([]);

    const afterwards = story.providers.signIn(await begin(), 'victim');
    await user.logOut();
    // The logout gave the browser a new id, to which the response does not belong.
    const late = await story.callBack('google', user.browser, afterwards);
    expect([late.status, late.state('login').login.error]).toEqual([400, 'challenge']);
    expect(await list(user.account)).toEqual([]);
  });

  it('[S-73] is not possible by a login CSRF with the response of an attacker', async () => {
    const attacker = await enterManage();
    const { location } = await attacker.post(oauth('google', 'connect'));
    const fields = story.providers.signIn(location ?? '', 'attackers-own');
    const victim = await enterManage();
    await story.callBack('google', victim.browser, fields);
    expect(await list(victim.account)).toEqual([]);
  });

  it('is refused for a disabled account', async () => {
    const user = await enterManage();
    const { location } = await user.post(oauth('google', 'connect'));
    const fields = story.providers.signIn(location ?? '', 'late');
    await story.gateway.get(Accounts).setStatus(user.account.id, 'disabled');
    expect((await story.callBack('google', user.browser, fields)).location).toBe(`${PATHS.manageError}unauthorized`);
    expect(await list(user.account)).toEqual([]);
  });

  it('accepts no unknown provider, and shows the settings after a reload', async () => {
    const user = await enterManage();
    expect((await user.post(oauth('unknown', 'connect'))).status).toBe(404);
    for (const what of ['connect', 'disconnect'] as const) {
      expect((await user.browser.get(oauth('google', what))).location).toBe(PATHS.manage);
    }
    expect((await story.gateway.browser().get(oauth('google', 'connect'))).location).toBe(`${PATHS.manageError}unauthorized`);
  });
});

describe('disconnecting, with script off', () => {
  it('[MAN-9] [NTC-1] ends the connection, with a mail and an audit event; a repetition is not a fault', async () => {
    const user = await enterManage();
    await connectProvider(user, 'google', 'to-be-gone');
    const answer = await user.post(oauth('google', 'disconnect'));
    expect([answer.status, answer.location]).toEqual([303, DISCONNECTED]);
    expect((await user.post(oauth('google', 'disconnect'))).location).toBe(DISCONNECTED);
    expect(await list(user.account)).toEqual([]);
    expect(await findKinds(user.account)).toContain('provider.disconnected');
    expect(await findNotices(user.account)).toEqual(['provider-connected', 'provider-disconnected']);
    expect((await story.signIn('to-be-gone')).answer.status).toBe(422);
  });

  it('[S-73] keeps the last sign-in method', async () => {
    const user = await enterByProvider({ email: 'only@example.org' });
    await story.gateway.database.db
      .updateTable('manage_session')
      .set({ proven_at: story.gateway.database.now() })
      .where('account_id', '=', user.account.id)
      .execute();
    const answer = await user.post(oauth('google', 'disconnect'));
    expect([answer.status, answer.state('manage').manage.error]).toEqual([422, 'last way in']);
    expect(answer.html).toContain('You need this to sign in');
    await story.connect(user.account, undefined, 'microsoft');
    expect((await user.post(oauth('google', 'disconnect'))).location).toBe(DISCONNECTED);
    const rpc = await user.rpc();
    expect(await rpc.delete('/oauth/microsoft')).toMatchObject({ status: 409, body: { error: 'last way in' } });
  });

  it('[S-73] is possible for a provider that is no longer configured', async () => {
    const user = await enterManage();
    await connectProvider(user, 'work', 'x');
    story.providers.setOff('work', true);
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage.providers.find(({ id }) => id === 'work')).toMatchObject({ offered: false, connected: true });
    expect((await user.post(oauth('work', 'disconnect'))).location).toBe(DISCONNECTED);
    story.providers.setOff('work', false);
  });

  it('ends the sessions that began with it in other browsers', async () => {
    const user = await enterManage();
    await connectProvider(user, 'google', 'planted');
    const elsewhere = story.gateway.browser();
    await story.signIn('planted', 'google', { browser: elsewhere, sessionId: 'planted-session' });
    const sessions = () =>
      story.gateway.database.db.selectFrom('browser_session').select('amr').where('account_id', '=', user.account.id).execute();
    expect(await sessions()).toHaveLength(2);
    await user.post(oauth('google', 'disconnect'));
    expect(await sessions()).toEqual([{ amr: ['pwd'] }]);
  });
});

describe('a fresh proof', () => {
  it('[MAN-14] [S-78] is required before connecting and disconnecting, by form and by call', async () => {
    const account = await story.createPerson({ email: 'stale@example.org' });
    await story.connect(account, undefined, 'microsoft');
    const user = await ManageUser.enter(story.gateway, { account });
    for (const path of [oauth('google', 'connect'), oauth('microsoft', 'disconnect')]) {
      const page = await user.post(path);
      expect([page.status, page.state('manage_confirm').manage_confirm.methods]).toEqual([403, ['password']]);
    }
    const rpc = await user.rpc();
    for (const answer of [await rpc.delete('/oauth/microsoft'), await rpc.post('/oauth/connect-url/google', {})]) {
      expect([answer.status, answer.body]).toEqual([403, { error: 'proof required', methods: ['password'] }]);
    }
    expect(await list(account)).toHaveLength(1);
  });

  it('[MAN-14] is not a sign-in with a provider alone, but a code by mail', async () => {
    const user = await enterByProvider({ email: 'maria.musterfrau@example.org' });
    const asked = await user.post(oauth('microsoft', 'connect'));
    expect([asked.status, asked.state('manage_confirm').manage_confirm]).toEqual([
      403,
      expect.objectContaining({ methods: ['mail'], method: 'mail', mail: { address: 'm•••u@example.org', sent: false } }),
    ]);
    const fields = { method: 'mail', next: PATHS.manage };
    const sent = await user.post(PATHS.manageConfirm, fields);
    expect(sent.location).toBe(`${PATHS.manageConfirm}?next=%2Fmanage&method=mail`);
    const page = await user.browser.get(sent.location ?? '');
    expect(page.state('manage_confirm').manage_confirm.mail).toEqual({ address: 'm•••u@example.org', sent: true });
    const mails = await story.gateway.get(OutboxClaims).claim(100);
    const code = String(
      mails.find(({ kind, recipient }) => kind === 'proof-code' && recipient === 'maria.musterfrau@example.org')?.values['code'],
    );
    expect(code).toMatch(/^\d{6}$/);
    const wrong = await user.post(PATHS.manageConfirm, { ...fields, code: code === '000000' ? '000001' : '000000' });
    expect([wrong.status, wrong.state('manage_confirm').manage_confirm.error]).toEqual([422, 'invalid verification code']);
    expect((await user.post(PATHS.manageConfirm, { ...fields, code: `${code.slice(0, 3)} ${code.slice(3)}` })).location).toBe(
      PATHS.manage,
    );
    expect((await connectProvider(user, 'microsoft')).location).toBe(CONNECTED);
    expect(await findKinds(user.account)).toContain('proof.ok');
    // Whoever read the code can read the mail of this address.
    expect((await story.gateway.get(Accounts).find(user.account.id))?.emailVerified).toBe(true);
  });

  it('[MAN-14] with a code belongs to one session, works once, for ten minutes, and cannot be guessed', async () => {
    const user = await enterByProvider({ email: 'guessed@example.org' });
    const rpc = await user.rpc();
    const findNewestCode = async () => {
      expect((await rpc.post('/proof/init-mail', {})).status).toBe(200);
      const mails = (await story.gateway.get(OutboxClaims).claim(100)).filter(
        ({ recipient }) => recipient === 'guessed@example.org',
      );
      return String(mails.at(-1)?.values['code']);
    };
    const old = await findNewestCode();
    const code = await findNewestCode();
    if (old !== code) expect((await rpc.post('/proof/verify-mail', { code: old })).status).toBe(422);
    story.gateway.clock.advanceSeconds(601);
    expect((await rpc.post('/proof/verify-mail', { code })).status).toBe(422);
    const next = await findNewestCode();
    for (let guess = 0; guess < 8; guess++) {
      const wrong = String((Number(next) + 1 + guess) % 1_000_000).padStart(6, '0');
      expect((await rpc.post('/proof/verify-mail', { code: wrong })).status).toBe(422);
    }
    const held = await rpc.post('/proof/verify-mail', { code: next });
    expect([held.status, held.body['error']]).toEqual([429, 'too many requests']);
    for (let mail = 0; mail < 2; mail++) await rpc.post('/proof/init-mail', {});
    expect((await rpc.post('/proof/init-mail', {})).status).toBe(429);
  });

  it('[MAN-14] with a mailed code does not replace a password or a factor; without any credential there is no proof', async () => {
    const user = await ManageUser.enter(story.gateway, { account: await story.createPerson({ email: 'x@example.org' }) });
    const rpc = await user.rpc();
    for (const [path, body] of [
      ['init-mail', {}],
      ['verify-mail', { code: '123456' }],
    ] as const) {
      expect((await rpc.post(`/proof/${path}`, body)).status).toBe(403);
    }
    const nothing = await enterByProvider();
    const page = await nothing.post(oauth('google', 'disconnect'));
    expect(page.state('manage_confirm').manage_confirm.methods).toEqual([]);
    expect(page.html).toContain('Please ask your contact person.');
  });
});

describe('the calls', () => {
  it('[RPC-7] list, connect with an address that only this session can use, and disconnect', async () => {
    const user = await enterManage();
    const rpc = await user.rpc();
    expect((await rpc.get('/oauth/accounts')).body).toEqual({});
    const { status, body } = await rpc.post('/oauth/connect-url/google', { returnToUrl: '/manage/mfa?x=1' });
    expect([status, Object.keys(body)]).toEqual([200, ['url']]);
    const url = new URL(String(body['url']));
    expect(url.origin).toBe(story.gateway.config.publicUrl);
    const stranger = await enterManage();
    expect((await stranger.browser.get(url.pathname + url.search)).location).toBe(toFailureAddress('expired'));
    const there = await user.browser.get(url.pathname + url.search);
    const fields = story.providers.signIn(there.location ?? '', 'g-1', { label: 'Maria' });
    expect((await story.callBack('google', user.browser, fields)).location).toBe('/manage/mfa?x=1&status=oauth-connect-success');
    expect((await user.browser.get(url.pathname + url.search)).location).toBe(toFailureAddress('expired'));
    expect((await rpc.get('/oauth/accounts')).body).toEqual({ google: { id: 'g-1', name: 'Maria' } });
    expect((await rpc.delete('/oauth/google')).body).toEqual({});
    for (const gone of ['google', 'unknown', '%00']) {
      expect(await rpc.delete(`/oauth/${gone}`)).toMatchObject({ status: 404, body: { error: 'oauth not found' } });
    }
    expect(await rpc.post('/oauth/connect-url/unknown', {})).toMatchObject({ status: 404, body: { error: 'page_not_found' } });
  });

  it('[RPC-7] [S-17] return only to the account area or to an app that may be linked', async () => {
    const user = await enterManage();
    const rpc = await user.rpc();
    const own = story.gateway.config.publicUrl;
    for (const wanted of [
      undefined,
      `${own}/manage`,
      `${own}/logout`,
      `${own}/manage/../logout`,
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      `${own}@evil.example/`,
      'javascript:alert(1)',
    ]) {
      const { body } = await rpc.post('/oauth/connect-url/google', wanted === undefined ? {} : { returnToUrl: wanted });
      const url = new URL(String(body['url']));
      story.providers.setDown(true);
      const { location } = await user.browser.get(url.pathname + url.search);
      story.providers.setDown(false);
      expect([wanted, location]).toEqual([wanted, toFailureAddress('unavailable')]);
    }
    expect((await rpc.post('/oauth/connect-url/google', { returnToUrl: 7 })).status).toBe(400);
  });

  it('[RPC-7] return to the app that opened the session', async () => {
    const account = await story.createPerson();
    const browser = story.gateway.browser();
    await signIn(story.gateway, browser, account);
    const client = story.gateway.hydra.client();
    const [redirectUri = ''] = client.redirectUris;
    const app = new URL(redirectUri).origin;
    await browser.get(
      `${PATHS.manage}?t=${accessToken(story.gateway, account)}&return_to_url=${encodeURIComponent(`${app}/home`)}`,
    );
    const user = new ManageUser(story.gateway, account, browser);
    const rpc = await user.rpc();
    const { body } = await rpc.post('/oauth/connect-url/google', { returnToUrl: `${app}/settings?a=b#c` });
    const url = new URL(String(body['url']));
    const there = await browser.get(url.pathname + url.search);
    const answer = await story.callBack('google', browser, story.providers.signIn(there.location ?? '', 'app-1'));
    expect(answer.location).toBe(`${app}/settings?a=b&status=oauth-connect-success#c`);
  });
});
