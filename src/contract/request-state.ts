/** What several screens show about a waiting request: the client, the account, and why it cannot be answered. */

/** The client. Its texts are untrusted; its addresses have been checked to be http(s). */
export interface ClientState {
  name: string;
  logo_url?: string;
}

export interface AccountState {
  id: string;
  /** Display name, or the username if there is none. */
  name: string;
  username: string;
}

/** Why a challenge cannot be used. The heading is the same; the explanation differs. */
export type ChallengeFault = 'missing' | 'expired' | 'used' | 'foreign';

/** An identity provider with which people may sign in. */
export interface ProviderState {
  id: string;
  name: string;
  /** Selects the provider's icon, if there is one. */
  brand: 'google' | 'microsoft' | 'apple' | null;
}
