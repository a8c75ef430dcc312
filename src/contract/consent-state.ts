/** State of the consent screen. */
import type { AccountState, ChallengeFault, ClientWithPolicyState } from './request-state.js';

export interface ScopeState {
  id: string;
  /** The person cannot refuse the scope (`openid`). */
  required: boolean;
  /** Texts from `CONSENT_SCOPES`; the page has its own texts for the built-in scopes. */
  title?: string;
  description?: string;
  /** With this scope, an app can read or change a great deal. */
  far_reaching?: true;
  /** The values that the app would receive now. */
  values?: ClaimState[];
  /** The scope releases data, but the account has no such data now. */
  empty?: true;
  /** The scope was granted before, so it is granted again without asking. */
  granted?: true;
}

export interface ClaimState {
  /** Name of the claim in the token; the page has its own texts for standard claims. */
  claim: string;
  /** Title from `CLAIMS`. */
  title?: string;
  value: string | boolean;
}

export interface ConsentState {
  error: 'failed' | 'invalid-scope-requested' | null;
  challenge_fault?: ChallengeFault;
  restart_url?: string;
  restart_asks_code?: true;
  client: ClientWithPolicyState;
  account?: AccountState;
  scopes: ScopeState[];
  /** The access is for a device whose code was entered. An attacker may have sent the code, so the page warns. */
  device?: true;
  consent_challenge: string;
  /** Address to which a refusal redirects without a form (CON-5); set only if the challenge can no longer be rejected. */
  redirect_uri?: string;
  xsrf_token: string;
  ticket: string;
}
