/** Requests of an attacker that the gateway could read differently from the upstream, on every upstream. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { PATHS } from '../../../src/contract/paths.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import type { Parameters } from '../../support/oauth-client.js';
import { EMBEDDED, type Leg } from '../../support/upstream-leg.js';
import { allow, signIn, startFront, type Front } from './front.js';

/** Any app on a phone can claim this address. */
const PRIVATE_SCHEME = 'com.example.native:/callback';
const EVIL = 'https://evil.example/x';
/** Without `openid` in the scope, the upstream ignores request objects. */
const SCOPE = 'offline profile';

const encodeUnsigned = (members: object): string => new UnsecuredJWT({ ...members }).encode();

/** These stories have a gateway of their own, because other stories move its clock. */
export function requestStories(leg: Leg): void {
  describe('[S-144] a request that can be read in two ways', () => {
    let started: Front;

    beforeAll(async () => {
      started = await startFront(leg);
    });

    beforeEach(async () => {
      started.client = await started.register({});
    });

    afterAll(() => started.close());

    addressStories(() => started);
    consentStories(() => started);
    if (leg.name !== EMBEDDED) objectStories(() => started);
  });
}

/** Follows the link of the app to a page, the client, or an address of somebody else. */
function go({ client }: Front, person: BrowserWalk, parameters: Parameters): Promise<Arrival> {
  const isElsewhere = ({ href }: URL): boolean =>
    [...person.clientUrls, PRIVATE_SCHEME, EVIL].some((url) => href.startsWith(url));
  return person.withStop(isElsewhere).go(client.authorizationUrl({ scope: SCOPE, ...parameters }));
}

/** Signs in and grants the whole scope. */
async function grantScope(front: Front, scope = SCOPE): Promise<BrowserWalk> {
  const person = front.person();
  await allow(person, await signIn(person, await go(front, person, { scope }), { remember: 'true' }));
  const again = await go(front, person, { scope });
  expect(again.url.searchParams.get('code')).toBeTruthy();
  return person;
}

function addressStories(front: () => Front): void {
  it('a request object that the upstream ignores cannot redirect whoever opens the consent address', async () => {
    const { client, gateway } = front();
    const attacker = await grantScope(front());
    const request = encodeUnsigned({ prompt: 'none', redirect_uri: EVIL });
    const consentPage = `${gateway.config.publicUrl}${PATHS.consent}`;
    const consent = await attacker
      .withStop(({ href }) => href.startsWith(consentPage))
      .go(client.authorizationUrl({ scope: SCOPE, request }));
    expect(consent.url.pathname).toBe(PATHS.consent);
    const opened = await front()
      .person()
      .withStop(({ href }) => href.startsWith(EVIL))
      .go(consent.url.href);
    expect(opened.url.href.startsWith(consentPage)).toBe(true);
    expect(opened.state('consent').consent.error).toBe('failed');
  });

  it('[CON-5] [LOG-11] a silent request that another browser opens is answered only at the registered address', async () => {
    const { client, gateway } = front();
    const owner = await grantScope(front());
    const consentPage = `${gateway.config.publicUrl}${PATHS.consent}`;
    const consent = await owner
      .withStop(({ href }) => href.startsWith(consentPage))
      .go(client.authorizationUrl({ scope: SCOPE, prompt: 'none' }));
    const opened = await front().person().go(consent.url.href);
    expect(opened.url.href).toBe(`${client.registration.redirectUri}?error=login_required&state=state-12345678`);
  });
}

