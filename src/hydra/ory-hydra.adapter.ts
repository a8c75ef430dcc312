/**
 * `HydraPort` with Ory Hydra's admin API, using `@ory/client`. Handles status codes, timeouts, the check of redirect targets
 * and the look of clients (`client-looks.ts`); makes no decisions about people. Bodies contain only members that Hydra v2.3.0,
 * the oldest supported release, supports, because it answers other members with 400 (docs/hydra-behaviour.md A.0).
 */
import {
  Configuration,
  OAuth2ApiAxiosParamCreator,
  type AcceptOAuth2ConsentRequest,
  type AcceptOAuth2LoginRequest,
  type OAuth2Client,
} from '@ory/client';
import { isAxiosError, type AxiosResponse } from 'axios';
import type { Config } from '../config/config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { CLIENT_LIST, createAdminTransport, isClientList } from './admin-connection.js';
import { keepHydraParameters } from './authorization-request.js';
import { ChallengeCall } from './challenge-call.js';
import { NO_LOOKS } from './client-looks.js';
import type { ClientProfile } from './client-profile.js';
import {
  ChallengeUnknown,
  ChallengeUsed,
  ClientRefused,
  UpstreamRefused,
  UpstreamUnavailable,
  UserCodeRefused,
} from './hydra.errors.js';
import {
  HydraPort,
  type AccessToken,
  type Authentication,
  type ClientName,
  type ClientRegistration,
  type ConsentRequest,
  type Grant,
  type LoginRequest,
  type LogoutRequest,
  type Rejection,
  type UpstreamRedirect,
} from './hydra.port.js';
import {
  hasMembers,
  readRegisteredClient,
  type ClientMembers,
  type ClientPage,
  type ClientQuery,
  type NewClient,
  type RegisteredClient,
} from './registered-client.js';
import {
  readAccessToken,
  readClient,
  readClientScopes,
  readConsentRequest,
  readLoginRequest,
  readLogoutRequest,
} from './requests.js';
import { findNextPageToken, readConsents, readSessionIds } from './stored-consents.js';
import type { HttpRequest, Transport } from './transport.js';
import { isWorthAnotherTry, toUpstreamError } from './upstream-failure.js';
import { buildUpstreamUrl } from './upstream-url.js';
import { toObject, readText, type Wire } from './wire.js';

/** Builds the calls. Created once, because the package's own client would create all its functions for each call. */
const REQUESTS = OAuth2ApiAxiosParamCreator(new Configuration());
const GET_LOGIN = new ChallengeCall((challenge) => REQUESTS.getOAuth2LoginRequest(challenge));
const ACCEPT_LOGIN = new ChallengeCall<AcceptOAuth2LoginRequest>((...parameters) =>
  REQUESTS.acceptOAuth2LoginRequest(...parameters),
);
const GET_CONSENT = new ChallengeCall((challenge) => REQUESTS.getOAuth2ConsentRequest(challenge));
const ACCEPT_CONSENT = new ChallengeCall<AcceptOAuth2ConsentRequest>((...parameters) =>
  REQUESTS.acceptOAuth2ConsentRequest(...parameters),
);

/** Keeps an answer below its size limit, unless clients are very large: each item contains the whole client. */
const PAGE_SIZE = 50;
const MAX_PAGES = 40;
const CLIENT_PAGE_SIZE = 250;
/** Limits how long an abandoned probe holds its connection. */
const PROBE_TIMEOUT_MS = 1000;

/** A request as `@ory/client` prepares it. */
type PreparedRequest = Promise<{ url: string; options: HttpRequest }>;
type RepeatedError = typeof ChallengeUsed | typeof ChallengeUnknown;

export class OryHydraAdapter extends HydraPort {
  probeTimeoutMs = PROBE_TIMEOUT_MS;
  readonly #send: Transport;
  readonly #adminUrl: string;
  readonly #publicOrigin: string;
  #isAdminApi = false;

  constructor(
    settings: Config['hydra'],
    telemetry = TELEMETRY_OFF,
    private readonly looks = NO_LOOKS,
  ) {
    super();
    this.#adminUrl = settings.adminUrl;
    this.#send = createAdminTransport(settings, telemetry);
    this.#publicOrigin = new URL(settings.publicUrl).origin;
  }

