/**
 * Hydra in memory, for tests: a test adds requests, and the fake records answers to requests and ended sessions and consents.
 * test/conformance/hydra-port checks that the fake behaves like the adapter.
 */
import type { ClientProfile } from './client-profile.js';
import {
  ChallengeExpired,
  ChallengeUnknown,
  ChallengeUsed,
  ClientRefused,
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
  type StoredConsent,
  type Rejection,
  type UpstreamRedirect,
} from './hydra.port.js';
import { defined } from '../config/defined.js';
import {
  readRegisteredClient,
  type ClientMembers,
  type ClientPage,
  type ClientQuery,
  type NewClient,
  type RegisteredClient,
} from './registered-client.js';
import { readClient, readClientScopes } from './requests.js';
import type { Wire } from './wire.js';

export type RecordedCall =
  | { call: 'acceptLogin'; challenge: string; authentication: Authentication }
  | { call: 'rejectLogin' | 'rejectConsent'; challenge: string; rejection: Rejection }
  | { call: 'acceptConsent'; challenge: string; grant: Grant }
  | { call: 'acceptDevice'; challenge: string; userCode: string }
  | { call: 'acceptLogout' | 'rejectLogout'; challenge: string }
  | { call: 'endLoginSessions'; subject: string }
  | { call: 'revokeConsents'; subject: string; clientId?: string }
  | { call: 'endLoginSession'; sessionId: string };

export class FakeHydra extends HydraPort {
  readonly calls: RecordedCall[] = [];
  /** Clients that were saved, by their id. */
  readonly registrations = new Map<string, ClientRegistration>();
  readonly #logins = new Map<string, LoginRequest>();
  readonly #consents = new Map<string, ConsentRequest>();
  readonly #logouts = new Map<string, LogoutRequest>();
  readonly #deviceRequests = new Map<string, { clientId: string }>();
  readonly #userCodes = new Map<string, { clientId: string }>();
  readonly #tokens = new Map<string, AccessToken>();
  readonly #clients = new Map<string, ClientProfile>();
  readonly #registeredClients = new Map<string, Wire>();
  readonly #clientScopes = new Map<string, readonly string[]>();
  readonly #grantedSessions = new Map<string, string[]>();
  readonly #storedConsents = new Map<string, StoredConsent[]>();
  readonly #expiredChallenges = new Set<string>();
  readonly #usedChallenges = new Set<string>();
  #outage: Error | null = null;
  #redirects = 0;
  #changes = 0;

  constructor(readonly publicUrl = 'http://localhost:4444') {
    super();
  }

  addLogin(request: Partial<LoginRequest> & { challenge: string }): LoginRequest {
    const login: LoginRequest = {
      skip: false,
      subject: '',
      sessionId: `session-of-${request.challenge}`,
      requestUrl: this.requestUrl(),
      requestedScope: ['openid'],
      uiLocales: [],
      acrValues: [],
      client: this.client(),
      ...request,
    };
    this.#logins.set(login.challenge, login);
    return login;
  }

  addConsent(request: Partial<ConsentRequest> & { challenge: string; subject: string }): ConsentRequest {
    const consent: ConsentRequest = {
      flowId: `flow-of-${request.challenge}`,
      loginSessionId: '',
      skip: false,
      requestUrl: this.requestUrl(),
      requestedScope: ['openid', 'profile', 'email'],
      requestedAudience: [],
      acr: '',
      amr: [],
      uiLocales: [],
      client: this.client(),
      ...request,
    };
    this.#consents.set(consent.challenge, consent);
    return consent;
  }

  addLogout(request: Partial<LogoutRequest> & { challenge: string; subject: string }): LogoutRequest {
    const logout: LogoutRequest = { sessionId: '', rpInitiated: false, ...request };
    this.#logouts.set(logout.challenge, logout);
    return logout;
  }

  /** Adds a browser on the page that asks for a device's code. */
  addDeviceRequest(challenge: string): void {
    this.#deviceRequests.set(challenge, { clientId: 'demo' });
  }

  /** Adds a device that waits for this code. */
  addUserCode(userCode: string, clientId = 'demo'): void {
    this.#userCodes.set(userCode, { clientId });
  }

  addToken(token: string, members: Partial<AccessToken> & { subject: string }): AccessToken {
    const access: AccessToken = {
      clientId: 'demo',
      scopes: ['openid', 'id'],
      audience: [],
      issuedAt: null,
      expiresAt: null,
      ...members,
    };
    this.#tokens.set(token, access);
    return access;
  }

  revokeToken(token: string): void {
    this.#tokens.delete(token);
  }

  /** Adds a session with a consent. */
  addGrantedSession(subject: string, sessionId: string): void {
    this.#grantedSessions.set(subject, [...(this.#grantedSessions.get(subject) ?? []), sessionId]);
  }

  addStoredConsent(subject: string, consent: StoredConsent): void {
    this.#storedConsents.set(subject, [...(this.#storedConsents.get(subject) ?? []), consent]);
  }

