/** The look of an app on the pages of its requests, with the client as the admin API returns it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { PATHS } from '../../src/contract/paths.js';
import { createClientLooks } from '../../src/hydra/client-looks.js';
import type { ClientProfile } from '../../src/hydra/client-profile.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { startFakeAdminApi, type FakeAdminApi } from '../support/fake-admin-api.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { ResetStory } from '../support/resets.js';
import { SecondStepStory } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import type { TestPage } from '../support/test-browser.js';
import { testConfig } from '../support/test-config.js';

const LOOK = { colour: '#b3005e', colour_dark: '#ff8ac2', radius: '4px', logo: 'https://app.example/logo.svg', name: 'The App' };
const SETTINGS = {
  name: 'Nordlicht',
  brandColour: '#1c1f6b',
  clientLooks: ['listed', 'demo', 'hostile-colour', 'hostile-radius', 'hostile-logo', 'hostile-name'],
};

let gateway: TestGateway;
let admin: FakeAdminApi;
let steps: SecondStepStory;
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  admin = await startFakeAdminApi(() => gateway.hydra);
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const { app } = testConfig(({ app: plain }) => ({ app: { ...plain, ...SETTINGS } }));
  const hydra = new OryHydraAdapter(admin.settings, undefined, createClientLooks(app, log));
  gateway = await startTestGateway({ config: () => ({ app }), hydra });
  steps = new SecondStepStory(gateway);
  await gateway.account('maria.musterfrau', { email: 'maria@example.org' });
});
afterAll(async () => {
  await gateway.close();
  await admin.close();
});
beforeEach(() => {
  logged.length = 0;
});

function client(id: string, look: unknown = LOOK, more: Partial<ClientProfile> = {}): ClientProfile {
  const asking = gateway.hydra.client({
    id,
    name: 'app-prod-7',
    foyer: { confirmSession: false, returnUrls: [], look },
    ...more,
  });
  gateway.hydra.addClient(asking);
  return asking;
}

/** The stylesheets in addition to those of the build. */
const toStyles = ({ html }: TestPage): string[] =>
  [...html.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, url = '']) => url);

async function readCss(page: TestPage): Promise<string> {
  const texts = toStyles(page).map(async (path) => (await gateway.browser().get(path)).html);
  return (await Promise.all(texts)).join('');
}