  async getLogin(challenge: string): Promise<LoginRequest> {
    return this.#applyLook(readLoginRequest(await this.#call(GET_LOGIN.prepare(challenge))));
  }

  async acceptLogin(challenge: string, authentication: Authentication): Promise<UpstreamRedirect> {
    const body = {
      subject: authentication.subject,
      acr: authentication.acr,
      amr: [...authentication.amr],
      remember: authentication.remember,
      remember_for: authentication.rememberForSeconds,
    };
    return this.#requestRedirect(ACCEPT_LOGIN.prepare(challenge, body));
  }

  async rejectLogin(challenge: string, rejection: Rejection): Promise<UpstreamRedirect> {
    const rejectOAuth2Request = toRejectionBody(rejection);
    return this.#requestRedirect(REQUESTS.rejectOAuth2LoginRequest(challenge, rejectOAuth2Request));
  }

  async getConsent(challenge: string): Promise<ConsentRequest> {
    return this.#applyLook(readConsentRequest(await this.#call(GET_CONSENT.prepare(challenge))));
  }

  async acceptConsent(challenge: string, grant: Grant): Promise<UpstreamRedirect> {
    const body = {
      grant_scope: [...grant.scopes],
      grant_access_token_audience: [...grant.audience],
      session: { id_token: grant.idTokenClaims, access_token: grant.accessTokenClaims },
      remember: grant.remember,
      remember_for: grant.rememberForSeconds,
    };
    return this.#requestRedirect(ACCEPT_CONSENT.prepare(challenge, body));
  }

  async rejectConsent(challenge: string, rejection: Rejection): Promise<UpstreamRedirect> {
    const rejectOAuth2Request = toRejectionBody(rejection);
    return this.#requestRedirect(REQUESTS.rejectOAuth2ConsentRequest(challenge, rejectOAuth2Request));
  }

  async acceptDevice(challenge: string, userCode: string): Promise<UpstreamRedirect> {
    try {
      return await this.#requestRedirect(REQUESTS.acceptUserCodeRequest(challenge, { user_code: userCode }));
    } catch (error) {
      if (error instanceof UpstreamRefused) throw new UserCodeRefused('No device is waiting for this code');
      throw error;
    }
  }