  addClient(client: ClientProfile, scopes?: readonly string[]): void {
    this.#clients.set(client.id, client);
    if (scopes) this.#clientScopes.set(client.id, scopes);
  }

  /** @param parameters further parameters of the authorization request */
  requestUrl(parameters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({ client_id: 'demo', response_type: 'code', ...parameters });
    return `${this.publicUrl}/oauth2/auth?${query.toString()}`;
  }

  client(members: Partial<ClientProfile> = {}): ClientProfile {
    return {
      id: 'demo',
      name: 'Beispielportal',
      redirectUris: ['http://localhost:5555/callback'],
      postLogoutRedirectUris: ['http://localhost:5555/'],
      clientUri: 'http://localhost:5555/',
      isPublic: false,
      skipConsent: false,
      skipLogoutConsent: false,
      foyer: { confirmSession: false, returnUrls: [] },
      ...members,
    };
  }

  expire(challenge: string): void {
    this.#expiredChallenges.add(challenge);
  }

  markUsed(challenge: string): void {
    this.#usedChallenges.add(challenge);
  }

  /** Makes calls to Hydra fail with this error from now on, while `isReady` returns false; null ends the outage. */
  fail(error: Error | null = new UpstreamUnavailable('Hydra did not answer')): void {
    this.#outage = error;
  }

  getLogin(challenge: string): Promise<LoginRequest> {
    return this.#find(this.#logins, challenge);
  }

  async acceptLogin(challenge: string, authentication: Authentication): Promise<UpstreamRedirect> {
    await this.#find(this.#logins, challenge);
    return this.#answer({ call: 'acceptLogin', challenge, authentication }, 'login_verifier');
  }

  async rejectLogin(challenge: string, rejection: Rejection): Promise<UpstreamRedirect> {
    await this.#find(this.#logins, challenge);
    return this.#answer({ call: 'rejectLogin', challenge, rejection }, 'login_verifier');
  }

  getConsent(challenge: string): Promise<ConsentRequest> {
    return this.#find(this.#consents, challenge);
  }

  async acceptConsent(challenge: string, grant: Grant): Promise<UpstreamRedirect> {
    await this.getConsent(challenge);
    return this.#answer({ call: 'acceptConsent', challenge, grant }, 'consent_verifier');
  }

  async rejectConsent(challenge: string, rejection: Rejection): Promise<UpstreamRedirect> {
    await this.getConsent(challenge);
    return this.#answer({ call: 'rejectConsent', challenge, rejection }, 'consent_verifier');
  }