const APP = expect.stringContaining('--radius:4px}:root{--accent:#b3005e;');
const INSTALLATION = expect.stringMatching(/^:root\{--accent:#1c1f6b;/);

const requestUrl = (id: string) => gateway.hydra.requestUrl({ client_id: id });
const openLogin = (asking: ClientProfile) => steps.openLogin({ client: asking, requestUrl: requestUrl(asking.id) });

async function personId(): Promise<string> {
  const people = gateway.database.db.selectFrom('account').select('id').where('username', '=', 'maria.musterfrau');
  return (await people.executeTakeFirstOrThrow()).id;
}

describe('[LKS-4] an app that the installation names', () => {
  it('has its colours on the sign-in page, in one stylesheet with a long cache time', async () => {
    admin.calls.length = 0;
    const { page } = await openLogin(client('listed'));
    expect(admin.calls).toHaveLength(1);
    expect(await readCss(page)).toEqual(APP);
    expect(page.state('login').login.client).toEqual({ name: 'The App', logo_url: LOOK.logo });
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self';");
    const [path = '', ...others] = toStyles(page);
    expect([others, path]).toEqual([[], expect.stringMatching(/^\/assets\/looks\//)]);
    const { status, headers } = await gateway.browser().get(path);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
  });

  it('still shows to whom the page belongs', async () => {
    const { page } = await openLogin(client('listed'));
    expect(page.state('login').app.name).toBe('Nordlicht');
    expect(page.html).toMatch(/<header[^>]*>.*Nordlicht.*<\/header>/s);
  });

  it('keeps them after a refused form, on the second step, on consent and logout', async () => {
    const asking = client('listed');
    const { browser, fields } = await openLogin(asking);
    const refused = await browser.post(PATHS.loginNative, { ...fields, username: 'maria.musterfrau', password: 'wrong' });
    expect([refused.status, await readCss(refused)]).toEqual([422, APP]);

    const { account } = await steps.createPerson();
    const second = await steps.reachStep(account, { client: asking, requestUrl: requestUrl('listed') });
    expect(await readCss(second.page)).toEqual(APP);

    const { browser: person, sessionId } = await signInBrowser(gateway);
    const subject = await personId();
    gateway.hydra.addConsent({ challenge: 'look-consent', subject, client: asking, loginSessionId: sessionId });
    const consent = await person.get(`${PATHS.consent}?consent_challenge=look-consent`);
    expect([consent.state('consent').consent.client.name, await readCss(consent)]).toEqual(['The App', APP]);
    gateway.hydra.addLogout({ challenge: 'look-logout', subject, sessionId, client: asking, rpInitiated: true });
    const logout = await person.get(`${PATHS.logout}?logout_challenge=look-logout`);
    expect([logout.state('logout').logout.client?.name, await readCss(logout)]).toEqual(['The App', APP]);
  });

  it('[DEV-3] keeps them when a device gets access, with the warning, and at the end; the app is unknown while the code is entered', async () => {
    const asking = client('listed');
    const { browser, sessionId } = await signInBrowser(gateway);
    gateway.hydra.addDeviceRequest('look-device');
    const code = await browser.get(`${PATHS.device}?device_challenge=look-device`);
    expect([code.state('device').page, await readCss(code)]).toEqual(['device', INSTALLATION]);
    const requested = 'http://localhost:4444/oauth2/device/verify?client_id=listed&user_code=%2A';
    const subject = await personId();
    gateway.hydra.addConsent({
      challenge: 'look-device',
      subject,
      loginSessionId: sessionId,
      client: asking,
      requestUrl: requested,
    });
    const consent = await browser.get(`${PATHS.consent}?consent_challenge=look-device`);
    expect([consent.state('consent').consent.device, await readCss(consent)]).toEqual([true, APP]);
    expect(consent.html).toMatch(/class="alert warning"[^]*Somebody may have sent you this code/);
    const fields = { _xsrf: consent.state('consent').consent.xsrf_token, consent_challenge: 'look-device', scopes: ['openid'] };
    expect((await browser.post(PATHS.consentAccept, fields)).status).toBe(303);
    const end = await browser.get(`${PATHS.deviceSuccess}?client_id=listed`);
    expect([end.state('device_end').device_end.client?.name, await readCss(end)]).toEqual(['The App', APP]);
  });

  it('keeps them on the pages of a password reset', async () => {
    const story = new ResetStory(gateway);
    const { browser, challenge } = await openLogin(client('listed'));
    const query = `?login_challenge=${challenge}`;
    const { page } = await story.form(browser, query);
    expect(await readCss(page)).toEqual(APP);
    const sent = await story.ask('maria.musterfrau', browser, query);
    expect(await readCss(await browser.get(sent.location ?? ''))).toEqual(APP);
    const token = (await story.listMails()).at(-1)?.values['token'];
    const behind = await gateway.browser().get(`${PATHS.passwordResetForm}?reset_token=${String(token)}`);
    const link = behind.setCookies.find(({ name }) => name.includes('link'));
    const form = await gateway.browser({ cookie: `${link?.name}=${link?.value}` }).get(PATHS.passwordResetForm);
    expect([form.state('password_reset_form').page, await readCss(form)]).toEqual(['password_reset_form', APP]);
  });

  it('has none there while Hydra does not answer, and the page works', async () => {
    const { browser, challenge } = await openLogin(client('listed'));
    gateway.hydra.fail();
    const page = await browser.get(`${PATHS.passwordRequestForm}?login_challenge=${challenge}`);
    gateway.hydra.fail(null);
    expect([page.status, await readCss(page)]).toEqual([200, INSTALLATION]);
  });

  it('has none in the account area', async () => {
    client('demo');
    const { browser } = await ManageUser.enter(gateway);
    expect(await readCss(await browser.get(PATHS.manage))).toEqual(INSTALLATION);
  });

  const HOSTILE = [
    ['colour', 'red;}body{display:none'],
    ['radius', '0</style><script>alert(1)</script>*{background:url(https://evil.example)}'],
    ['logo', 'javascript:alert(1)'],
    ['name', '\u202e\u0000'],
  ] as const;

  it.each(HOSTILE)('a %s like %j is ignored and logged once', async (field, value) => {
    const id = `hostile-${field}`;
    const asking = client(id, { [field]: value }, { logoUri: 'https://app.example/own.png' });
    const [{ page }] = [await openLogin(asking), await openLogin(asking)];
    expect(page.state('login').login.client).toEqual({ name: 'app-prod-7', logo_url: 'https://app.example/own.png' });
    expect(await readCss(page)).toEqual(INSTALLATION);
    expect(page.html).not.toContain(value);
    expect(logged).toEqual([expect.objectContaining({ level: 40, client: id, field })]);
  });

  it('a look of half a megabyte is ignored', async () => {
    const { page } = await openLogin(client('listed', { ...LOOK, name: 'x'.repeat(500_000), '--x': 'y'.repeat(10_000) }));
    expect(await readCss(page)).toEqual(APP);
    expect(page.html.length).toBeLessThan(50_000);
    expect(logged.map(({ field }) => field)).toEqual(['name', 'an unknown member']);
  });
});

describe('[LKS-5] any other app', () => {
  it('has its registered name and logo where the page names the app, and nothing else', async () => {
    const { page } = await openLogin(client('unlisted', LOOK, { logoUri: 'https://app.example/own.png' }));
    expect(page.state('login').login.client).toEqual({ name: 'app-prod-7', logo_url: 'https://app.example/own.png' });
    expect(await readCss(page)).toEqual(INSTALLATION);
    expect(page.html).not.toMatch(/b3005e|The App/);
    expect(page.html).not.toMatch(/<header[^>]*>.*own\.png.*<\/header>/s);
    expect(logged).toEqual([]);
  });

  it('costs no call on the pages of a password reset', async () => {
    const { browser, challenge } = await openLogin(client('unlisted'));
    admin.calls.length = 0;
    const page = await browser.get(`${PATHS.passwordRequestForm}?login_challenge=${challenge}`);
    expect([await readCss(page), admin.calls]).toEqual([INSTALLATION, []]);
  });
});
