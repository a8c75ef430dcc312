import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Attributes } from '../../src/accounts/account/account.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import type { ClaimRule } from '../../src/config/config.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { signInBrowser } from '../support/signed-in-browser.js';

let gateway: TestGateway;
let account: Account;
let count = 0;

const GROUPS: ClaimRule = {
  scope: 'groups',
  claim: 'groups',
  attribute: 'groups',
  tokens: ['id_token', 'access_token'],
  title: { en: 'Your groups' },
};

beforeAll(async () => {
  const folderTexts = { title: { de: 'Kalender', en: 'Calendar' }, description: { en: 'Read your appointments' } };
  const scopes = { calendar: folderTexts, reports: { title: { de: 'Berichte' } } };
  gateway = await startTestGateway({
    config: ({ consent }) => ({ consent: { ...consent, scopes, claims: [...consent.claims, GROUPS] } }),
  });
  account = await gateway.account('maria.musterfrau', {
    displayName: 'Maria Musterfrau',
    email: 'maria@example.org',
    language: 'de',
  });
});

afterAll(() => gateway.close());

function consentFor(more: object = {}): string {
  const challenge = `consent-${(count += 1)}`;
  gateway.hydra.addConsent({ challenge, subject: account.id, client: gateway.hydra.client({ id: `app-${count}` }), ...more });
  return challenge;
}

/** The browser of Maria. */
const person = async (language = 'en') =>
  (await signInBrowser(gateway, { browser: gateway.browser({ 'accept-language': language }) })).browser;

async function openConsent(more: object = {}, language = 'en') {
  const browser = await person(language);
  const challenge = consentFor(more);
  const page = await browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
  const { consent } = page.state('consent');
  return {
    browser,
    challenge,
    page,
    consent,
    fields: { _xsrf: consent.xsrf_token, consent_challenge: challenge, ticket: consent.ticket },
  };
}

const lastCall = () => gateway.hydra.calls.at(-1);

function findGrantedClaims(): unknown[] {
  const call = lastCall();
  return call?.call === 'acceptConsent' ? [call.grant.idTokenClaims, call.grant.accessTokenClaims] : [];
}

describe('the consent page', () => {
  it('[CON-1] [CON-2] contains the client, its policy, the scopes and the challenge', async () => {
    const client = gateway.hydra.client({ policyUri: 'https://app.example/privacy' });
    const { page, consent, challenge } = await openConsent({ client });
    expect(consent).toMatchObject({
      error: null,
      client: { name: 'Beispielportal', policy_uri: 'https://app.example/privacy' },
      scopes: [{ id: 'openid', required: true }, { id: 'profile' }, { id: 'email' }],
      consent_challenge: challenge,
    });
    expect(consent.xsrf_token).not.toBe('');
    expect(page.html).toContain('href="https://app.example/privacy"');
    expect(page.html).toContain('maria.musterfrau');
  });

  it('[CON-2] names a client without a name in words, and omits a policy that is not a web address', async () => {
    for (const policyUri of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'https://ok@evil.example/',
    ]) {
      const { page, consent } = await openConsent({ client: gateway.hydra.client({ name: '', policyUri }) });
      expect(consent.client).toEqual({ name: '' });
      expect(page.html).not.toContain(policyUri);
    }
  });

  it('[CON-3] takes texts of further scopes from the catalogue, in the language of the page', async () => {
    const { consent } = await openConsent({ requestedScope: ['openid', 'calendar', 'unheard-of'] });
    expect(consent.scopes).toEqual([
      { id: 'openid', required: true },
      { id: 'calendar', required: false, title: 'Calendar', description: 'Read your appointments' },
      { id: 'unheard-of', required: false },
    ]);
    const german = await openConsent({ requestedScope: ['calendar'] }, 'de');
    expect(german.consent.scopes[0]?.title).toBe('Kalender');
  });

  it('[CON-3] takes a text in another language if one is missing, and needs no description', async () => {
    const { consent } = await openConsent({ requestedScope: ['reports'] });
    expect(consent.scopes).toEqual([{ id: 'reports', required: false, title: 'Berichte' }]);
    const german = await openConsent({ requestedScope: ['calendar'] }, 'de');
    expect(german.consent.scopes[0]?.description).toBe('Read your appointments');
  });

  it.each([PATHS.consentAccept, PATHS.consentReject])(
    '[CON-9] %s opened by GET shows the page and decides nothing',
    async (path) => {
      const browser = await person();
      const challenge = consentFor();
      const before = gateway.hydra.calls.length;
      const page = await browser.get(`${path}?consent_challenge=${challenge}`);
      expect(page.state('consent').consent.consent_challenge).toBe(challenge);
      expect(gateway.hydra.calls).toHaveLength(before);
    },
  );
});