  async getLogout(challenge: string): Promise<LogoutRequest> {
    const { client, ...request } = readLogoutRequest(await this.#call(REQUESTS.getOAuth2LogoutRequest(challenge)));
    return client ? this.#applyLook({ ...request, client }) : request;
  }

  async acceptLogout(challenge: string): Promise<UpstreamRedirect> {
    return this.#requestRedirect(REQUESTS.acceptOAuth2LogoutRequest(challenge));
  }

  async rejectLogout(challenge: string): Promise<void> {
    await this.#call(REQUESTS.rejectOAuth2LogoutRequest(challenge));
  }

  async listSessionIds(subject: string): Promise<string[]> {
    const { items } = await this.#readPages(subject, readSessionIds);
    return [...new Set(items)];
  }

  async listConsents(subject: string): ReturnType<HydraPort['listConsents']> {
    const { items, isComplete } = await this.#readPages(subject, readConsents);
    return { consents: items.map((consent) => this.#applyLook(consent)), isComplete };
  }

  async endLoginSessions(subject: string): Promise<void> {
    await this.#call(REQUESTS.revokeOAuth2LoginSessions(subject));
  }

  async endLoginSession(sessionId: string): Promise<void> {
    await this.#call(REQUESTS.revokeOAuth2LoginSessions(undefined, sessionId));
  }

  async revokeConsents(subject: string, clientId?: string): Promise<void> {
    const isAll = clientId === undefined ? true : undefined;
    await this.#call(REQUESTS.revokeOAuth2ConsentSessions(subject, clientId, undefined, isAll));
  }

  async introspect(token: string): Promise<AccessToken | null> {
    return readAccessToken(await this.#call(REQUESTS.introspectOAuth2Token(token)));
  }

  async getClient(id: string): Promise<ClientProfile | null> {
    const wire = await this.#findClient(id);
    return wire && this.looks.applyTo(readClient(wire));
  }

  async listClientNames(): Promise<ClientName[]> {
    const names: ClientName[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { data, headers } = await this.#answer(REQUESTS.listOAuth2Clients(CLIENT_PAGE_SIZE, pageToken));
      const clients = Array.isArray(data) ? data.map((wire) => readClient(toObject(wire, 'a client'))) : [];
      names.push(...clients.map(({ id, name }) => ({ id, name })));
      const nextToken = findNextPageToken(headers['link']);
      if (clients.length === 0 || nextToken === null || nextToken === pageToken) break;
      pageToken = nextToken;
    }
    return names;
  }

  async getClientScopes(id: string): Promise<string[] | null> {
    const wire = await this.#findClient(id);
    return wire && readClientScopes(wire);
  }

  async saveClient(registration: ClientRegistration): Promise<void> {
    const existingClient = await this.#findClient(registration.id);
    if (existingClient === null && (await this.#createClient(registration))) return;
    const currentClient = existingClient ?? (await this.#findClient(registration.id)) ?? {};
    const body = { ...currentClient, ...toClientBody(registration) };
    await this.#call(REQUESTS.setOAuth2Client(registration.id, body));
  }

  /** @returns false if another gateway has created the client first */
  async #createClient(registration: ClientRegistration): Promise<boolean> {
    try {
      await this.#call(REQUESTS.createOAuth2Client({ client_name: registration.name, ...toClientBody(registration) }));
      return true;
    } catch (error) {
      if (error instanceof ChallengeUsed) return false;
      throw error;
    }
  }

  async listClients({ name, owner, cursor, limit }: ClientQuery): Promise<ClientPage> {
    const request = REQUESTS.listOAuth2Clients(limit, cursor, name, owner);
    const { data, headers } = await this.#answer(request).catch((error: unknown) => {
      // Hydra refuses nothing else in this call.
      throw cursor !== undefined && error instanceof UpstreamRefused ? new ClientRefused('The cursor is not known.') : error;
    });
    if (!Array.isArray(data)) throw new UpstreamUnavailable('Hydra answered with something that is not a list');
    const clients = data.map((item) => readRegisteredClient(toObject(item, 'a client')));
    const nextToken = findNextPageToken(headers['link']);
    return { clients, ...(nextToken === null || clients.length === 0 ? {} : { nextCursor: nextToken }) };
  }

  async findRegisteredClient(id: string): Promise<RegisteredClient | null> {
    const wire = await this.#findClient(id);
    return wire && readRegisteredClient(wire);
  }

  async createClient(client: NewClient): Promise<RegisteredClient> {
    const { status } = await this.#answer(REQUESTS.createOAuth2Client(client as OAuth2Client), ChallengeUsed);
    const { client_id: id, client_secret: _secret, ...members } = client;
    const registeredClient = await this.#readChangedClient(id);
    // If the first call did not reach Hydra, another operator may have registered the client before the repeated call.
    if (status === 409 && !hasMembers(registeredClient, members)) throw new ChallengeUsed('Hydra answered 409');
    return registeredClient;
  }

  /** Hydra refuses the operation `test` of JSON Patch (docs/hydra-behaviour.md A.6), so no write can be conditional. */
  async changeClient(id: string, members: Partial<ClientMembers>): Promise<RegisteredClient> {
    const patch = Object.entries(members).map(([name, value]) => ({ op: 'add' as const, path: `/${name}`, value }));
    await this.#call(REQUESTS.patchOAuth2Client(id, patch));
    return this.#readChangedClient(id);
  }

  async setClientSecret(id: string, secret: string): Promise<void> {
    await this.#call(REQUESTS.patchOAuth2Client(id, [{ op: 'add', path: '/client_secret', value: secret }]));
  }

  async deleteClient(id: string): Promise<void> {
    await this.#call(REQUESTS.deleteOAuth2Client(id), ChallengeUnknown);
  }

  /** Reads the client after a change, because the answer to a change differs from the client that Hydra then returns. */
  async #readChangedClient(id: string): Promise<RegisteredClient> {
    const wire = await this.#findClient(id);
    if (wire === null) throw new ChallengeUnknown('Hydra answered 404');
    return readRegisteredClient(wire);
  }

  /** Both APIs of Hydra answer `/health/ready`, so the list of clients is requested until this is known to be the admin API. */
  async isReady(): Promise<boolean> {
    if (this.#isAdminApi) return (await this.#probe('/health/ready')) !== null;
    const clients = await this.#probe(CLIENT_LIST);
    this.#isAdminApi = clients !== null && isClientList(clients.status, clients.data);
    return this.#isAdminApi;
  }

  async #probe(path: string): Promise<AxiosResponse<unknown> | null> {
    return this.#send({ url: buildUpstreamUrl(this.#adminUrl, path), timeout: this.probeTimeoutMs }).then(
      (answer) => (answer.status === 200 ? answer : null),
      () => null,
    );
  }

  /** @param read reads the items of one page */
  async #readPages<Item>(subject: string, read: (body: unknown) => Item[]): Promise<{ items: Item[]; isComplete: boolean }> {
    const items: Item[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { data, headers } = await this.#answer(REQUESTS.listOAuth2ConsentSessions(subject, PAGE_SIZE, pageToken));
      const pageItems = read(data);
      items.push(...pageItems);
      const nextToken = findNextPageToken(headers['link']);
      if (pageItems.length === 0 || nextToken === null || nextToken === pageToken) return { items, isComplete: true };
      pageToken = nextToken;
    }
    return { items, isComplete: false };
  }

  #applyLook<Item extends { client: ClientProfile }>(item: Item): Item {
    return { ...item, client: this.looks.applyTo(item.client) };
  }

