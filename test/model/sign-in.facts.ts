/** The types of the model of signing in: people, browsers and tabs, what people do, and what they see. `sign-in.model.ts` has the rules. */

export interface Person {
  name: string;
  isActive: boolean;
  /** True if an authenticator app is set up. */
  hasApp: boolean;
  hasPasskey: boolean;
  /** False for a person who has just registered. */
  hasPassword: boolean;
  /** When the account was created, and when all its sign-ins ended last, as values of `SignInModel.count`. */
  createdAt: number;
  endedAt: number;
}

/** The proof that first identifies a person in a sign-in. */
export type FirstProof = 'password' | 'provider' | 'passkey' | 'registration';

export interface Proof {
  by: FirstProof;
  /** True if a code of the authenticator app followed. */
  hasCode: boolean;
}

/** A session of the upstream, which continues without a question. */
export interface Session {
  person: Person;
  proof: Proof;
  /** `proof` and the proofs of earlier sessions of the person, because an earlier proof may have signed in an older tab. */
  possibleProofs: readonly Proof[];
}

/** A proof in one tab with which the person can still sign in. */
export interface ProvenPerson extends Proof {
  person: Person;
  /** In minutes since the beginning. */
  at: number;
}

/** A registration that one tab has begun at the registration service. */
export interface Registration {
  /** The tab in which it began. */
  tab: Tab;
  /** The value of `SignInModel.count` at the beginning. */
  begunAt: number;
  /** The person named by the first answer; a later answer cannot name another person. */
  person: Person | null;
}

export interface Browser {
  session: Session | null;
  /** The people who have ticked "Trust this browser" with a right code in this browser. */
  trusted: Set<Person>;
}

export type Prompt = 'login' | 'none';

/** The state of one tab since the app opened it. */
export interface Tab {
  browser: Browser;
  /** True if the client requires a second factor. */
  isStrict: boolean;
  prompt: Prompt | undefined;
  openedAt: number;
  /** True if the tab was opened with an address of another browser. */
  isForeign: boolean;
  /** True if the tab shows an earlier page without a new request. */
  wentBack: boolean;
  /** The last correct first proof. */
  proven: ProvenPerson | null;
  trusts: boolean;
  /** The newest registration; earlier ones have ended. */
  registration: Registration | null;
  /** True if the tab has shown a page that follows an accepted login. */
  isOver: boolean;
  /** True if that login was accepted without a code because none was required. */
  wasEnough: boolean;
}

export type Step =
  | { kind: 'open' | 'allow' | 'back' | 'reload' | 'register' }
  /** With `isAtOnce`, a double click whose second request does not wait for the first answer. */
  | { kind: Exclude<FirstProof, 'registration'>; person: Person; isRight: boolean; isAtOnce?: boolean }
  /** The return from the registration service, which names this person. With `isRight`, the person did not cancel. */
  | { kind: 'registration'; from: Registration; person: Person; isRight: boolean; isAtOnce?: boolean }
  | { kind: 'code'; isRight: boolean; isAtOnce?: boolean };

/** The result of a step: what the browser shows, and what Hydra has accepted. */
export interface Shown {
  /** Name of a page of Foyer; `app` for the client, `service` for the registration service, `none` for anything else. */
  page: string;
  status: number;
  /** True if the page has a form or a link. */
  hasNextStep: boolean;
  /** The code of an alert on a login page. */
  error?: string | null;
  /** The error that the client received. */
  clientError?: string;
  /** Claims of the ID token for the code that the client received. */
  claims?: Claims;
  /** The logins that Hydra has accepted since the previous step. */
  accepted: readonly AcceptedLogin[];
  /** True if the person of a registration has an account. */
  hasAccount?: boolean | undefined;
}

export interface Claims {
  sub: string;
  acr: string;
  amr: readonly string[];
}

export interface AcceptedLogin extends Claims {
  challenge: string;
  /** The whole request to Hydra, as JSON. */
  result: string;
}