describe('what an app would receive', () => {
  async function openConsentWith(scopes: readonly string[], attributes: Attributes, groups: readonly string[]) {
    await gateway.get(Accounts).update(account.id, { attributes, groups });
    return openConsent({ requestedScope: ['openid', ...scopes] });
  }

  it('[CON-3] is shown, folded, as the app would receive it', async () => {
    const hostile = '</script><b>&"';
    const attributes = { nickname: hostile, phone_number: '+49 1', phone_number_verified: true, birthdate: '1990-01-02' };
    const { consent, page } = await openConsentWith(['profile', 'email', 'phone', 'groups'], attributes, ['Nord', 'Süd']);
    expect(consent.scopes.map(({ id, values }) => [id, values])).toEqual([
      ['openid', undefined],
      [
        'profile',
        [
          { claim: 'name', value: 'Maria Musterfrau' },
          { claim: 'preferred_username', value: 'maria.musterfrau' },
          { claim: 'locale', value: 'de' },
          { claim: 'updated_at', value: expect.stringMatching(/^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/) },
          { claim: 'nickname', value: hostile },
          { claim: 'birthdate', value: '2 Jan 1990' },
        ],
      ],
      [
        'email',
        [
          { claim: 'email', value: 'maria@example.org' },
          { claim: 'email_verified', value: false },
        ],
      ],
      [
        'phone',
        [
          { claim: 'phone_number', value: '+49 1' },
          { claim: 'phone_number_verified', value: true },
        ],
      ],
      ['groups', [{ claim: 'groups', value: 'Nord, Süd', title: 'Your groups' }]],
    ]);
    expect(page.html).toMatch(/<details[^>]*><summary>Show the data<\/summary>/);
    expect(page.html).not.toContain(hostile);
  });

  it('[CON-3] is empty where the account has nothing, and a scope without claims shows nothing about it', async () => {
    const nothing = { birthdate: null, nickname: null, phone_number: null, phone_number_verified: null };
    const { consent, page } = await openConsentWith(['phone', 'address', 'groups', 'calendar'], nothing, []);
    expect(consent.scopes.map(({ id, values, empty }) => [id, values, empty])).toEqual([
      ['openid', undefined, undefined],
      ['phone', undefined, true],
      ['address', undefined, true],
      ['groups', undefined, true],
      ['calendar', undefined, undefined],
    ]);
    expect(page.html.match(/Nothing is on file/g)).toHaveLength(3);
    expect(page.html).not.toContain('<details');
  });

  it('goes into the tokens that the setting names, and only with its scope', async () => {
    const { browser, fields } = await openConsentWith(['groups', 'work'], {}, ['Nord']);
    await browser.post(PATHS.consentAccept, { ...fields, scopes: ['groups'] });
    expect(lastCall()).toMatchObject({
      grant: { scopes: ['openid', 'groups'], idTokenClaims: { groups: ['Nord'] }, accessTokenClaims: { groups: ['Nord'] } },
    });
    expect(findGrantedClaims()).toEqual([{ groups: ['Nord'] }, { groups: ['Nord'] }]);
  });

  it('[CON-8] is the current data where no page is shown', async () => {
    for (const groups of [['Nord'], ['Süd', 'West']]) {
      await gateway.get(Accounts).update(account.id, { groups });
      const challenge = consentFor({ skip: true, requestedScope: ['openid', 'groups'] });
      await (await person()).get(`${PATHS.consent}?consent_challenge=${challenge}`);
      expect(lastCall()).toMatchObject({ challenge, grant: { idTokenClaims: { groups } } });
    }
  });

  it('is empty if the claims are too long for an address, and the log reports that', async () => {
    const groups = Array.from({ length: 100 }, (_, index) => `a department with a long name, and the number ${index}`);
    const { browser, fields } = await openConsentWith(['groups'], {}, groups);
    await browser.post(PATHS.consentAccept, { ...fields, scopes: ['groups'] });
    expect(lastCall()).toMatchObject({ call: 'rejectConsent', rejection: { code: 'server_error' } });
    expect(gateway.logLines).toContainEqual(
      expect.objectContaining({ level: 50, client: `app-${count}`, accountId: account.id, bytes: expect.any(Number) }),
    );
    await gateway.get(Accounts).update(account.id, { groups: [] });
  });
});