function consentStories(front: () => Front): void {
  const registerPublic = async (more: Record<string, unknown> = {}): Promise<string> => {
    const web = front().client.registration.redirectUri;
    const metadata = { token_endpoint_auth_method: 'none', client_secret: undefined, redirect_uris: [web, PRIVATE_SCHEME] };
    front().client = await front().register({ ...metadata, ...more });
    return web;
  };
  /** Requests of an app that has claimed the scheme: each names the web address, or hides its real address. */
  const listDisguises = (web: string): [string, Parameters][] => [
    ['none', {}],
    ['an object with the web address', { request: encodeUnsigned({ redirect_uri: web }) }],
    ['an object with any https address', { request: encodeUnsigned({ redirect_uri: 'https://any.example/' }) }],
    ['an object at an address', { request_uri: 'https://app.example/request' }],
    ['an object that cannot be read', { request: 'x' }],
  ];

  it('an app with a private scheme gets nothing without a page from a grant to the web address', async () => {
    const web = await registerPublic();
    const person = await grantScope(front());
    for (const [disguise, parameters] of listDisguises(web)) {
      const page = await go(front(), person, { redirect_uri: PRIVATE_SCHEME, ...parameters });
      expect([disguise, page.url.pathname]).toEqual([disguise, PATHS.consent]);
      expect(page.state('consent').consent.scopes.some((scope) => scope.granted)).toBe(false);
    }
  });

  it('[CON-8] an app with a private scheme gets nothing without a page from `skip_consent`', async () => {
    const web = await registerPublic({ skip_consent: true });
    const person = front().person();
    await signIn(person, await go(front(), person, {}), { remember: 'true' });
    expect((await go(front(), person, {})).url.searchParams.get('code')).toBeTruthy();
    for (const [disguise, parameters] of listDisguises(web)) {
      const page = await go(front(), person, { redirect_uri: PRIVATE_SCHEME, ...parameters });
      expect([disguise, page.url.pathname]).toEqual([disguise, PATHS.consent]);
    }
  });

  it('[CON-8] `skip_consent` does not count if the upstream may have read another request', async () => {
    front().client = await front().register({ skip_consent: true });
    const person = front().person();
    await signIn(person, await go(front(), person, {}), { remember: 'true' });
    const page = await go(front(), person, { request_uri: 'https://app.example/request' });
    expect(page.url.pathname).toBe(PATHS.consent);
  });

  it('[CON-10] a request object cannot hide that the app requests the consent page', async () => {
    const person = await grantScope(front());
    for (const parameters of [
      {},
      { request: encodeUnsigned({ prompt: '' }) },
      { request: encodeUnsigned({ prompt: 'login' }) },
    ]) {
      const page = await go(front(), person, { prompt: 'consent', ...parameters });
      expect(page.state('consent').consent.scopes.map(({ granted: isGranted }) => isGranted)).toEqual([undefined, undefined]);
    }
  });
}

/** Stories for an upstream that reads request objects, with a client that has keys and with `openid` in the address. */
function objectStories(front: () => Front): void {
  const OPENID = 'openid profile';

  beforeEach(async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }] };
    const redirectUri = front().client.registration.redirectUri;
    front().client = await front().register({ jwks, redirect_uris: [redirectUri, PRIVATE_SCHEME] });
  });

  it('a request object that the upstream reads counts as it does there, and the code goes to its address', async () => {
    const person = await grantScope(front(), OPENID);
    const page = await go(front(), person, { scope: OPENID, request: encodeUnsigned({ redirect_uri: PRIVATE_SCHEME }) });
    expect([page.url.protocol, page.url.searchParams.has('code')]).toEqual(['com.example.native:', true]);
    const foreign = await go(front(), person, { scope: OPENID, request: encodeUnsigned({ redirect_uri: EVIL }) });
    expect(foreign.state('oauth_error').oauth_error.error).toBe('invalid_request');
  });

  it('[CON-10] [LOG-13] limits in the address and in the object both count', async () => {
    const person = await grantScope(front(), OPENID);
    for (const members of [{ prompt: '' }, { prompt: 'consent' }]) {
      const page = await go(front(), person, { scope: OPENID, prompt: 'consent', request: encodeUnsigned(members) });
      expect(page.url.pathname).toBe(PATHS.consent);
    }
    const login = await go(front(), person, { scope: OPENID, prompt: 'login', request: encodeUnsigned({ prompt: '' }) });
    expect(login.url.pathname).toBe(PATHS.login);
  });
}
