/** The demo registration service over HTTP, with a gateway that only publishes keys. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, type CryptoKey, type JWTPayload } from 'jose';
import { json } from '../site/reply.js';
import { startSite, type Site } from '../site/start-site.js';
import { startRegistration } from './start-registration.js';

const ISSUER = 'https://routes.example';
const TYPE = 'foyer-registration-ticket+jwt';

describe('the demo registration service', () => {
  let gateway: Site;
  let service: Site;
  let key: CryptoKey;
  let count = 0;

  beforeAll(async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    key = privateKey;
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
    gateway = await startSite({
      host: 'localhost',
      port: 0,
      headers: {},
      routes: { 'GET /register/jwks': () => json({ keys: [jwk] }) },
    });
    service = await startRegistration({ host: 'localhost', port: 0, gatewayUrl: gateway.url, issuer: ISSUER });
  });

  afterAll(() => Promise.all([service.close(), gateway.close()]));

  const signTicket = (claims: JWTPayload = {}, signingKey = key): Promise<string> =>
    new SignJWT({
      jti: `ticket-${(count += 1)}`,
      txn: 'handle',
      return_url: `${gateway.url}/register/callback`,
      client_name: 'Nordwest <Portal>',
      locale: 'de',
      hints: { invitation: '<b>' },
      iss: gateway.url,
      aud: ISSUER,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: TYPE })
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(signingKey);

  const request = (path: string, init: RequestInit & { cookie?: string } = {}): Promise<Response> =>
    fetch(service.url + path, { ...init, headers: { cookie: init.cookie ?? '' }, redirect: 'manual' });

  async function openTicket(claims: JWTPayload = {}, cookie = '') {
    const answer = await request(`/?ticket=${await signTicket(claims)}`, { cookie });
    const ownCookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { status: answer.status, path: answer.headers.get('location') ?? '', cookie: ownCookie };
  }

  const submit = (path: string, cookie: string, fields: Record<string, string>) =>
    request(path, { method: 'POST', body: new URLSearchParams(fields), cookie });

  it('removes the ticket from the address and shows the form in the language of the sign-in', async () => {
    const { status, path, cookie } = await openTicket();
    expect([status, path]).toEqual([303, expect.stringMatching(/^\/new\/[\w-]{43}$/)]);
    const page = await (await request(path, { cookie })).text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('Nordwest &lt;Portal&gt;');
    expect(page).toContain('&lt;b&gt;');
  });

  it('sends the typed values to the gateway in a signed answer', async () => {
    const { path, cookie } = await openTicket();
    const answer = await submit(path, cookie, { username: ' nele ', display_name: 'Nele', email: '' });
    const returnUrl = new URL(answer.headers.get('location') ?? '');
    expect(returnUrl.origin + returnUrl.pathname).toBe(`${gateway.url}/register/callback`);
    const keys = createRemoteJWKSet(new URL('/jwks', service.url));
    const { payload, protectedHeader } = await jwtVerify(returnUrl.searchParams.get('answer') ?? '', keys, {
      issuer: ISSUER,
      audience: gateway.url,
      typ: 'foyer-registration-answer+jwt',
    });
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload).toMatchObject({
      txn: 'handle',
      account: { username: 'nele', display_name: 'Nele', email: '', email_verified: false, language: 'de' },
    });
  });

  it('reports missing and refused values, and keeps the typed values', async () => {
    const { path, cookie } = await openTicket({ txn: 'corrected' });
    const incompleteAnswer = await submit(path, cookie, { username: 'nele', display_name: '' });
    expect([incompleteAnswer.status, await incompleteAnswer.text()]).toEqual([
      422,
      expect.stringContaining('id="display_name-fault"'),
    ]);
    await submit(path, cookie, { username: 'nele', display_name: 'Nele' });
    const refused = { code: 'username-taken', field: 'username' };
    const secondTicket = await openTicket({ txn: 'corrected', refused }, cookie);
    expect(secondTicket.path).toBe(path);
    const page = await (await request(path, { cookie })).text();
    expect(page).toContain('Dieser Benutzername ist vergeben.');
    expect(page).toContain('value="Nele"');
  });

  it('accepts a ticket once, only if its gateway issued the ticket for this service, and shows the form only in the same browser', async () => {
    const usedTicket = await signTicket();
    expect((await request(`/?ticket=${usedTicket}`)).status).toBe(303);
    const strangerKey = (await generateKeyPair('ES256')).privateKey;
    const otherTickets = [
      await signTicket({ iss: 'x' }),
      await signTicket({ aud: 'x' }),
      await signTicket({}, strangerKey),
      'x',
      '',
    ];
    for (const ticket of [usedTicket, ...otherTickets]) expect((await request(`/?ticket=${ticket}`)).status).toBe(400);
    const { path } = await openTicket();
    expect((await request(path)).status).toBe(400);
    expect((await request(path, { cookie: 'aufnahme=other' })).status).toBe(400);
  });
});