describe('allowing', () => {
  it('[CON-4] grants what was both submitted and requested, with the audience, and claims for those scopes only', async () => {
    const { browser, fields, challenge } = await openConsent({ requestedAudience: ['https://api.example'] });
    const answer = await browser.post(PATHS.consentAccept, { ...fields, scopes: ['openid', 'email', 'admin'] });
    expect(answer.status).toBe(303);
    expect(lastCall()).toMatchObject({
      call: 'acceptConsent',
      challenge,
      grant: {
        scopes: ['openid', 'email'],
        audience: ['https://api.example'],
        idTokenClaims: { email: 'maria@example.org', email_verified: false },
      },
    });
  });

  it('[CON-4] cannot omit openid; without ticks only openid is granted, without claims', async () => {
    const { browser, fields } = await openConsent();
    await browser.post(PATHS.consentAccept, fields);
    expect(findGrantedClaims()).toEqual([{}, {}]);
    expect(lastCall()).toMatchObject({ grant: { scopes: ['openid'] } });
  });

  it('[CON-3] [CON-4] asks once for the two names of background access and uses the answer for both', async () => {
    const requestedScope = ['openid', 'offline', 'offline_access'];
    const { page, consent } = await openConsent({ requestedScope });
    expect(consent.scopes.map(({ id }) => id)).toEqual(requestedScope);
    expect(page.html.match(/type="checkbox"/g)).toHaveLength(1);
    for (const [scopes, granted] of [
      [['offline_access'], requestedScope],
      [[], ['openid']],
    ]) {
      const { browser, fields } = await openConsent({ requestedScope });
      await browser.post(PATHS.consentAccept, { ...fields, scopes: scopes ?? [] });
      expect(lastCall()).toMatchObject({ call: 'acceptConsent', grant: { scopes: granted } });
    }
    expect((await openConsent({ requestedScope: ['openid', 'offline'] })).page.html).toContain('value="offline"');
  });

  it('[CON-4] adds nothing that was not requested, not even openid', async () => {
    const { browser, fields } = await openConsent({ requestedScope: ['profile'] });
    await browser.post(PATHS.consentAccept, { ...fields, scopes: ['profile', 'openid', 'email'] });
    expect(lastCall()).toMatchObject({
      grant: { scopes: ['profile'], idTokenClaims: { name: 'Maria Musterfrau', locale: 'de' } },
    });
  });

  it('[CON-8] needs no page for remembered grants and trusted clients, and the claims are sent again', async () => {
    for (const more of [{ skip: true }, { client: gateway.hydra.client({ skipConsent: true }) }]) {
      const challenge = consentFor(more);
      const answer = await (await person()).get(`${PATHS.consent}?consent_challenge=${challenge}`);
      expect(answer.status).toBe(303);
      expect(lastCall()).toMatchObject({
        call: 'acceptConsent',
        challenge,
        grant: {
          scopes: ['openid', 'profile', 'email'],
          idTokenClaims: { preferred_username: 'maria.musterfrau', email: 'maria@example.org' },
        },
      });
    }
  });

  it('[CON-8] asks for a trusted app on a phone, because any app there can imitate it', async () => {
    const client = gateway.hydra.client({ skipConsent: true, isPublic: true, redirectUris: ['com.example.app:/callback'] });
    const { page } = await openConsent({ client });
    expect(page.status).toBe(200);
    expect(page.state('consent').consent.client.name).toBe(client.name);
  });

  it('gives two clicks at the same moment the same answer, and a later one a page that leads back', async () => {
    const { browser, fields, challenge } = await openConsent();
    const answers = await Promise.all([
      browser.post(PATHS.consentAccept, fields),
      browser.twin().post(PATHS.consentAccept, fields),
    ]);
    expect(answers[0].location).toMatch(/consent_verifier=/);
    expect(answers[0].location).toBe(answers[1].location);
    gateway.clock.advanceSeconds(60);
    const later = await browser.post(PATHS.consentReject, fields);
    expect(later.state('consent').consent).toMatchObject({
      error: 'failed',
      challenge_fault: 'used',
      restart_url: gateway.hydra.requestUrl(),
    });
    expect(gateway.hydra.calls.filter((call) => call.call === 'rejectConsent' && call.challenge === challenge)).toEqual([]);
  });

  it('is refused through another challenge of the same login after a refusal', async () => {
    const first = await openConsent({ flowId: 'one-flow' });
    await first.browser.post(PATHS.consentReject, first.fields);
    gateway.clock.advanceSeconds(60);
    const challenge = consentFor({ flowId: 'one-flow' });
    const page = await first.browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
    expect(page.state('consent').consent.challenge_fault).toBe('used');
  });
});

