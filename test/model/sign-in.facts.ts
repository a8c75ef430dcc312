/** What the model of signing in knows about people, browsers and tabs, what people do, and what they see. `sign-in.model.ts` has the rules. */

export interface Person {
  name: string;
  isActive: boolean;
  /** An authenticator app is set up. */
  hasApp: boolean;
  hasPasskey: boolean;
  /** False for somebody who has just registered. */
  hasPassword: boolean;
  /** When the account was made, and when all its sign-ins ended last; see `SignInModel.count`. */
  madeAt: number;
  endedAt: number;
}

/** The proof that first identifies a person in a sign-in. */
export type FirstProof = 'password' | 'provider' | 'passkey' | 'registration';

export interface Proof {
  by: FirstProof;
  /** A code of the authenticator app followed. */
  hasCode: boolean;
}

/** A session of the upstream, which continues it without a question. */
export interface Session {
  person: Person;
  proof: Proof;
  /** `proof`, and the proofs of earlier sessions of the person: one of them may have signed an older tab in. */
  possibleProofs: readonly Proof[];
}

/** What is proven in one tab, while its person may still sign in with it. */
export interface Proven extends Proof {
  person: Person;
  /** In minutes since the beginning. */
  at: number;
}

/** The way to the registration service and back, from one tab. */
export interface Registration {
  /** The tab in which it began. */
  tab: Tab;
  /** See `SignInModel.count`. */
  begunAt: number;
  /** The person whom the first answer named; a later answer cannot name another. */
  person: Person | null;
}

export interface Browser {
  session: Session | null;
  /** Who has ticked "Trust this browser" after a right code here. */
  trusted: Set<Person>;
}

export type Prompt = 'login' | 'none';

/** What one tab has done since the app opened it. */
export interface Tab {
  browser: Browser;
  /** The client wants a second factor. */
  isStrict: boolean;
  prompt: Prompt | undefined;
  openedAt: number;
  /** The tab was opened with an address of another browser. */
  isForeign: boolean;
  /** The tab shows an earlier page, without a new request. */
  wentBack: boolean;
  /** The last correct first proof. */
  proven: Proven | null;
  trusts: boolean;
  /** The newest registration; earlier ones have ended. */
  registration: Registration | null;
  /** The tab has shown a page that follows an accepted login. */
  isOver: boolean;
  /** No code was needed when that login was accepted. */
  wasEnough: boolean;
}

export type Step =
  | { kind: 'open' | 'allow' | 'back' | 'reload' | 'register' }
  /** `isAtOnce`: a double click, whose second request does not wait for the first answer. */
  | { kind: Exclude<FirstProof, 'registration'>; person: Person; isRight: boolean; isAtOnce?: boolean }
  /** The return from the registration service, which names this person; `isRight`: the person did not cancel there. */
  | { kind: 'registration'; from: Registration; person: Person; isRight: boolean; isAtOnce?: boolean }
  | { kind: 'code'; isRight: boolean; isAtOnce?: boolean };

/** What the browser shows after a step. */
export interface Shown {
  /** Name of a page of Foyer; `app`: the client was reached; `service`: the registration service; `none`: anything else. */
  page: string;
  status: number;
  /** The page has a form or a link. */
  hasWayOn: boolean;
  /** The code of an alert on a login page. */
  error?: string | null;
  /** The client received an error. */
  clientError?: string;
  /** Claims of the ID token for the code that the client received. */
  claims?: Claims;
  /** The logins that Hydra has accepted since the previous step. */
  accepted: readonly Accepted[];
  /** Whether there is an account for the person of a registration. */
  hasAccount?: boolean | undefined;
}

export interface Claims {
  sub: string;
  acr: string;
  amr: readonly string[];
}

export interface Accepted extends Claims {
  challenge: string;
  /** Everything that Hydra received, as a text. */
  result: string;
}