  async #findClient(id: string): Promise<Wire | null> {
    // Even encoded, these ids would lead to another path.
    if (id === '.' || id === '..') return null;
    try {
      return toObject(await this.#call(REQUESTS.getOAuth2Client(id)), 'a client');
    } catch (error) {
      if (error instanceof ChallengeUnknown) return null;
      throw error;
    }
  }

  async #call(request: PreparedRequest, RepeatedErrorClass?: RepeatedError): Promise<unknown> {
    return (await this.#answer(request, RepeatedErrorClass)).data;
  }

  /**
   * Retries once after a broken connection or a gateway error. All these calls can be repeated (docs/hydra-behaviour.md fact 1), but a
   * repeated creation or deletion of a client fails if Hydra has performed the first call.
   * @param RepeatedErrorClass the error of such a repeated call, whose response is returned
   */
  async #answer(preparedRequest: PreparedRequest, RepeatedErrorClass?: RepeatedError): Promise<AxiosResponse<unknown>> {
    const { url, options } = await preparedRequest.catch((error: unknown) => Promise.reject(toUpstreamError(error)));
    const { method, headers, data } = options;
    const request = { url: buildUpstreamUrl(this.#adminUrl, url), method, headers, data };
    try {
      return await this.#send(request);
    } catch (firstError) {
      if (!isWorthAnotherTry(firstError)) throw toUpstreamError(firstError);
    }
    try {
      return await this.#send(request);
    } catch (secondError) {
      const error = toUpstreamError(secondError);
      if (RepeatedErrorClass && error instanceof RepeatedErrorClass && isAxiosError(secondError) && secondError.response)
        return secondError.response;
      throw error;
    }
  }

  /** The browser may be redirected only to Hydra's public origin, regardless of the answer. */
  async #requestRedirect(request: PreparedRequest): Promise<UpstreamRedirect> {
    const target = readText(toObject(await this.#call(request), 'a redirect'), 'redirect_to');
    const url = URL.canParse(target) ? new URL(target) : null;
    if (url?.origin !== this.#publicOrigin) {
      throw new UpstreamUnavailable('Hydra answered with a redirect that does not lead to HYDRA_PUBLIC_URL');
    }
    return keepHydraParameters(url).href;
  }
}

function toClientBody(registration: ClientRegistration): OAuth2Client {
  return {
    client_id: registration.id,
    client_secret: registration.secret,
    redirect_uris: [...registration.redirectUris],
    post_logout_redirect_uris: [...registration.postLogoutRedirectUris],
    backchannel_logout_uri: registration.backChannelLogoutUri,
    backchannel_logout_session_required: true,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: registration.scope,
    subject_type: 'public',
    token_endpoint_auth_method: 'client_secret_basic',
    skip_consent: true,
  };
}

/** `error` is always sent: Hydra's default contains spaces (docs/hydra-behaviour.md A.1). */
function toRejectionBody({ code, description }: Rejection): { error: string; error_description: string } {
  return { error: code, error_description: description };
}