describe('denying', () => {
  it('[CON-5] rejects the request at the upstream with access_denied', async () => {
    const { browser, fields, challenge } = await openConsent();
    const answer = await browser.post(PATHS.consentReject, fields);
    expect(answer.status).toBe(303);
    expect(lastCall()).toMatchObject({ call: 'rejectConsent', challenge, rejection: { code: 'access_denied' } });
  });

  it('[LOG-11] rejects a request with prompt=none with consent_required', async () => {
    const challenge = consentFor({ requestUrl: gateway.hydra.requestUrl({ prompt: 'none' }) });
    await (await person()).get(`${PATHS.consent}?consent_challenge=${challenge}`);
    expect(lastCall()).toMatchObject({ call: 'rejectConsent', challenge, rejection: { code: 'consent_required' } });
  });

  it('gives an account that was disabled meanwhile nothing', async () => {
    const other = await gateway.account('soon.disabled');
    const { browser, sessionId } = await signInBrowser(gateway, { username: 'soon.disabled' });
    await gateway.get(Accounts).setStatus(other.id, 'disabled');
    const challenge = consentFor({ subject: other.id, skip: true, loginSessionId: sessionId });
    await browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
    expect(lastCall()).toMatchObject({ call: 'rejectConsent', challenge, rejection: { code: 'access_denied' } });
  });

  it('rejects the form of an account that was disabled meanwhile once, also if it is sent twice', async () => {
    const other = await gateway.account('disabled.at.the.page');
    const { browser, sessionId } = await signInBrowser(gateway, { username: 'disabled.at.the.page' });
    const challenge = consentFor({ subject: other.id, loginSessionId: sessionId });
    const { consent } = (await browser.get(`${PATHS.consent}?consent_challenge=${challenge}`)).state('consent');
    await gateway.get(Accounts).setStatus(other.id, 'disabled');
    const fields = { _xsrf: consent.xsrf_token, consent_challenge: challenge, ticket: consent.ticket };
    const first = await browser.twin().post(PATHS.consentAccept, fields);
    const second = await browser.post(PATHS.consentAccept, fields);
    expect([first.status, second.location]).toEqual([303, first.location]);
    const rejections = gateway.hydra.calls.filter((call) => call.call === 'rejectConsent' && call.challenge === challenge);
    expect(rejections).toMatchObject([{ rejection: { code: 'access_denied' } }]);
  });
});

