/** The client registry of the admin API, as far as operators and the demo need it. */
import { expect } from '@jest/globals';
import { OAuthClient } from '../../../support/oauth-client.js';
import { expectStatus, toJson } from '../../../support/upstream-answer.js';
import type { WireClient, WireError } from '../../../support/upstream-wire.js';
import { API_AUDIENCE, CALLBACK, registration, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { toClientQuery, beginLogin, findPageError, passLogin } from '../walk.js';

const NOT_LOCATED: WireError = { error: 'Unable to locate the resource', error_description: '' };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

export function clientRows({ row }: Rows): void {
  row('a registered client is returned with its secret once, and later without it', async (scene) => {
    const body = registration();
    const created = await scene.admin.send('POST', '/admin/clients', { body });
    const id = String(body.client_id);
    expect([created.status, created.headers.get('location')]).toEqual([201, `/admin/clients/${id}`]);
    expect(toJson(created)).toMatchObject({
      ...body,
      skip_consent: false,
      skip_logout_consent: null,
      subject_type: 'public',
      metadata: {},
      owner: '',
      logo_uri: '',
      client_uri: '',
      policy_uri: '',
      tos_uri: '',
      contacts: null,
      created_at: TIME,
      updated_at: TIME,
      registration_access_token: expect.any(String),
      registration_client_uri: `${scene.upstream.publicUrl}/oauth2/register/${id}`,
    });
    const read = toJson<WireClient>(expectStatus(await scene.admin.send('GET', `/admin/clients/${id}`), 200));
    const { client_secret: _secret, ...open } = body;
    expect(read).toMatchObject({
      ...open,
      contacts: [],
      jwks: {},
      userinfo_signed_response_alg: 'none',
      client_secret_expires_at: 0,
    });
    for (const once of ['client_secret', 'registration_access_token', 'registration_client_uri'])
      expect(read).not.toHaveProperty(once);
    await scene.admin.deleteClient(id);
  });

  row('a client without an id or a secret gets both; a public client gets no secret', async (scene) => {
    const { client_id: _id, client_secret: _secret, ...body } = registration();
    const given = await scene.admin.createClient(body);
    expect(given.client_id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    expect(given.client_secret?.length).toBeGreaterThanOrEqual(20);
    const open = await scene.admin.createClient({ ...body, token_endpoint_auth_method: 'none' });
    expect(open).not.toHaveProperty('client_secret');
    for (const { client_id } of [given, open]) await scene.admin.deleteClient(client_id);
  });

  row('a client without settings gets the defaults', async (scene) => {
    const created = await scene.admin.createClient({ redirect_uris: [CALLBACK] });
    const { client_id } = created;
    const read = toJson<WireClient>(await scene.admin.send('GET', `/admin/clients/${client_id}`));
    expect(read).toMatchObject({
      scope: 'offline_access offline openid',
      token_endpoint_auth_method: 'client_secret_basic',
      audience: [],
    });
    await scene.admin.deleteClient(client_id);
  });

  row('an origin for CORS is stored without a slash at its end', async (scene) => {
    const origins = ['https://app.example/', 'HTTPS://app.example:8443', 'http://localhost:1//'];
    const created = await scene.admin.createClient({ ...registration(), allowed_cors_origins: origins });
    const stored = ['https://app.example', 'https://app.example:8443', 'http://localhost:1'];
    expect(created).toMatchObject({ allowed_cors_origins: stored });
    await scene.admin.deleteClient(created.client_id);
  });

  row('an id that is taken is answered with 409', async (scene) => {
    const answer = await scene.admin.send('POST', '/admin/clients', { body: { ...registration(), client_id: scene.app.id } });
    const error = 'Unable to insert or update resource because a resource with that value exists already';
    expect([answer.status, toJson(answer)]).toEqual([409, { error, error_description: '' }]);
  });

  row('invalid registrations are answered with 400 and the reason', async (scene) => {
    const refuse = async (change: Record<string, unknown>): Promise<[number, string, string]> => {
      const answer = await scene.admin.send('POST', '/admin/clients', { body: { ...registration(), ...change } });
      const { error, error_description } = toJson<WireError>(answer);
      return [answer.status, error, error_description];
    };
    const shortSecret = await refuse({ client_secret: 'abc' });
    expect(shortSecret).toEqual([400, 'invalid_client_metadata', expect.stringContaining('at least 6 characters long')]);
    const sixBytes = await scene.admin.send('POST', '/admin/clients', { body: { ...registration(), client_secret: 'äöü' } });
    expect(sixBytes.status).toBe(201);
    await scene.admin.deleteClient(toJson<WireClient>(sixBytes).client_id);
    const foreign = await refuse({ post_logout_redirect_uris: ['http://other.example/'] });
    expect(foreign).toEqual([
      400,
      'invalid_client_metadata',
      expect.stringContaining("'http://other.example/' must match the domain"),
    ]);
    const fragment = await refuse({ redirect_uris: [`${CALLBACK}#x`] });
    expect(fragment.slice(0, 2)).toEqual([400, 'invalid_redirect_uri']);
    const noAddress = await refuse({ redirect_uris: ['/relative'] });
    expect(noAddress[0]).toBe(400);
    const broken = await scene.admin.send('POST', '/admin/clients', { rawBody: '{x' });
    expect([broken.status, toJson<WireError>(broken).error]).toEqual([
      400,
      'The request was malformed or contained invalid parameters',
    ]);
  });

  row('reading, changing and deleting an unknown client is answered with 404', async (scene) => {
    const read = await scene.admin.send('GET', '/admin/clients/nope');
    expect([read.status, toJson(read)]).toEqual([404, NOT_LOCATED]);
    expect((await scene.admin.send('PUT', '/admin/clients/nope', { body: registration() })).status).toBe(404);
    const patch = [{ op: 'replace', path: '/client_name', value: 'x' }];
    expect((await scene.admin.send('PATCH', '/admin/clients/nope', { body: patch })).status).toBe(404);
    expect((await scene.admin.send('DELETE', '/admin/clients/nope')).status).toBe(404);
  });

  row('PUT replaces a client and keeps a secret that is not sent', async (scene) => {
    const app = await scene.newApp();
    const { client_secret: _secret, ...body } = registration();
    const put = { ...body, client_id: app.id, client_name: 'Renamed', skip_consent: true, scope: 'openid' };
    const answer = expectStatus(await scene.admin.send('PUT', `/admin/clients/${app.id}`, { body: put }), 200);
    expect(toJson(answer)).toMatchObject({ client_name: 'Renamed', skip_consent: true, scope: 'openid', metadata: {} });
    expect(toJson(answer)).not.toHaveProperty('client_secret');
    const refused = await app.tryRedeem('x');
    expect([refused.status, toJson<WireError>(refused).error]).toEqual([400, 'invalid_grant']);
  });

  row('a new secret by PUT or PATCH is returned and replaces the old one', async (scene) => {
    const { id, registration: before } = await scene.newApp();
    const put = { ...registration(), client_id: id, client_secret: 'secret-by-put' };
    const byPut = expectStatus(await scene.admin.send('PUT', `/admin/clients/${id}`, { body: put }), 200);
    expect(toJson<WireClient>(byPut).client_secret).toBe('secret-by-put');
    const patch = [{ op: 'replace', path: '/client_secret', value: 'secret-by-patch' }];
    const byPatch = expectStatus(await scene.admin.send('PATCH', `/admin/clients/${id}`, { body: patch }), 200);
    expect(toJson<WireClient>(byPatch).client_secret).toBe('secret-by-patch');
    const errorWith = async (clientSecret: string): Promise<string> => {
      const app = new OAuthClient(scene.upstream.publicUrl, { ...before, clientSecret });
      return toJson<WireError>(await app.tryRedeem('x')).error;
    };
    expect(await errorWith('secret-by-put')).toBe('invalid_client');
    expect(await errorWith('secret-by-patch')).toBe('invalid_grant');
  });

  row('PATCH changes one member with JSON Patch (RFC 6902)', async (scene) => {
    const app = await scene.newApp();
    const body = [{ op: 'replace', path: '/metadata', value: { foyer: { colour: '#123456' } } }];
    const answer = expectStatus(await scene.admin.send('PATCH', `/admin/clients/${app.id}`, { body }), 200);
    expect(toJson(answer)).toMatchObject({
      client_id: app.id,
      metadata: { foyer: { colour: '#123456' } },
      audience: [API_AUDIENCE],
    });
    const login = await scene.admin.getLogin(await beginLogin(scene, scene.browser(), {}, app));
    expect(login.client.metadata).toEqual({ foyer: { colour: '#123456' } });
  });

  row('a login request shows the client as it was when the request began', async (scene) => {
    const app = await scene.newApp();
    const challenge = await beginLogin(scene, scene.browser(), {}, app);
    const body = [{ op: 'replace', path: '/client_name', value: 'Later' }];
    expectStatus(await scene.admin.send('PATCH', `/admin/clients/${app.id}`, { body }), 200);
    expect((await scene.admin.getLogin(challenge)).client.client_name).toBe('An "ordinary" app');
  });

  row(
    'the request of a client that was deleted meanwhile can be read and accepted, and then leads to the error page',
    async (scene) => {
      const app = await scene.newApp();
      const browser = scene.browser();
      const challenge = await beginLogin(scene, browser, {}, app);
      await scene.admin.deleteClient(app.id);
      expect((await scene.admin.getLogin(challenge)).client.client_id).toBe(app.id);
      const redirect = await scene.admin.acceptLogin(challenge, { subject: 'anybody' });
      expect(findPageError(scene, await browser.get(redirect)).error).toBe('invalid_client');
    },
  );

  row('clients are listed in pages, each with a link to the next', async (scene) => {
    const ids = [(await scene.newApp()).id, (await scene.newApp()).id];
    const listed = await listClientIds(scene, '/admin/clients?page_size=2');
    expect(listed).toEqual(expect.arrayContaining(ids));
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.length).toBeGreaterThanOrEqual(3);
  });

  row('clients can be found by name and by owner', async (scene) => {
    const app = await scene.newApp({ client_name: 'findable', owner: 'the-owner' });
    for (const query of ['client_name=findable', 'owner=the-owner']) {
      const found = toJson<WireClient[]>(await scene.admin.send('GET', `/admin/clients?${query}`));
      expect(found.map(({ client_id }) => client_id)).toContain(app.id);
      expect(found.map(({ client_id }) => client_id)).not.toContain(scene.app.id);
    }
  });

  row('a request may leave out the redirect address where only one is registered, unless it is OpenID (v2.3)', async (scene) => {
    const browser = scene.browser();
    const parameters = { scope: 'offline', redirect_uri: undefined };
    const challenge = await passLogin(scene, browser, await beginLogin(scene, browser, parameters), { subject: 'anybody' });
    const redirect = await scene.admin.acceptConsent(challenge, { grant_scope: [] });
    expect(toClientQuery(await browser.get(redirect)).has('code')).toBe(true);
    const openid = await browser.get(scene.app.authorizationUrl({ redirect_uri: undefined }));
    if (scene.has('openidNeedsRedirectUri')) expect(findPageError(scene, openid).error).toBe('invalid_request');
    else expect(openid.status).toBe(302);
  });
}

/** Lists the ids of all clients, page by page along the Link header. */
async function listClientIds(scene: Scene, first: string): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const page = expectStatus(await scene.admin.send('GET', path), 200);
    const clients = toJson<WireClient[]>(page);
    expect(clients.length).toBeLessThanOrEqual(2);
    ids.push(...clients.map(({ client_id }) => client_id));
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return ids;
}
