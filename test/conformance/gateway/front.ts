/** The real gateway in front of one upstream, with a person and a client, as the stories of this folder need it. */
import { randomBytes } from 'node:crypto';
import { OryHydraAdapter } from '../../../src/hydra/ory-hydra.adapter.js';
import type { Account } from '../../../src/accounts/account/accounts.js';
import type { ClaimRule, Config } from '../../../src/config/config.js';
import type { SourceSettings } from '../../../src/config/source-settings.js';
import { defined } from '../../../src/config/defined.js';
import { PATHS } from '../../../src/contract/paths.js';
import type { IdentityProviders } from '../../../src/providers/identity-providers.port.js';
import type { UserSource } from '../../../src/sources/user-source.port.js';
import type { Telemetry } from '../../../src/telemetry/telemetry.js';
import { PASSWORD, startTestGateway, type InProcessGateway } from '../../support/gateway.js';
import { OAuthClient, type Parameters } from '../../support/oauth-client.js';
import { AdminApi } from '../../support/upstream-admin.js';
import { toServedUrls, type Leg, type Upstream, type UpstreamSettings } from '../../support/upstream-leg.js';
import { findFreePorts } from '../../../test-kit/free-ports.js';
import type { Fields } from '../../support/test-browser.js';
import { BrowserWalk, type Arrival } from '../../support/browser-walk.js';

/** Nothing listens at this address: the browser stops there, and the test reads the address. */
const APP = 'http://127.0.0.1:2/';

/** Claims beside the standard ones: one in both tokens, and one only in the access token. */
const OWN_CLAIMS: readonly ClaimRule[] = [
  { scope: 'groups', claim: 'groups', attribute: 'groups', tokens: ['id_token', 'access_token'] },
  { scope: 'groups', claim: 'login', attribute: 'username', tokens: ['access_token'] },
];

export interface Front {
  gateway: InProcessGateway;
  upstream: Upstream;
  admin: AdminApi;
  account: Account;
  client: OAuthClient;
  person(): BrowserWalk;
  /** Registers another client with these members of Hydra's registration. */
  register(more: Record<string, unknown>): Promise<OAuthClient>;
  close(): Promise<void>;
}

export interface FrontSettings {
  loginConsentRequestTtlSeconds?: number;
  topLevelClaims?: readonly string[];
  tokenHook?: NonNullable<UpstreamSettings['tokenHook']>;
  telemetry?: Telemetry;
  sources?: readonly UserSource[];
  identityProviders?: IdentityProviders;
  /** A free port by default. */
  port?: number;
  /** The port of a proxy in front of the gateway. */
  publicPort?: number;
  console?: Config['console'];
  /** The settings of `sources`, for tests that need them beside the sources. */
  sourceSettings?: readonly SourceSettings[];
  eventSinks?: Config['eventSinks'];
  scim?: Config['scim'];
}

export async function startFront(leg: Leg, given: FrontSettings = {}): Promise<Front> {
  const { telemetry, sources, sourceSettings = [], identityProviders, port = (await findFreePorts(1))[0] ?? 0, ...rest } = given;
  const { publicPort = port, console, eventSinks, scim, ...settings } = rest;
  const origin = `http://127.0.0.1:${publicPort}`;
  const upstream = await leg.start({ ...settings, urls: toServedUrls(origin) });
  const hydra = { adminUrl: upstream.adminUrl, publicUrl: upstream.publicUrl, timeoutMs: 30_000 };
  const gateway = await startTestGateway({
    port,
    hydra: new OryHydraAdapter(hydra, telemetry),
    config: ({ consent }) => ({
      ...{ publicUrl: origin, hydra, sources: sourceSettings, ...defined({ console, eventSinks, scim }) },
      consent: { ...consent, claims: [...consent.claims, ...OWN_CLAIMS] },
    }),
    ...(telemetry ? { telemetry } : {}),
    ...(sources ? { sources } : {}),
    ...(identityProviders ? { identityProviders } : {}),
  });
  const admin = new AdminApi(upstream.adminUrl);
  const register = (more: Record<string, unknown>): Promise<OAuthClient> => registerClient(admin, upstream.publicUrl, more);
  return {
    gateway,
    upstream,
    admin,
    register,
    account: await gateway.account('maria.musterfrau', { displayName: 'Maria Musterfrau', email: 'maria@example.org' }),
    client: await register({}),
    person: () => new BrowserWalk([APP]),
    close: async () => {
      await gateway.close();
      await upstream.close();
    },
  };
}

/** Opens the link of the app and follows it to the page that the gateway shows. */
export function arrive({ client }: Pick<Front, 'client'>, person: BrowserWalk, parameters: Parameters = {}): Promise<Arrival> {
  return person.go(client.authorizationUrl({ scope: 'openid offline profile email', ...parameters }));
}

export function loginFields(page: Arrival): Fields {
  const { login } = page.state('login');
  const hidden = { _xsrf: login.xsrf_token, login_challenge: login.login_challenge, ticket: login.ticket };
  return { ...hidden, username: 'maria.musterfrau', password: PASSWORD };
}

export function signIn(person: BrowserWalk, page: Arrival, more: Fields = {}): Promise<Arrival> {
  return person.submit(page, PATHS.loginNative, { ...loginFields(page), ...more });
}

/** @param scopes the scopes that are ticked; by default all of them */
export function consentFields(page: Arrival, scopes?: readonly string[]): Fields {
  const { consent } = page.state('consent');
  const hidden = { _xsrf: consent.xsrf_token, consent_challenge: consent.consent_challenge, ticket: consent.ticket };
  return { ...hidden, scopes: scopes ?? consent.scopes.map(({ id }) => id) };
}

export function allow(person: Pick<BrowserWalk, 'submit'>, page: Arrival, scopes?: readonly string[]): Promise<Arrival> {
  return person.submit(page, PATHS.consentAccept, consentFields(page, scopes));
}

/** Signs in with "stay signed in" and grants all scopes. @returns the address with the code */
export async function signInFully(front: Front, person: BrowserWalk): Promise<URL> {
  const consent = await signIn(person, await arrive(front, person), { remember: 'true' });
  return (await allow(person, consent)).url;
}

async function registerClient(admin: AdminApi, publicUrl: string, more: Record<string, unknown>): Promise<OAuthClient> {
  const redirectUri = `${APP}callback`;
  const clientSecret = randomBytes(16).toString('hex');
  const { client_id: clientId } = await admin.createClient({
    client_name: 'Beispielportal',
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [`${APP}bye`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'openid offline profile email',
    token_endpoint_auth_method: 'client_secret_basic',
    ...more,
  });
  return new OAuthClient(publicUrl, { clientId, clientSecret, redirectUri });
}
