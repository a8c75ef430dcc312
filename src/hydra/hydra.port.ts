/**
 * The operations that this product needs from Hydra, in its own terms. The adapter uses Ory Hydra's admin API; the fake keeps requests in
 * memory. Every method except `isReady` may throw the errors of `hydra.errors.ts`.
 */
import type { ClientProfile } from './client-profile.js';
import type { ClientMembers, ClientPage, ClientQuery, NewClient, RegisteredClient } from './registered-client.js';

export interface LoginRequest {
  challenge: string;
  /** Hydra remembers a session and needs no page. If Foyer accepts the login, it must be for the same `subject`. */
  skip: boolean;
  /** Empty unless `skip`. */
  subject: string;
  /** The subject that identifies the account at Hydra, if it is not the account's id. */
  upstreamSubject?: string;
  /** `sid` of the session that this login starts or continues. */
  sessionId: string;
  /** Absolute address of the authorization request, with all extra parameters. */
  requestUrl: string;
  requestedScope: readonly string[];
  loginHint?: string;
  /** Claims of the ID token that the client sent as `id_token_hint`; Hydra has verified the token, but anybody may have it. */
  idTokenHint?: { subject: string; username?: string };
  uiLocales: readonly string[];
  acrValues: readonly string[];
  client: ClientProfile;
}

/** The identity and how it was proven. Every way of signing in ends in this value. */
export interface Authentication {
  subject: string;
  acr: string;
  amr: readonly string[];
  remember: boolean;
  /** Always sent: 0 means different things in different versions of Hydra. */
  rememberForSeconds: number;
}

export interface ConsentRequest {
  challenge: string;
  /** Id of the flow; the same for all consent challenges of one login. */
  flowId: string;
  loginSessionId: string;
  skip: boolean;
  subject: string;
  requestUrl: string;
  requestedScope: readonly string[];
  requestedAudience: readonly string[];
  acr: string;
  amr: readonly string[];
  uiLocales: readonly string[];
  client: ClientProfile;
}

export interface Grant {
  scopes: readonly string[];
  audience: readonly string[];
  /** Claims of the ID token and of userinfo, only those of granted scopes. */
  idTokenClaims: Record<string, unknown>;
  /** Claims of the access token, in JWTs and introspection below `ext`. */
  accessTokenClaims: Record<string, unknown>;
  remember: boolean;
  rememberForSeconds: number;
}

export interface LogoutRequest {
  challenge: string;
  subject: string;
  sessionId: string;
  /** Whether an app requested the logout with an ID token hint; true unless Hydra denies it. */
  rpInitiated: boolean;
  client?: ClientProfile;
  /** Where the client wants the person to return: one of its registered addresses, with its `state`. */
  returnTo?: string;
}

/** Result of token introspection (RFC 7662). */
export interface AccessToken {
  /** The client id if the token belongs to no person. */
  subject: string;
  clientId: string;
  scopes: readonly string[];
  audience: readonly string[];
  /** Whole seconds. */
  issuedAt: Date | null;
  expiresAt: Date | null;
}

/**
 * Error codes for the client (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6; OpenID Connect Core Error Code
 * unmet_authentication_requirements 1.0).
 */
export type RejectionCode =
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'invalid_scope'
  | 'server_error'
  | 'unmet_authentication_requirements';

export interface Rejection {
  code: RejectionCode;
  /** One English sentence for the client's developers. */
  description: string;
}

/** A valid consent to one request of a client, given by a person or by the rule for trusted clients. */
export interface StoredConsent {
  client: ClientProfile;
  scopes: readonly string[];
  grantedAt: Date | null;
}

/** The members that Foyer sets for a client that it registers itself; other members of an existing client stay unchanged. */
export interface ClientRegistration {
  id: string;
  /** Only for a new client, because its owner may have changed it. */
  name: string;
  secret: string;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  backChannelLogoutUri: string;
  scope: string;
}

export interface ClientName {
  id: string;
  name: string;
}

