/** Types of Hydra's admin API, as far as the contract suite uses them. */
export interface WireClient {
  client_id: string;
  client_secret?: string;
  client_name?: string;
  skip_consent?: boolean;
  skip_logout_consent?: boolean | null;
  [member: string]: unknown;
}

export interface OidcContext {
  acr_values?: string[];
  ui_locales?: string[];
  display?: string;
  login_hint?: string;
  id_token_hint_claims?: Record<string, unknown>;
}

export interface LoginRequest {
  challenge: string;
  requested_scope: string[];
  requested_access_token_audience: string[];
  skip: boolean;
  subject: string;
  oidc_context: OidcContext | null;
  client: WireClient;
  request_url: string;
  session_id: string;
}

export interface ConsentRequest extends Omit<LoginRequest, 'session_id'> {
  consent_request_id?: string;
  login_challenge: string;
  login_session_id: string;
  acr: string;
  amr: string[];
  context?: unknown;
}

export interface LogoutRequest {
  challenge: string;
  subject: string;
  sid: string;
  request_url: string;
  rp_initiated: boolean;
  client: WireClient | null;
  expires_at?: string | null;
  requested_at?: string | null;
}

export interface LoginAccept {
  subject?: string;
  remember?: boolean;
  remember_for?: number;
  extend_session_lifespan?: boolean;
  acr?: string;
  amr?: string[];
  context?: unknown;
}

export interface ConsentAccept {
  grant_scope?: string[];
  grant_access_token_audience?: string[];
  session?: { access_token?: Record<string, unknown>; id_token?: Record<string, unknown> };
  remember?: boolean;
  remember_for?: number;
  context?: unknown;
}

export interface Rejection {
  error?: string;
  error_description?: string;
  error_hint?: string;
  error_debug?: string;
  status_code?: number;
}

export interface Introspection {
  active: boolean;
  scope?: string;
  client_id?: string;
  sub?: string;
  aud?: string[];
  iss?: string;
  exp?: number;
  iat?: number;
  nbf?: number;
  token_type?: string;
  token_use?: string;
  ext?: Record<string, unknown>;
}

export interface ConsentSession {
  consent_request_id?: string;
  grant_scope: string[];
  grant_access_token_audience: string[];
  session: { access_token: Record<string, unknown>; id_token: Record<string, unknown> };
  remember: boolean;
  remember_for: number;
  handled_at: string;
  context: unknown;
  consent_request: ConsentRequest;
}

export interface TokenAnswer {
  access_token: string;
  expires_in: number;
  id_token?: string;
  refresh_token?: string;
  scope: string;
  token_type: string;
}

export interface WireError {
  error: string;
  error_description: string;
}
