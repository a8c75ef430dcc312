/**
 * Parts of the state of several pages: the client, the account, a provider, and why a waiting request cannot be answered.
 */

/** The client. Its texts are untrusted; its addresses have been checked to be http(s). */
export interface ClientState {
  name: string;
  logo_url?: string;
  /** The logo for dark pages. */
  logo_dark_url?: string;
}

/** The client with its policies, checked to be http(s) addresses. */
export interface ClientWithPolicyState extends ClientState {
  policy_uri?: string;
  tos_uri?: string;
}

export interface AccountState {
  id: string;
  /** Display name, or the username if there is none. */
  name: string;
  username: string;
}

/**
 * Why a challenge cannot be used. The pages have one heading for all faults, and an explanation for each. `foreign`: the
 * challenge belongs to another browser. `no-cookies`: the challenge belongs to another browser, or this browser refuses cookies.
 */
export type ChallengeFault = 'missing' | 'expired' | 'used' | 'foreign' | 'no-cookies';

/** An identity provider with which people may sign in. */
export interface ProviderState {
  id: string;
  name: string;
  /** Selects the provider's icon, if there is one. */
  brand: 'google' | 'microsoft' | 'apple' | null;
}
