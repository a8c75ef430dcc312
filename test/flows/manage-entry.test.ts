import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { ManageUser, accessToken, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { signInBrowser } from '../support/signed-in-browser.js';

const UNAUTHORIZED = `${PATHS.manageError}unauthorized`;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ config: (config) => ({ manage: { ...config.manage, clients: ['demo', 'other'] } }) });
});

beforeEach(() => gateway.hydra.fail(null));

afterAll(() => gateway.close());

describe('opening the account area', () => {
  it('[MAN-1] turns the token into a session and removes it from the address', async () => {
    const account = await newPerson(gateway, { displayName: 'Maria Musterfrau' });
    const browser = gateway.browser();
    const entry = await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    expect(entry.status).toBe(303);
    expect(entry.location).toBe(PATHS.manage);
    expect(entry.headers.get('cache-control')).toBe('no-store');
    expect(entry.headers.get('referrer-policy')).toBe('no-referrer');
    const cookie = entry.setCookies.find(({ name }) => name === 'foyer-manage');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: undefined });
    expect(cookie?.value).toMatch(/^[\w-]{43}$/);
    const state = (await browser.get(PATHS.manage)).state('manage');
    expect(state.user).toEqual({ id: account.id, username: account.username, display_name: 'Maria Musterfrau' });
    expect(state.manage).toEqual({
      factors: [],
      ways_in: [{ name: 'passkey', count: 0 }],
      protection: 'factor-missing',
      status: null,
      username: account.username,
      password_set: true,
      totp_registered: false,
      count_registered_fido2_devices: 0,
      providers: [],
      email: { address: null, verified: false },
      features: ['activity', 'email', 'data', 'deletion'],
    });
  });

  it('[MAN-1] without a token or a session leads to the error page, at every address of the area', async () => {
    const { manageError: _, manageRpc: __, manageOauth, ...paths } = PATHS;
    const pages: string[] = Object.values(paths).filter((path) => path.startsWith(PATHS.manage));
    pages.push(`${manageOauth}/google/connect`, `${manageOauth}/google/disconnect`);
    expect(pages.length).toBeGreaterThan(6);
    for (const path of pages) expect((await gateway.browser().get(path)).location).toBe(UNAUTHORIZED);
    const page = await gateway.browser().get(UNAUTHORIZED);
    expect(page.status).toBe(401);
    expect(page.state('manage_error').manage_error).toEqual({ code: 'unauthorized' });
  });

  it('[S-74] refuses every other kind of token with the same answer', async () => {
    const account = await newPerson(gateway);
    const disabled = await newPerson(gateway);
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    const revoked = accessToken(gateway, account);
    gateway.hydra.revokeToken(revoked);
    const tokens = [
      '',
      'unknown',
      'a\u0000b',
      'x'.repeat(9000),
      revoked,
      accessToken(gateway, account, { scopes: ['openid', 'profile', 'identity'] }),
      accessToken(gateway, account, { clientId: 'a-client-that-is-not-listed' }),
      accessToken(gateway, account, { audience: ['https://api.example'] }),
      accessToken(gateway, { id: 'machine' }),
      accessToken(gateway, disabled),
    ];
    for (const token of tokens) {
      const entry = await gateway.browser().get(`${PATHS.manage}?t=${encodeURIComponent(token)}`);
      expect([entry.status, entry.location]).toEqual([303, UNAUTHORIZED]);
      expect(entry.setCookies.map(({ name }) => name)).not.toContain('foyer-manage');
    }
    const good = accessToken(gateway, account);
    expect((await gateway.browser().get(`${PATHS.manage}?t=${good}&t=${good}`)).location).toBe(UNAUTHORIZED);
    expect(gateway.logLines.filter(({ event }) => event === 'area.refused').length).toBeGreaterThanOrEqual(tokens.length);
  });

  it('[S-74] refuses a token of a client itself, although the client has the id of an account', async () => {
    const open = await startTestGateway({ config: (config) => ({ manage: { ...config.manage, clients: [] } }) });
    const account = await newPerson(open);
    const tokens = [accessToken(open, account), accessToken(open, account, { clientId: account.id })];
    const entries = await Promise.all(tokens.map((token) => open.browser().get(`${PATHS.manage}?t=${token}`)));
    await open.close();
    expect(entries.map(({ location }) => location)).toEqual([PATHS.manage, UNAUTHORIZED]);
  });

  it('accepts a token for several audiences that include this product', async () => {
    const audience = ['https://api.example', `${gateway.config.publicUrl}/`];
    const entry = await gateway
      .browser()
      .get(`${PATHS.manage}?t=${accessToken(gateway, await newPerson(gateway), { audience })}`);
    expect(entry.location).toBe(PATHS.manage);
  });

  it('[MAN-1] needs a token that belongs to the browser which brings it first', async () => {
    const account = await newPerson(gateway);
    const address = `${PATHS.manage}?t=${accessToken(gateway, account)}`;
    const [first, second] = [gateway.browser(), gateway.browser()];
    expect((await first.get(address)).location).toBe(PATHS.manage);
    expect((await second.get(address)).location).toBe(UNAUTHORIZED);
    const stale = first.clone();
    expect((await first.get(address)).location).toBe(PATHS.manage);
    expect((await first.get(PATHS.manage)).status).toBe(200);
    expect((await stale.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
    const rows = await gateway.database.db
      .selectFrom('manage_session')
      .select('id')
      .where('account_id', '=', account.id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('[MAN-1] admits one of many browsers at the same moment', async () => {
    const address = `${PATHS.manage}?t=${accessToken(gateway, await newPerson(gateway))}`;
    const entries = await Promise.all(Array.from({ length: 6 }, () => gateway.browser().get(address)));
    expect(entries.filter(({ location }) => location === PATHS.manage)).toHaveLength(1);
  });

  it('[S-79] leaves the token nowhere: not in a log or on a page, also during an outage of the upstream', async () => {
    const account = await newPerson(gateway);
    const token = accessToken(gateway, account);
    const browser = gateway.browser();
    gateway.hydra.fail(new UpstreamUnavailable('The upstream did not answer'));
    const failed = await browser.get(`${PATHS.manage}?t=${token}`);
    expect(failed.location).toBe(`${PATHS.manageError}unavailable`);
    gateway.hydra.fail(null);
    const answers = [
      // A mail program encodes the question mark of a link.
      await browser.get(`${PATHS.manage}%3Ft=${token}`),
      await browser.get(`${PATHS.passwordResetForm}%3Freset_token=${token}`),
      await browser.get(`${PATHS.manage}?t=${token}`),
      await browser.get(PATHS.manage),
      await browser.request(`${PATHS.manage}?t=${token}`, { method: 'POST' }),
    ];
    for (const { html, location, headers } of [failed, ...answers]) {
      expect(html + (location ?? '') + JSON.stringify([...headers])).not.toContain(token);
    }
    expect(gateway.logLines.some(({ path }) => path === PATHS.manage)).toBe(true);
    expect(JSON.stringify(gateway.logLines)).not.toContain(token);
    const row = await gateway.database.db.selectFrom('manage_session').selectAll().where('account_id', '=', account.id).execute();
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('[MAN-2] [GEN-6] offers a link back to an address of the client, and to no other', async () => {
    gateway.hydra.addClient(gateway.hydra.client({ id: 'other', name: 'Other', clientUri: 'https://evil.example/' }));
    const account = await newPerson(gateway);
    const findReturnLink = async (query: string, clientId = 'demo') => {
      const browser = gateway.browser();
      await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account, { clientId })}${query}`);
      const { app } = (await browser.get(PATHS.managePassword)).state('manage_password');
      return [app.return_to_url, app.return_to_name];
    };
    const wanted = encodeURIComponent('http://localhost:5555/settings');
    expect(await findReturnLink(`&return_to_url=${wanted}`)).toEqual(['http://localhost:5555/settings', 'Beispielportal']);
    expect(await findReturnLink('')).toEqual(['http://localhost:5555/', 'Beispielportal']);
    expect(await findReturnLink('&return_to_url=https://evil.example/')).toEqual(['http://localhost:5555/', 'Beispielportal']);
    expect(await findReturnLink('&return_to_url=javascript:alert(1)', 'other')).toEqual([undefined, undefined]);
  });
});

describe('the session', () => {
  it('[V32] ends for the former person when somebody else signs in in the browser', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const calls = await user.rpc();
    await signIn(gateway, user.browser, await newPerson(gateway));
    expect((await user.browser.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
    expect((await calls.get('/userinfo')).status).toBe(401);
  });

  it('[V32] ends then too where the browser has only the cookie of the account area', async () => {
    const user = await ManageUser.enter(gateway);
    const cookie = user.browser.cookies(PATHS.manage).find((pair) => pair.startsWith('foyer-manage=')) ?? '';
    await signIn(gateway, gateway.browser({ cookie }), await newPerson(gateway));
    expect((await user.browser.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
  });

  it('continues when the same person signs in again', async () => {
    const user = await ManageUser.enter(gateway);
    await signIn(gateway, user.browser, user.account);
    expect((await user.browser.get(PATHS.manage)).status).toBe(200);
  });

  it('ends with the logout, including its cookie and calls', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const calls = await user.rpc();
    const thief = user.browser.clone();
    gateway.hydra.addLogout({ challenge: 'area-logout', subject: user.account.id });
    const page = await user.browser.get(`${PATHS.logout}?logout_challenge=area-logout`);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: 'area-logout' };
    const answer = await user.browser.post(PATHS.logoutAccept, fields);
    const cookie = answer.setCookies.find(({ name }) => name === 'foyer-manage');
    expect(cookie).toMatchObject({ value: '', maxAgeSeconds: 0 });
    expect((await thief.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
    expect((await calls.get('/userinfo')).status).toBe(401);
  });

  it('[OUT-6] ends by its logout only after the person was asked', async () => {
    const user = await ManageUser.enter(gateway);
    const calls = await user.rpc();
    const thief = user.browser.clone();
    const { area } = await user.page(PATHS.manage, 'manage');
    const answer = await user.browser.post(PATHS.manageLogout, { _xsrf: area.xsrf_token });
    expect(answer.location).toBe(`${gateway.config.hydra.publicUrl}/oauth2/sessions/logout`);
    expect((await user.browser.get(PATHS.manage)).status).toBe(200);
    const asked = (await user.browser.get(PATHS.logoutCallback)).state('logout').logout;
    const fields = { _xsrf: asked.xsrf_token, logout_challenge: '' };
    expect((await user.browser.post(PATHS.logoutAccept, fields)).location).toBe(PATHS.logoutCallback);
    expect((await thief.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
    expect((await calls.get('/userinfo')).status).toBe(401);
    expect((await user.browser.get(PATHS.logoutCallback)).state('logout').logout.status).toBe('accepted');
  });

  it('[OUT-4] is asked about when an upstream without a session reports that all is done', async () => {
    const user = await ManageUser.enter(gateway);
    const readCallback = async () => (await user.browser.get(PATHS.logoutCallback)).state('logout').logout;
    const asked = await readCallback();
    expect(asked).toMatchObject({ status: 'pending', local: true, account: { id: user.account.id } });
    const fields = { _xsrf: asked.xsrf_token, logout_challenge: '' };
    expect((await user.browser.post(PATHS.logoutReject, fields)).location).toBe(PATHS.manage);
    expect((await readCallback()).status).toBe('pending');
    const answer = await user.browser.post(PATHS.logoutAccept, fields);
    expect(answer.location).toBe(PATHS.logoutCallback);
    expect((await user.browser.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
    // No sign-in of this browser is known, so no app was notified.
    expect(await readCallback()).toMatchObject({ status: 'accepted', apps_notified: false });
  });

  it('ends at once when the account is disabled', async () => {
    const user = await ManageUser.enter(gateway);
    const calls = await user.rpc();
    await gateway.get(Accounts).setStatus(user.account.id, 'disabled');
    expect((await user.browser.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
    expect((await calls.get('/userinfo')).status).toBe(401);
  });
});

describe('[S-78c] an access token alone', () => {
  const REFUSED = { status: 403, body: { error: 'proof required', methods: ['password'] } };
  const READ = ['/devices', '/apps', '/activity', '/trusted-browsers'];
  const ENDED = ['/devices', '/devices/x', '/apps', '/apps/x', '/trusted-browsers', '/trusted-browsers/x'];

  const isOpen = async ({ browser }: ManageUser) => (await browser.get(PATHS.manageDevices)).html.includes('manage_devices');

  it('reads and ends no devices, apps and trusted browsers, and reads no activity, before a proof', async () => {
    const account = await newPerson(gateway);
    const owner = await ManageUser.enter(gateway, { account, fresh: true });
    const thief = await ManageUser.enter(gateway, { account });
    for (const path of [PATHS.manageDevices, PATHS.manageApps, PATHS.manageActivity]) {
      expect((await thief.page(path, 'manage_confirm')).manage_confirm).toMatchObject({ next: path, methods: ['password'] });
    }
    for (const path of [PATHS.manageDevices, PATHS.manageDeviceTrust, PATHS.manageApps, PATHS.manageAppScopes]) {
      const answer = await thief.post(path, { key: '' });
      expect([answer.status, answer.state('manage_confirm').manage_confirm.error]).toEqual([403, null]);
    }
    const calls = await thief.rpc();
    for (const path of READ) expect(await calls.get(path)).toMatchObject(REFUSED);
    for (const path of ENDED) expect(await calls.delete(path)).toMatchObject(REFUSED);
    expect(await calls.put('/apps/x/scopes', { scopes: [] })).toMatchObject(REFUSED);
    expect((await calls.get('/userinfo')).status).toBe(200);
    expect(await isOpen(owner)).toBe(true);
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    for (const path of READ) expect((await calls.get(path)).status).toBe(200);
    expect((await calls.delete('/devices')).status).toBe(200);
    expect(await isOpen(owner)).toBe(false);
  });

  it('is enough together with a sign-in in the same browser, before or after it, however old', async () => {
    const account = await newPerson(gateway);
    const before = await ManageUser.enter(gateway, { account, fresh: true });
    const after = await ManageUser.enter(gateway, { account });
    expect(await isOpen(after)).toBe(false);
    await signIn(gateway, after.browser, account);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    for (const user of [before, after]) expect(await isOpen(user)).toBe(true);
  });

  it('[S-10] is not enough for somebody who had seen the id of a browser before its owner signed in there', async () => {
    const account = await newPerson(gateway);
    const owner = gateway.browser();
    await owner.get(PATHS.login);
    const seen = owner.cookies('/').find((pair) => pair.startsWith('foyer=')) ?? '';
    const thief = new ManageUser(gateway, account, gateway.browser({ cookie: seen }));
    await thief.browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    await signIn(gateway, owner, account);
    expect((await thief.browser.get(PATHS.manageDevices)).location).toBe(UNAUTHORIZED);
    await owner.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    const { devices } = (await new ManageUser(gateway, account, owner).page(PATHS.manageDevices, 'manage_devices'))
      .manage_devices;
    expect(devices).toHaveLength(1);
  });

  it('is not enough together with the sign-in of another person', async () => {
    const browser = gateway.browser();
    await signIn(gateway, browser, await newPerson(gateway));
    const account = await newPerson(gateway);
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    expect(await isOpen(new ManageUser(gateway, account, browser))).toBe(false);
  });
});

describe('pages', () => {
  it('[MAN-8] [MAN-10] show on the overview what has just happened, and nothing without a text', async () => {
    const user = await ManageUser.enter(gateway);
    const toState = async (query: string) => (await user.page(`${PATHS.manage}${query}`, 'manage')).manage;
    expect(await toState('?status=password-success')).toMatchObject({ status: 'password-success' });
    expect(await toState('?status=account%20security')).toMatchObject({ status: 'account-security' });
    expect(await toState('?status=you-won')).toMatchObject({ status: null });
    expect(await toState('?status=mfa-success&status=x')).toMatchObject({ status: null });
    expect(await toState('?oauth-error=access%20denied')).toMatchObject({ oauth_error: 'access denied' });
    expect(await toState('?status=mfa-success&factor=totp')).toMatchObject({ status: 'mfa-success', status_factor: 'totp' });
  });

  it('[MAN-10] show it too when connecting a provider returned to them', async () => {
    const user = await ManageUser.enter(gateway);
    const toChange = async (query: string) => (await user.page(`${PATHS.manageMfa}${query}`, 'manage_mfa')).last_change;
    expect(await toChange('')).toBeUndefined();
    expect(await toChange('?status=oauth-connect-success')).toEqual({ status: 'oauth-connect-success' });
    expect(await toChange('?oauth-error=frozen')).toEqual({ oauth_error: 'frozen' });
    expect(await toChange('?status=you-won')).toBeUndefined();
  });

  it.each([
    ['', 404, 'page_not_found'],
    ['page_not_found', 404, 'page_not_found'],
    ['unauthorized', 401, 'unauthorized'],
    ['error', 400, 'error'],
    ['__proto__', 400, '__proto__'],
  ])('[MAN-6] answer %i at error/%s', async (code, status, shown) => {
    const page = await gateway.browser().get(PATHS.manageError + code);
    expect([page.status, page.state('manage_error').manage_error]).toEqual([status, { code: shown }]);
  });

  it('[MAN-6] lead back into the account area from an error, if it is open', async () => {
    const user = await ManageUser.enter(gateway);
    expect((await user.page(`${PATHS.manageError}error`, 'manage_error')).manage_error.back_url).toBe(PATHS.manage);
  });

  it('[S-91] are not cached, and only their exact addresses are pages', async () => {
    const user = await ManageUser.enter(gateway);
    const page = await user.browser.get(PATHS.manage);
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const path of [`${PATHS.manage}/x.css`, `${PATHS.manage}/`, `${PATHS.manageMfa}/x.png`, '/MANAGE']) {
      const other = await user.browser.get(path);
      expect(other.status).toBe(404);
      expect(other.html).not.toContain(user.account.username);
    }
  });
});

describe('a token of another person while no account area is open', () => {
  it('[S-79b] shows whose account area it is, and does nothing there without a proof of that person', async () => {
    await gateway.account('maria.ohne.bereich');
    const { browser } = await signInBrowser(gateway, { username: 'maria.ohne.bereich' });
    const sender = await newPerson(gateway, { displayName: 'Jonas Beispiel' });
    expect((await browser.get(`${PATHS.manage}?t=${accessToken(gateway, sender)}`)).location).toBe(PATHS.manage);
    const page = await browser.get(PATHS.manage);
    expect(page.state('manage').user).toMatchObject({ id: sender.id });
    expect(page.html).toContain('Jonas Beispiel');
    for (const path of [SERVER_PATHS.manageRegisterTotp, PATHS.manageEmail, PATHS.manageDevices, PATHS.manageData]) {
      const asked = await browser.get(path);
      expect([path, asked.state('manage_confirm').manage_confirm.methods]).toEqual([path, ['password']]);
    }
  });
});

describe('a token of another person while the account area is open', () => {
  const enterWithOtherToken = async () => {
    const user = await ManageUser.enter(gateway);
    const other = await newPerson(gateway, { displayName: 'Jonas Beispiel' });
    const token = accessToken(gateway, other);
    const entry = await user.browser.get(`${PATHS.manage}?t=${token}`);
    return { user, other, token, entry };
  };

  it('[MAN-1] [S-79b] replaces nothing before the person has agreed', async () => {
    const { user, other, token, entry } = await enterWithOtherToken();
    expect(entry.location).toMatch(/^\/manage\?entry=[\w-]{43}$/);
    expect(entry.location).not.toContain(token);
    const asked = (await user.browser.get(entry.location ?? '')).state('manage_switch');
    expect(asked.user?.id).toBe(user.account.id);
    expect(asked.manage_switch.account).toEqual({ id: other.id, name: 'Jonas Beispiel', username: other.username });
    expect((await user.browser.get(PATHS.manage)).state('manage').user?.id).toBe(user.account.id);
    const fields = { _xsrf: asked.area.xsrf_token, entry: asked.manage_switch.entry };
    const agreed = await user.browser.post(PATHS.manageSwitch, fields);
    expect(agreed.location).toBe(PATHS.manage);
    expect((await user.browser.get(PATHS.manage)).state('manage').user?.id).toBe(other.id);
    expect((await user.browser.post(PATHS.manageSwitch, fields)).location).toContain(PATHS.manage);
  });

  it('[MAN-1] ends the account area of the earlier person when it is replaced, also for a copy of its cookie', async () => {
    const { user, other, entry } = await enterWithOtherToken();
    const copy = user.browser.clone();
    const state = (await user.browser.get(entry.location ?? '')).state('manage_switch');
    await user.browser.post(PATHS.manageSwitch, { _xsrf: state.area.xsrf_token, entry: state.manage_switch.entry });
    expect((await user.browser.get(PATHS.manage)).state('manage').user?.id).toBe(other.id);
    expect((await copy.get(PATHS.manage)).location).toBe(UNAUTHORIZED);
  });

  it('[S-74] has a question that is valid once, in this session only, and not with a foreign form', async () => {
    const { user, entry } = await enterWithOtherToken();
    const id = new URL(entry.location ?? '', 'http://area').searchParams.get('entry') ?? '';
    expect((await user.browser.post(PATHS.manageSwitch, { entry: id })).status).toBe(403);
    const stranger = await ManageUser.enter(gateway);
    expect((await stranger.browser.get(entry.location ?? '')).state('manage').user?.id).toBe(stranger.account.id);
    await stranger.post(PATHS.manageSwitch, { entry: id });
    expect((await stranger.browser.get(PATHS.manage)).state('manage').user?.id).toBe(stranger.account.id);
    gateway.clock.advanceSeconds(601);
    await user.post(PATHS.manageSwitch, { entry: id });
    expect((await user.browser.get(PATHS.manage)).state('manage').user?.id).toBe(user.account.id);
  });

  it.each([
    ['without the scope id', () => ({ scopes: ['openid'] }), false],
    ['for another audience', () => ({ audience: ['https://api.example.org'] }), false],
    ['of a client that may not open the area', () => ({ clientId: 'unknown' }), false],
    ['that belongs to another browser', () => ({}), true],
  ])('[S-74] %s does not reveal its owner', async (_what, more, isPresented) => {
    const { browser } = await ManageUser.enter(gateway);
    const token = accessToken(gateway, await newPerson(gateway, { displayName: 'Jonas Beispiel' }), more());
    if (isPresented) await gateway.browser().get(`${PATHS.manage}?t=${token}`);
    expect((await browser.get(`${PATHS.manage}?t=${token}`)).location).toBe(UNAUTHORIZED);
  });

  it('[MAN-1] leaves the open account area unchanged if it is invalid', async () => {
    const { browser, account } = await ManageUser.enter(gateway);
    expect((await browser.get(`${PATHS.manage}?t=ory_at_nonsense`)).location).toBe(UNAUTHORIZED);
    expect((await browser.get(PATHS.manage)).state('manage').user?.id).toBe(account.id);
  });
});
