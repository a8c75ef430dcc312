/**
 * What this product needs of the OAuth server, named for the need, not for the wire. The adapter speaks to Ory Hydra's
 * admin API, the fake keeps requests in memory. Every method may throw the errors of `hydra.errors.ts`.
 */
import type { ClientProfile } from './client-profile.js';

export interface LoginRequest {
  challenge: string;
  /** The upstream has a remembered session and would not ask: accept `subject` again or restart. */
  skip: boolean;
  /** Empty unless `skip`. */
  subject: string;
  /** `sid` of the session that this login begins or goes on with. */
  sessionId: string;
  /** Absolute address of the authorization request, with every extra parameter. */
  requestUrl: string;
  requestedScope: readonly string[];
  loginHint?: string;
  uiLocales: readonly string[];
  acrValues: readonly string[];
  client: ClientProfile;
}

/** Who somebody is and how that was proven. Every way of signing in ends in this value. */
export interface Authentication {
  subject: string;
  acr: string;
  amr: readonly string[];
  remember: boolean;
  /** Sent explicitly always: 0 means different things in different versions of Hydra. */
  rememberForSeconds: number;
}

export interface ConsentRequest {
  challenge: string;
  /** Id of the flow; equal for all consent challenges of one login. */
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
  /** Claims of the ID token and of userinfo, already cut to the granted scopes. */
  idTokenClaims: Record<string, unknown>;
  remember: boolean;
  rememberForSeconds: number;
}

export interface LogoutRequest {
  challenge: string;
  subject: string;
  sessionId: string;
  /** The app asked with an ID token as hint. */
  rpInitiated: boolean;
  client?: ClientProfile;
}

/** What an access token stands for, as the upstream says it at this moment (RFC 7662). */
export interface AccessToken {
  /** The client's own id where the token is nobody's. */
  subject: string;
  clientId: string;
  scopes: readonly string[];
  audience: readonly string[];
  /** In whole seconds. */
  issuedAt: Date | null;
  expiresAt: Date | null;
}

/** Error codes that the client receives (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
export type RejectionCode = 'access_denied' | 'login_required' | 'consent_required' | 'interaction_required' | 'invalid_scope';

export interface Rejection {
  code: RejectionCode;
  /** One English sentence for the developers of the client. */
  description: string;
}

/** An address of the upstream that the browser must be sent to; checked to be on its public origin. */
export type UpstreamRedirect = string;

export abstract class HydraPort {
  abstract getLogin(challenge: string): Promise<LoginRequest>;
  abstract acceptLogin(challenge: string, authentication: Authentication): Promise<UpstreamRedirect>;
  abstract rejectLogin(challenge: string, rejection: Rejection): Promise<UpstreamRedirect>;
  abstract getConsent(challenge: string): Promise<ConsentRequest>;
  abstract acceptConsent(challenge: string, grant: Grant): Promise<UpstreamRedirect>;
  abstract rejectConsent(challenge: string, rejection: Rejection): Promise<UpstreamRedirect>;
  abstract getLogout(challenge: string): Promise<LogoutRequest>;
  abstract acceptLogout(challenge: string): Promise<UpstreamRedirect>;
  abstract rejectLogout(challenge: string): Promise<void>;
  /** @returns the ids of the sessions in which an app was given something that still counts, ended ones among them */
  abstract listSessionIds(subject: string): Promise<string[]>;
  /** Ends every session of the subject at the upstream, and tells no app. Tokens live on. */
  abstract endLoginSessions(subject: string): Promise<void>;
  /** Ends one session at the upstream, which tells its apps; one that is over already is none. */
  abstract endLoginSession(sessionId: string): Promise<void>;
  /** Takes back every grant of the subject and the tokens given for them. */
  abstract revokeConsents(subject: string): Promise<void>;
  /** @returns null for whatever is no living access token: refresh tokens, ID tokens, expired and revoked ones */
  abstract introspect(token: string): Promise<AccessToken | null>;
  /** @returns null for a client that is not there */
  abstract getClient(id: string): Promise<ClientProfile | null>;
  /** @returns whether the admin API answers that it is ready; never throws */
  abstract isReady(): Promise<boolean>;
}
