/** State of the consent screen. */
import type { AccountState, ChallengeFault, ClientWithPolicyState } from './request-state.js';

export interface ScopeState {
  id: string;
  /** Cannot be refused (`openid`). */
  required: boolean;
  /** Texts from the installation's catalogue; the page has its own texts for the built-in scopes. */
  title?: string;
  description?: string;
  /** With it an app can change or read a great deal. */
  far_reaching?: true;
  /** What the app receives with this scope at present. */
  values?: ClaimState[];
  /** The scope stands for data, and there is none at present. */
  empty?: true;
  /** Granted before: it is not asked, and granted again. */
  granted?: true;
}

export interface ClaimState {
  /** Name in the token; the page has words of its own for standard claims. */
  claim: string;
  /** Words of the installation. */
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
  /** The access is for a device whose code was entered: perhaps one that somebody else has before them. */
  device?: true;
  consent_challenge: string;
  /** Where a refusal redirects without a form (CON-5); set only if the challenge can no longer be rejected. */
  redirect_uri?: string;
  xsrf_token: string;
  ticket: string;
}
