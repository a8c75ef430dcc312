/** `FakeHydra` as a server with the admin API, for tests of the HTTP adapter. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../src/config/config.js';
import type { ClientProfile } from '../../src/hydra/client-profile.js';
import type { FakeHydra } from '../../src/hydra/fake-hydra.js';
import type { ConsentRequest, LoginRequest, LogoutRequest } from '../../src/hydra/hydra.port.js';

export interface AdminCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export interface FakeAdminApi {
  settings: Config['hydra'];
  calls: AdminCall[];
  close(): Promise<void>;
}

interface AnswerInput {
  fake: FakeHydra;
  query: URLSearchParams;
  form: URLSearchParams;
  challenge: string;
}

const DAY_MS = 24 * 3600 * 1000;
const REQUESTS = '/admin/oauth2/auth/requests';

const ANSWERS: Record<string, (input: AnswerInput) => Promise<unknown>> = {
  [`GET ${REQUESTS}/login`]: async ({ fake, challenge }) => login(await fake.getLogin(challenge)),
  [`PUT ${REQUESTS}/login/accept`]: ({ fake, challenge }) =>
    redirect(fake.acceptLogin(challenge, { subject: '', acr: '', amr: [], remember: false, rememberForSeconds: 0 })),
  [`GET ${REQUESTS}/consent`]: async ({ fake, challenge }) => consent(await fake.getConsent(challenge)),
  [`PUT ${REQUESTS}/consent/accept`]: ({ fake, challenge }) =>
    redirect(
      fake.acceptConsent(challenge, {
        scopes: [],
        audience: [],
        idTokenClaims: {},
        accessTokenClaims: {},
        remember: false,
        rememberForSeconds: 0,
      }),
    ),
  [`GET ${REQUESTS}/logout`]: async ({ fake, challenge }) => logout(await fake.getLogout(challenge)),
  [`PUT ${REQUESTS}/logout/accept`]: ({ fake, challenge }) => redirect(fake.acceptLogout(challenge)),
  'DELETE /admin/oauth2/auth/sessions/login': ({ fake, query }) => fake.endLoginSessions(query.get('subject') ?? ''),
  'POST /admin/oauth2/introspect': async ({ fake, form }) => {
    const found = await fake.introspect(form.get('token') ?? '');
    if (!found) return { active: false };
    const { subject: sub, clientId: client_id, scopes, audience: aud, issuedAt } = found;
    // Later than anything that ends access, even if a test has moved the clock.
    const iat = Math.ceil((issuedAt?.getTime() ?? Date.now() + DAY_MS) / 1000);
    return { active: true, token_use: 'access_token', sub, client_id, scope: scopes.join(' '), aud, iat };
  },
  'GET /admin/clients': () => Promise.resolve([]),
  'GET /health/ready': () => Promise.resolve({ status: 'ok' }),
};

/** @param fake is read at each call, so that it may be created later */
export async function startFakeAdminApi(fake: () => FakeHydra): Promise<FakeAdminApi> {
  const calls: AdminCall[] = [];
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? '';
    calls.push({ method, path: url.pathname, headers: request.headers });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const challenge =
        ['login', 'consent', 'logout'].map((kind) => url.searchParams.get(`${kind}_challenge`)).find(Boolean) ?? '';
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const input = { fake: fake(), query: url.searchParams, form, challenge };
      const answering = ANSWERS[`${method} ${url.pathname}`]?.(input) ?? client(fake(), url.pathname);
      const send = (status: number, body: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
      answering.then(
        (body) => send(200, body),
        () => send(404, { error: 'not_found' }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: { adminUrl: `http://localhost:${port}`, publicUrl: 'http://localhost:4444', timeoutMs: 30_000 },
    calls,
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}

async function redirect(to: Promise<string>): Promise<{ redirect_to: string }> {
  return { redirect_to: await to };
}

async function client(fake: FakeHydra, path: string): Promise<unknown> {
  const found = await fake.getClient(decodeURIComponent(path.replace('/admin/clients/', '')));
  if (!found) throw new Error('unknown');
  return wireClient(found);
}

function wireClient({ id, name, redirectUris, logoUri, foyer }: ClientProfile): object {
  const { confirmSession, returnUrls, mfa, look } = foyer;
  const metadata = { foyer: { confirm_session: confirmSession, return_urls: returnUrls, mfa, look } };
  return { client_id: id, client_name: name, redirect_uris: redirectUris, logo_uri: logoUri, metadata };
}

function login(request: LoginRequest): object {
  const { challenge, skip, subject, sessionId, requestUrl, requestedScope, acrValues, client: asking } = request;
  const context = { oidc_context: { acr_values: acrValues, login_hint: request.loginHint } };
  const rest = { session_id: sessionId, request_url: requestUrl, requested_scope: requestedScope };
  return { challenge, skip, subject, ...rest, ...context, client: wireClient(asking) };
}

function consent(request: ConsentRequest): object {
  const { challenge, skip, subject, flowId, loginSessionId, requestUrl, requestedScope, client: asking } = request;
  const rest = { login_challenge: flowId, login_session_id: loginSessionId, request_url: requestUrl };
  const wanted = { requested_scope: requestedScope, requested_access_token_audience: [], acr: '', amr: [] };
  return { challenge, skip, subject, ...rest, ...wanted, client: wireClient(asking) };
}

function logout({ challenge, subject, sessionId, rpInitiated, client: asking }: LogoutRequest): object {
  const rest = asking ? { client: wireClient(asking) } : {};
  return { challenge, subject, sid: sessionId, rp_initiated: rpInitiated, ...rest };
}