  async acceptDevice(challenge: string, userCode: string): Promise<UpstreamRedirect> {
    await this.#find(this.#deviceRequests, challenge);
    const device = this.#userCodes.get(userCode);
    if (!device) throw new UserCodeRefused('No device is waiting for this code');
    this.calls.push({ call: 'acceptDevice', challenge, userCode });
    this.#redirects += 1;
    const query = new URLSearchParams({ client_id: device.clientId, device_verifier: String(this.#redirects) });
    return `${this.publicUrl}/oauth2/device/verify?${query.toString()}`;
  }

  getLogout(challenge: string): Promise<LogoutRequest> {
    return this.#find(this.#logouts, challenge);
  }

  async acceptLogout(challenge: string): Promise<UpstreamRedirect> {
    await this.getLogout(challenge);
    return this.#answer({ call: 'acceptLogout', challenge }, 'logout_verifier');
  }

  async rejectLogout(challenge: string): Promise<void> {
    await this.getLogout(challenge);
    this.calls.push({ call: 'rejectLogout', challenge });
    this.#logouts.delete(challenge);
  }

  async listSessionIds(subject: string): Promise<string[]> {
    await this.#requireUp();
    return [...(this.#grantedSessions.get(subject) ?? [])];
  }

  async endLoginSessions(subject: string): Promise<void> {
    await this.#requireUp();
    this.calls.push({ call: 'endLoginSessions', subject });
  }

  async endLoginSession(sessionId: string): Promise<void> {
    await this.#requireUp();
    this.calls.push({ call: 'endLoginSession', sessionId });
  }

  async listConsents(subject: string): ReturnType<HydraPort['listConsents']> {
    await this.#requireUp();
    return { consents: this.#storedConsents.get(subject) ?? [], isComplete: true };
  }

  async revokeConsents(subject: string, clientId?: string): Promise<void> {
    await this.#requireUp();
    const remainingConsents = (this.#storedConsents.get(subject) ?? []).filter(
      ({ client }) => clientId !== undefined && client.id !== clientId,
    );
    this.#storedConsents.set(subject, remainingConsents);
    this.calls.push({ call: 'revokeConsents', subject, ...defined({ clientId }) });
  }

  async introspect(token: string): Promise<AccessToken | null> {
    await this.#requireUp();
    return this.#tokens.get(token) ?? null;
  }

  async getClient(id: string): Promise<ClientProfile | null> {
    await this.#requireUp();
    requireReadable(id);
    const wire = this.#registeredClients.get(id);
    return this.#clients.get(id) ?? (wire ? readClient(wire) : id === 'demo' ? this.client() : null);
  }

  async listClientNames(): Promise<ClientName[]> {
    await this.#requireUp();
    return [...this.#clients.values()].map(({ id, name }) => ({ id, name }));
  }

  async saveClient(registration: ClientRegistration): Promise<void> {
    await this.#requireUp();
    this.registrations.set(registration.id, registration);
  }

  /** Adds a client as it is registered. @param members with Hydra's names */
  addRegistered(members: Wire & { client_id: string }): void {
    this.#registeredClients.set(members.client_id, {
      updated_at: '2026-01-01T00:00:00Z',
      created_at: '2026-01-01T00:00:00Z',
      ...members,
    });
  }

  /** Deletes the client, as an operator may do at Hydra. */
  forget(id: string): void {
    this.#registeredClients.delete(id);
  }

  /** A client as it is registered, with its secret. */
  findRegistration(id: string): Wire | undefined {
    return this.#registeredClients.get(id);
  }

  async listClients({ name, owner, cursor = '', limit }: ClientQuery): Promise<ClientPage> {
    await this.#requireUp();
    if (cursor.includes(' ')) throw new ClientRefused('The cursor is not known.');
    const matchingClients = [...this.#registeredClients.values()].map(readRegisteredClient).filter((client) => {
      return (
        client.client_id > cursor &&
        (name ?? client.client_name) === client.client_name &&
        (owner ?? client.owner) === client.owner
      );
    });
    const sortedClients = matchingClients.sort((one, other) => (one.client_id < other.client_id ? -1 : 1));
    const clients = sortedClients.slice(0, limit);
    const lastClient = clients.at(-1);
    return { clients, ...(lastClient && sortedClients.length > limit ? { nextCursor: lastClient.client_id } : {}) };
  }

  async findRegisteredClient(id: string): Promise<RegisteredClient | null> {
    await this.#requireUp();
    requireReadable(id);
    const wire = this.#registeredClients.get(id);
    return wire ? readRegisteredClient(wire) : null;
  }

  async createClient(client: NewClient): Promise<RegisteredClient> {
    await this.#requireUp();
    if (this.#registeredClients.has(client.client_id)) throw new ChallengeUsed('Hydra answered 409');
    this.addRegistered(client);
    return readRegisteredClient(this.#registeredClients.get(client.client_id) ?? client);
  }

  async changeClient(id: string, members: Partial<ClientMembers>): Promise<RegisteredClient> {
    const wire = { ...(await this.#requireRegistered(id)), ...members };
    this.#changes += 1;
    this.addRegistered({ ...wire, client_id: id, updated_at: `2026-01-01T00:00:00.${this.#changes}Z` });
    return readRegisteredClient(this.#registeredClients.get(id) ?? {});
  }

  async setClientSecret(id: string, secret: string): Promise<void> {
    this.#registeredClients.set(id, { ...(await this.#requireRegistered(id)), client_secret: secret });
  }

  async deleteClient(id: string): Promise<void> {
    await this.#requireRegistered(id);
    this.#registeredClients.delete(id);
  }

  async #requireRegistered(id: string): Promise<Wire> {
    await this.#requireUp();
    const wire = this.#registeredClients.get(id);
    if (!wire) throw new ChallengeUnknown('Hydra answered 404');
    return wire;
  }

  async getClientScopes(id: string): Promise<string[] | null> {
    await this.#requireUp();
    const wire = this.#registeredClients.get(id);
    if (wire) return readClientScopes(wire);
    return (await this.getClient(id)) && [...(this.#clientScopes.get(id) ?? ['openid', 'profile', 'email'])];
  }

  isReady(): Promise<boolean> {
    return Promise.resolve(this.#outage === null);
  }

  async #find<Request>(requests: ReadonlyMap<string, Request>, challenge: string): Promise<Request> {
    await this.#requireUp();
    const request = requests.get(challenge);
    if (!request) throw new ChallengeUnknown('Hydra answered 404');
    if (this.#expiredChallenges.has(challenge)) throw new ChallengeExpired('The challenge is too old');
    if (this.#usedChallenges.has(challenge)) throw new ChallengeUsed('Hydra answered 410');
    return request;
  }

  #answer(call: RecordedCall, verifier: string): UpstreamRedirect {
    this.calls.push(call);
    this.#redirects += 1;
    return `${this.publicUrl}/oauth2/auth?client_id=demo&${verifier}=${this.#redirects}`;
  }

  async #requireUp(): Promise<void> {
    await Promise.resolve();
    if (this.#outage) throw this.#outage;
  }
}

/** PostgreSQL refuses NUL, so a look-up of such an id ends with an error of Hydra. */
function requireReadable(clientId: string): void {
  if (clientId.includes('\u0000')) throw new UpstreamUnavailable('Hydra answered 500');
}
