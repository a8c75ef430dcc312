/** What several screens say of a waiting request: who asks, whose account, why it cannot be answered. */

/** The app that asks. Texts are the app's own and untrusted; addresses have been checked to be http(s). */
export interface ClientState {
  name: string;
  logo_url?: string;
}

export interface AccountState {
  id: string;
  /** What the person is called; the user name where nothing else is known. */
  name: string;
  username: string;
}

/** Why a challenge cannot be used. The message is the same; the sentence below it differs. */
export type ChallengeFault = 'missing' | 'expired' | 'used' | 'foreign';

/** A company whose accounts people may sign in with. */
export interface ProviderState {
  id: string;
  name: string;
  /** Drawn where there is a sign for it. */
  brand: 'google' | 'microsoft' | 'apple' | null;
}