describe('a consent that cannot be given', () => {
  it.each(['', '?consent_challenge=unknown', '?consent_challenge[]=x'])(
    '[CON-6] %s shows "Consent failed!", status 400',
    async (query) => {
      const page = await gateway.browser({ 'accept-language': 'en' }).get(PATHS.consent + query);
      expect(page.status).toBe(400);
      expect(page.html).toContain('Consent failed!');
      expect(page.html).toContain('data-code="failed"');
    },
  );

  it('[CON-5] is refused by a link to the client with access_denied if it has expired', async () => {
    const client = gateway.hydra.client({ id: 'with-query', redirectUris: ['http://localhost:5555/callback?x=1'] });
    gateway.hydra.addClient(client);
    const asked = { client_id: client.id, redirect_uri: 'http://localhost:5555/callback?x=1', state: 'state-1234' };
    const { browser, fields, challenge } = await openConsent({ client, requestUrl: gateway.hydra.requestUrl(asked) });
    gateway.hydra.expire(challenge);
    const answer = await browser.post(PATHS.consentReject, fields);
    const target = 'http://localhost:5555/callback?x=1&error=access_denied&state=state-1234';
    expect(answer.state('consent').consent.redirect_uri).toBe(target);
    expect(answer.html).toContain(`href="${target.replaceAll('&', '&amp;')}"`);
  });

  it('[CON-6] leads back into the request if it has expired', async () => {
    const { browser, fields, challenge } = await openConsent();
    gateway.hydra.expire(challenge);
    const answer = await browser.post(PATHS.consentAccept, fields);
    const restart_url = gateway.hydra.requestUrl();
    expect(answer.state('consent').consent).toMatchObject({ error: 'failed', challenge_fault: 'expired', restart_url });
  });
});

describe('with strict scopes', () => {
  let strict: TestGateway;

  beforeAll(async () => {
    strict = await startTestGateway({ config: ({ consent }) => ({ consent: { ...consent, strictScopes: true } }) });
  });

  afterAll(() => strict.close());

  it('[CON-7] hides the list for an unknown scope, which cannot be accepted and is refused with invalid_scope', async () => {
    const { id } = await strict.account('maria.musterfrau');
    strict.hydra.addConsent({ challenge: 'strict', subject: id, requestedScope: ['openid', 'unheard-of'] });
    const { browser } = await signInBrowser(strict);
    const seen = strict.hydra.calls.length;
    const page = await browser.get(`${PATHS.consent}?consent_challenge=strict`);
    expect(page.html).toContain('The application requested invalid scopes!');
    expect(page.html).not.toContain('name="scopes"');
    expect(page.html).not.toContain('action="/consent/accept"');
    const { xsrf_token } = page.state('consent').consent;
    const accepted = await browser.post(PATHS.consentAccept, {
      _xsrf: xsrf_token,
      consent_challenge: 'strict',
      scopes: 'openid',
    });
    expect(accepted.status).toBe(400);
    expect(strict.hydra.calls.slice(seen)).toEqual([]);
    await browser.post(PATHS.consentReject, { _xsrf: xsrf_token, consent_challenge: 'strict' });
    expect(strict.hydra.calls.slice(seen)).toMatchObject([{ call: 'rejectConsent', rejection: { code: 'invalid_scope' } }]);
  });
});