/** The address to which the browser is redirected; always on Hydra's public origin. */
export type UpstreamRedirect = string;

export abstract class HydraPort {
  abstract getLogin(challenge: string): Promise<LoginRequest>;
  abstract acceptLogin(challenge: string, authentication: Authentication): Promise<UpstreamRedirect>;
  abstract rejectLogin(challenge: string, rejection: Rejection): Promise<UpstreamRedirect>;
  abstract getConsent(challenge: string): Promise<ConsentRequest>;
  abstract acceptConsent(challenge: string, grant: Grant): Promise<UpstreamRedirect>;
  abstract rejectConsent(challenge: string, rejection: Rejection): Promise<UpstreamRedirect>;
  /**
   * Starts the login for the device with this code (RFC 8628, section 3.3). Codes are compared exactly. May be repeated until
   * a person has answered for the device. @throws UserCodeRefused
   */
  abstract acceptDevice(challenge: string, userCode: string): Promise<UpstreamRedirect>;
  abstract getLogout(challenge: string): Promise<LogoutRequest>;
  abstract acceptLogout(challenge: string): Promise<UpstreamRedirect>;
  abstract rejectLogout(challenge: string): Promise<void>;
  /** @returns ids of the sessions with a valid consent, ended sessions included; not all of them if there are too many to read */
  abstract listSessionIds(subject: string): Promise<string[]>;
  /**
   * @param subject the subject that identifies the account at Hydra
   * @returns the valid consents; `isComplete`: false if there are too many to read all
   */
  abstract listConsents(subject: string): Promise<{ consents: StoredConsent[]; isComplete: boolean }>;
  /** Ends all sessions of the subject at Hydra without notifying clients. Tokens stay valid. */
  abstract endLoginSessions(subject: string): Promise<void>;
  /** Ends one session, and Hydra notifies the clients of a remembered session. Does nothing for an ended session. */
  abstract endLoginSession(sessionId: string): Promise<void>;
  /** Revokes the consents of the subject to one client, or to all, and the tokens issued for them. */
  abstract revokeConsents(subject: string, clientId?: string): Promise<void>;
  /** @returns null unless the token is a valid access token with a time of issue */
  abstract introspect(token: string): Promise<AccessToken | null>;
  /** @returns null for an unknown client */
  abstract getClient(id: string): Promise<ClientProfile | null>;
  /** @returns id and name of the clients, at most 10,000 */
  abstract listClientNames(): Promise<ClientName[]>;
  /** @returns the scopes that a client may request; null for an unknown client */
  abstract getClientScopes(id: string): Promise<string[] | null>;
  /** Registers a confidential client for the authorization code flow that needs no consent, or changes the existing client. */
  abstract saveClient(registration: ClientRegistration): Promise<void>;
  /**
   * Lists clients in Hydra's order, by page.
   * @throws ClientRefused for an unknown cursor, except with Hydra v2.3.0, which then starts from the beginning
   */
  abstract listClients(query: ClientQuery): Promise<ClientPage>;
  /** @returns null for an unknown client */
  abstract findRegisteredClient(id: string): Promise<RegisteredClient | null>;
  /** @throws ChallengeUsed if there is a client with this id, ClientRefused */
  abstract createClient(client: NewClient): Promise<RegisteredClient>;
  /** Changes members of a client, regardless of other changes since it was read. @throws ChallengeUnknown, ClientRefused */
  abstract changeClient(id: string, members: Partial<ClientMembers>): Promise<RegisteredClient>;
  /** Replaces the secret of a client; the former secret becomes invalid immediately. @throws ChallengeUnknown */
  abstract setClientSecret(id: string, secret: string): Promise<void>;
  /** Deletes a client with its tokens and consents. @throws ChallengeUnknown */
  abstract deleteClient(id: string): Promise<void>;
  /** @returns whether the admin API reports that it is ready; never throws */
  abstract isReady(): Promise<boolean>;
}
