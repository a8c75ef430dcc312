/** The code of a device at the gateway: limits, refusals and invalid requests, in front of the fake upstream. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { RequestLimits } from '../../src/accounts/limits/request-limits.js';
import { PATHS } from '../../src/contract/paths.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import type { TestBrowser } from '../support/test-browser.js';

const ADDRESS_FAILURES = 50;
const OWN_CODES = 20;
const CODE = 'Wd7pKa4x';

let gateway: TestGateway;
let account: Account;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ limits }) => ({ trustProxyHops: 1, limits: { ...limits, addressFailures: ADDRESS_FAILURES } }),
  });
  account = await gateway.account('maria.musterfrau');
});

beforeEach(async () => {
  gateway.hydra.addUserCode(CODE);
  await gateway.database.db.deleteFrom('attempt_counter').execute();
});
afterEach(() => gateway.hydra.fail(null));
afterAll(() => gateway.close());

const openBrowserAt = (address: string): TestBrowser => gateway.browser({ 'x-forwarded-for': address, 'accept-language': 'en' });

async function openDevicePage(browser: TestBrowser, query = '') {
  const challenge = `device-${(count += 1)}`;
  gateway.hydra.addDeviceRequest(challenge);
  const page = await browser.get(`${PATHS.device}?device_challenge=${challenge}${query}`);
  const { xsrf_token: _xsrf } = page.state('device').device;
  return { page, challenge, fields: { _xsrf, device_challenge: challenge } };
}

async function enter(browser: TestBrowser, code: string) {
  const { fields } = await openDevicePage(browser);
  return browser.post(PATHS.device, { ...fields, user_code: code });
}

const lastCall = () => gateway.hydra.calls.at(-1);

describe('the code of a device', () => {
  it('[DEV-1] is requested through Hydra where there is no request, with the code if it can be valid', async () => {
    const browser = gateway.browser();
    const verify = `${gateway.hydra.publicUrl}/oauth2/device/verify`;
    for (const [query, target] of [
      ['', verify],
      ['?user_code=Wd7p-Ka4x', `${verify}?user_code=Wd7pKa4x`],
      ['?user_code=%3Cscript%3E', verify],
      ['?user_code=a&user_code=b', verify],
      [`?user_code=${'x'.repeat(300)}`, verify],
      ['?device_challenge=%00', verify],
    ]) {
      expect((await browser.get(`${PATHS.device}${query}`)).location).toBe(target);
    }
  });

  it('[DEV-1] [GEN-9] is a plain form that ignores blanks and dashes, but not case', async () => {
    const browser = gateway.browser();
    const { page, fields, challenge } = await openDevicePage(browser, '&user_code=wd7p%20ka4X');
    expect(page.state('device').device).toMatchObject({ error: null, user_code: 'wd7pka4X', prefilled: true });
    expect(page.html).toContain('autoCapitalize="none"');
    const answer = await browser.post(PATHS.device, { ...fields, user_code: ' Wd7p \u2013 Ka4x ' });
    expect([answer.status, new URL(answer.location ?? '').pathname]).toEqual([303, '/oauth2/device/verify']);
    expect(lastCall()).toEqual({ call: 'acceptDevice', challenge, userCode: CODE });
  });

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['ab!cd', 'code'],
    ['<b>', 'code'],
    [CODE.toLowerCase(), 'code'],
    ['x'.repeat(65), 'code'],
  ])('[DEV-5] [S-86] is refused on the form when it is %j, and accepts nothing', async (code, error) => {
    const calls = gateway.hydra.calls.length;
    const page = await enter(gateway.browser(), code);
    expect([page.status, page.state('device').device]).toEqual([422, expect.objectContaining({ error, user_code: code })]);
    expect(gateway.hydra.calls).toHaveLength(calls);
  });

  it('[S-86] is a bad request if it is not a text or is too long', async () => {
    const browser = gateway.browser();
    const { fields } = await openDevicePage(browser);
    for (const code of [['a', 'b'], 'x'.repeat(201), 'a\0b']) {
      expect((await browser.post(PATHS.device, { ...fields, user_code: code })).status).toBe(400);
    }
  });

  it('[DEV-7] with an unknown or expired challenge leads to a new page for the code', async () => {
    const browser = gateway.browser();
    const { fields, challenge } = await openDevicePage(browser);
    gateway.hydra.expire(challenge);
    const expired = await browser.post(PATHS.device, { ...fields, user_code: CODE });
    const fault = { error: 'challenge', challenge_fault: 'expired', restart_url: PATHS.device };
    expect([expired.status, expired.state('device').device]).toEqual([400, expect.objectContaining(fault)]);
    const missing = await browser.post(PATHS.device, { ...fields, device_challenge: '', user_code: CODE });
    expect(missing.state('device').device.challenge_fault).toBe('missing');
  });

  it('[DEV-7] in an outdated form is shown again', async () => {
    const browser = gateway.browser();
    const { fields } = await openDevicePage(browser);
    const page = await browser.post(
      PATHS.device,
      { ...fields, _xsrf: 'x', user_code: CODE },
      { origin: gateway.config.publicUrl },
    );
    expect([page.status, page.state('device').device.user_code]).toEqual([200, CODE]);
  });

  it('[S-08] gives the second request of a double click the first answer, however slowly it runs', async () => {
    const browser = gateway.browser();
    const { fields } = await openDevicePage(browser);
    const post = () => browser.twin().post(PATHS.device, { ...fields, user_code: CODE });
    const run = gateway.database.run.bind(gateway.database);
    let firstAnswer: Awaited<ReturnType<typeof post>> | undefined;
    // The first request is answered completely while the second one counts its code.
    const runAfterFirst = async (...parameters: Parameters<typeof run>) => {
      if (parameters[0].name === 'request-limit.count' && !firstAnswer) {
        Object.assign(gateway.database, { run });
        firstAnswer = await post();
      }
      return run(...parameters);
    };
    Object.assign(gateway.database, { run: runAfterFirst });
    try {
      const { status, location } = await post();
      expect([status, location]).toEqual([303, firstAnswer?.location]);
    } finally {
      Object.assign(gateway.database, { run });
    }
    const { db } = gateway.database;
    const counters = await db.selectFrom('attempt_counter').select('failures').where('failures', '>', 0).execute();
    // The page counts as one request of its network.
    expect(counters).toHaveLength(1);
  });

  it('during an outage of Hydra is answered with 503, and can be tried again', async () => {
    const browser = gateway.browser();
    const { fields } = await openDevicePage(browser);
    gateway.hydra.fail(new UpstreamUnavailable('away'));
    expect((await browser.post(PATHS.device, { ...fields, user_code: CODE })).status).toBe(503);
    gateway.hydra.fail(null);
    expect((await browser.post(PATHS.device, { ...fields, user_code: CODE })).status).toBe(303);
  });
});

describe('[DEV-5] [S-138] a challenge that anybody can invent', () => {
  const PAGES = 10 * ADDRESS_FAILURES;

  async function findStatements(request: () => Promise<unknown>): Promise<string[]> {
    const names: string[] = [];
    const run = gateway.database.run.bind(gateway.database);
    Object.assign(gateway.database, { run: (...given: Parameters<typeof run>) => (names.push(given[0].name), run(...given)) });
    try {
      await request();
    } finally {
      Object.assign(gateway.database, { run });
    }
    return names;
  }

  const rows = async (): Promise<number> => {
    const { db } = gateway.database;
    return (await db.selectFrom('challenge_record').select('kind').where('kind', '=', 'device').execute()).length;
  };

  const page = (browser: TestBrowser, challenge: string) => browser.get(`${PATHS.device}?device_challenge=${challenge}`);

  it('is claimed once, and stores nothing when its page is loaded again', async () => {
    const browser = openBrowserAt('192.0.2.30');
    const before = await rows();
    expect(await findStatements(() => page(browser, 'loaded'))).toEqual([
      'challenge.peek',
      'request-limit.count',
      'challenge.claim',
    ]);
    expect(await findStatements(() => page(browser, 'loaded'))).toEqual(['challenge.peek']);
    expect(await rows()).toBe(before + 1);
  });

  it('leaves no row beyond the limit of its network, and the code can still be entered', async () => {
    const browser = openBrowserAt('192.0.2.31');
    const before = await rows();
    const address = { address: '192.0.2.31', requestId: 'test' };
    const limits = gateway.get(RequestLimits);
    for (let used = 1; used < PAGES; used += 1) await limits.count('device-page', address);
    for (const challenge of ['last', 'beyond-1', 'beyond-2']) expect((await page(browser, challenge)).status).toBe(200);
    expect(await rows()).toBe(before + 1);
    expect((await enter(browser, CODE)).status).toBe(303);
  });

  it('leaves no row for a form without a code, or one whose code is not checked', async () => {
    const [browser, before] = [openBrowserAt('192.0.2.32'), await rows()];
    const { fields } = await openDevicePage(browser);
    for (const user_code of ['', 'ab!cd'])
      await browser.post(PATHS.device, { ...fields, device_challenge: 'made-up-1', user_code });
    for (let round = 0; round < OWN_CODES; round += 1)
      await browser.post(PATHS.device, { ...fields, user_code: `wrong${round}` });
    expect(await rows()).toBe(before + 1);
    await gateway.database.db.deleteFrom('challenge_record').where('kind', '=', 'device').execute();
    expect([(await browser.post(PATHS.device, { ...fields, user_code: CODE })).status, await rows()]).toEqual([429, 0]);
  });
});

describe('limits on the codes of devices', () => {
  it('[DEV-5] [S-136] allow a number per hour for a browser, also at the same moment, and another browser continues', async () => {
    const browser = openBrowserAt('192.0.2.1');
    const { fields } = await openDevicePage(browser);
    const enterWrongCode = (index: number) => browser.post(PATHS.device, { ...fields, user_code: `wrong${index}` });
    const answers = await Promise.all(Array.from({ length: OWN_CODES + 5 }, (_, index) => enterWrongCode(index)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(OWN_CODES);
    const limited = await browser.post(PATHS.device, { ...fields, user_code: CODE });
    expect([limited.status, limited.state('device').device.error]).toEqual([429, 'limited']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.html).toContain('Too many codes');
    expect((await enter(openBrowserAt('192.0.2.1'), CODE)).status).toBe(303);
    gateway.clock.advanceSeconds(3601);
    expect((await browser.post(PATHS.device, { ...fields, user_code: CODE })).status).toBe(303);
  });

  it('[DEV-5] [S-136] allow a number for a network address, in any browser', async () => {
    for (let round = 0; round < ADDRESS_FAILURES; round += 1) {
      expect((await enter(openBrowserAt('192.0.2.7'), `wrong${round}`)).status).toBe(422);
    }
    expect((await enter(openBrowserAt('192.0.2.7'), CODE)).status).toBe(429);
    expect((await enter(openBrowserAt('198.51.100.7'), CODE)).status).toBe(303);
  });

  it('[DEV-5] [S-136] allow a number for an account, in any browser where it is signed in; right codes are not counted', async () => {
    const tries = async (address: string, codes: readonly string[]): Promise<number[]> => {
      const { browser } = await signInBrowser(gateway, { browser: openBrowserAt(address) });
      const statuses: number[] = [];
      for (const code of codes) statuses.push((await enter(browser, code)).status);
      return statuses;
    };
    const wrongs = Array.from({ length: OWN_CODES - 1 }, (_, index) => `wrong${index}`);
    await tries('192.0.2.20', wrongs);
    expect(await tries('192.0.2.21', [CODE, CODE, 'wrong'])).toEqual([303, 303, 422]);
    expect(await tries('192.0.2.22', [CODE])).toEqual([429]);
  });
});

describe('the access of a device', () => {
  const REQUEST = { requestUrl: 'http://localhost:4444/oauth2/device/verify?client_id=demo&user_code=%2A%2A%2A%2A' };

  it('[DEV-3] [S-137] needs consent for trusted clients and after remembered grants, and is not remembered', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    gateway.hydra.addConsent({
      subject: account.id,
      loginSessionId: sessionId,
      ...REQUEST,
      challenge: 'device-consent',
      skip: true,
      client: gateway.hydra.client({ skipConsent: true }),
    });
    const page = await browser.get(`${PATHS.consent}?consent_challenge=device-consent`);
    const { consent } = page.state('consent');
    expect(consent.device).toBe(true);
    expect(page.html).toContain('Somebody may have sent you this code');
    const fields = { _xsrf: consent.xsrf_token, consent_challenge: 'device-consent', scopes: ['openid'] };
    await browser.post(PATHS.consentAccept, fields);
    expect(lastCall()).toMatchObject({ call: 'acceptConsent', grant: { remember: false, rememberForSeconds: 0 } });
  });

  it('[DEV-4] is not granted after a refusal, which the audit log records', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    gateway.hydra.addConsent({ challenge: 'refused', subject: account.id, loginSessionId: sessionId, ...REQUEST });
    const { consent } = (await browser.get(`${PATHS.consent}?consent_challenge=refused`)).state('consent');
    const answer = await browser.post(PATHS.consentReject, { _xsrf: consent.xsrf_token, consent_challenge: 'refused' });
    expect(answer.location).toBe(`${PATHS.deviceDenied}?status=denied`);
    const page = await browser.get(answer.location ?? '');
    expect(page.state('device_end').device_end).toEqual({ status: 'denied' });
    const event = await gateway.database.db
      .selectFrom('audit_event')
      .select('detail')
      .where('kind', '=', 'consent.refused')
      .orderBy('seq', 'desc')
      .executeTakeFirst();
    expect(event?.detail).toMatchObject({ device: true, error: 'access_denied' });
  });

  it('[DEV-6] is not granted to an account that cannot reach the required acr, and a page explains that', async () => {
    const story = new SecondStepStory(gateway);
    const person = await story.createPerson('device.totp');
    const browser = gateway.browser();
    gateway.hydra.addLogin({ challenge: 'strict', ...REQUEST, acrValues: ['phr'] });
    const { login } = (await browser.get(`${PATHS.login}?login_challenge=strict`)).state('login');
    const fields = { _xsrf: login.xsrf_token, login_challenge: 'strict', username: person.account.username, password: PASSWORD };
    const answer = await browser.post(PATHS.loginNative, fields);
    expect(answer.location).toBe(`${PATHS.deviceDenied}?status=unmet`);
    expect((await browser.get(answer.location ?? '')).state('device_end').device_end.status).toBe('unmet');
  });

  it('[DEV-6] [S-149] is not granted to anybody if the app requires only an unknown acr', async () => {
    const browser = gateway.browser();
    const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], deviceAcrValues: ['phrr'] } });
    gateway.hydra.addLogin({ challenge: 'misspelled', ...REQUEST, acrValues: ['phrr'], client });
    const { login } = (await browser.get(`${PATHS.login}?login_challenge=misspelled`)).state('login');
    const fields = { _xsrf: login.xsrf_token, login_challenge: 'misspelled', username: account.username, password: PASSWORD };
    const calls = gateway.hydra.calls.length;
    const answer = await browser.post(PATHS.loginNative, fields);
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([403, 'app_settings']);
    expect(gateway.hydra.calls).toHaveLength(calls);
    const reason = 'metadata.foyer of the client "demo": device_acr_values names no class that this installation knows';
    expect(gateway.logLines).toContainEqual(expect.objectContaining({ level: 40, code: 'app_settings', reason }));
  });

  it('[DEV-2] [S-150] ends on a page that names the app only after a grant, and ignores everything in the address', async () => {
    gateway.hydra.addClient(gateway.hydra.client({ id: 'other', name: 'Anderes' }));
    const { browser, sessionId } = await signInBrowser(gateway);
    const end = async (from: TestBrowser, query: string) =>
      (await from.get(`${PATHS.deviceSuccess}${query}`)).state('device_end').device_end;
    const endWith = (query: string) => end(browser, query);
    gateway.hydra.addConsent({ challenge: 'let-in', subject: account.id, loginSessionId: sessionId, ...REQUEST });
    const { consent } = (await browser.get(`${PATHS.consent}?consent_challenge=let-in`)).state('consent');
    expect(await endWith('?client_id=demo')).toEqual({ status: 'success' });
    const fields = { _xsrf: consent.xsrf_token, consent_challenge: 'let-in', scopes: ['openid'] };
    expect((await browser.post(PATHS.consentAccept, fields)).status).toBe(303);
    expect(await endWith('?client_id=other')).toEqual({ status: 'success' });
    expect(await end(gateway.browser(), '?client_id=demo')).toEqual({ status: 'success' });
    expect(await endWith('?client_id=demo')).toEqual({ status: 'success', client: { name: 'Beispielportal' } });
    for (const query of ['', '?client_id=nobody', '?client_id=%3Cb%3E', '?client_id=%00', '?client_id=a&client_id=b']) {
      expect(await endWith(query)).toEqual({ status: 'success' });
    }
    gateway.hydra.fail();
    expect(await endWith('?client_id=demo')).toEqual({ status: 'success' });
    const denied = await browser.get(`${PATHS.deviceDenied}?status=success`);
    expect(denied.state('device_end').device_end.status).toBe('denied');
  });
});
