/** The types of the model of signing in: people, browsers and tabs, what people do, and what they see. `sign-in.model.ts` has the rules. */

export interface Person {
  name: string;
  isActive: boolean;
  /** True if an authenticator app is set up. */
  hasApp: boolean;
  hasPasskey: boolean;
  /** False for a person who has just registered at the registration service. */
  hasPassword: boolean;
  /** True if an operator has required a new password, or if the password is in the list of breached ones. */
  needsPassword: boolean;
  /** True if codes can be mailed to the person, whose address is verified. */
  hasAddress: boolean;
  /** The versions of the terms that the person has accepted. */
  acceptedTerms: Set<number>;
  /** When the account was created, and when all its sign-ins ended last, as values of `SignInModel.count`. */
  createdAt: number;
  endedAt: number;
}

/** The proof that first identifies a person in a sign-in. */
export type FirstProof = 'password' | 'provider' | 'passkey' | 'registration' | 'mailedCode' | 'signUp';

export interface Proof {
  by: FirstProof;
  /** True if a code of the authenticator app followed. */
  hasCode: boolean;
}

/** The terms that everybody has to accept. */
export interface Terms {
  version: number;
  /** In minutes since the beginning: from when on people are asked, and until when they may choose "Later". */
  from: number;
  laterUntil: number;
}

/** `accept`: with the check mark. `unchecked`: without it. */
export type TermsChoice = 'accept' | 'unchecked' | 'later' | 'cancel';

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
  /** True if the person has chosen "Later" for the terms. */
  hasPostponed: boolean;
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

/** A code that one tab has requested by mail, to sign in. */
export interface RequestedCode {
  /** Null if nobody gets a code. */
  person: Person | null;
  /** In minutes since the beginning. */
  at: number;
  /** The value of `SignInModel.count` at the request. */
  count: number;
  wrongTries: number;
}

/** How far a person who creates an account is, in one browser. */
export interface SignUp {
  /** The tab in which the person has entered the details last. */
  tab: Tab;
  /** Whoever has the entered address, with or without an account. */
  person: Person;
  /** When the code was requested, in minutes since the beginning. */
  at: number;
  /** False if the address had an account: then no code is right. */
  wasMailed: boolean;
  wrongTries: number;
  /** True if a right code has proven the address. */
  isProven: boolean;
  /** True if the person waits for an operator's decision. */
  isWaiting: boolean;
}

/** Where people create their accounts: at the registration service, or here, at once or after an operator has approved it. */
export type RegistrationMode = 'service' | 'own' | 'approval';

export interface Browser {
  session: Session | null;
  signUp: SignUp | null;
  /** The people who have ticked "Trust this browser" with a right code in this browser. */
  trusted: Set<Person>;
  /** Number of steps and sign-outs in this browser, each of which may give it a new id. */
  steps: number;
}

/** An invitation of somebody who had no account. */
export interface Invitation {
  person: Person;
  state: 'open' | 'used' | 'withdrawn';
  /** The number of the link that was mailed last, from 1. */
  newestLink: number;
}

export interface InvitationLink {
  invitation: Invitation;
  number: number;
}

/** The form behind the link of an invitation. */
export interface InvitationForm {
  isRight: boolean;
  /** True if the browser may have another id since the form was shown. */
  isOutdated: boolean;
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
  /** The newest request for a code by mail; earlier ones have ended. */
  requestedCode: RequestedCode | null;
  /** True if the tab has shown a page that follows an accepted login. */
  isOver: boolean;
  /** True if that login was accepted without a code because none was required. */
  wasEnough: boolean;
}

export type Step =
  | { kind: 'open' | 'allow' | 'back' | 'reload' | 'register' }
  /** With `isAtOnce`, a double click whose second request does not wait for the first answer. */
  | { kind: Exclude<FirstProof, 'registration' | 'signUp'>; person: Person; isRight: boolean; isAtOnce?: boolean }
  /** The return from the registration service, which names this person. With `isRight`, the person did not cancel. */
  | { kind: 'registration'; from: Registration; person: Person; isRight: boolean; isAtOnce?: boolean }
  /** The last step of a sign-up: the password of this person. */
  | { kind: 'signUp'; person: Person; isRight: boolean; isAtOnce?: boolean }
  /** A sign-up with the address of this person. */
  | { kind: 'details'; named: Person; isAtOnce?: boolean }
  /** The code that proves the address of a sign-up. */
  | { kind: 'addressCode'; isRight: boolean; isAtOnce?: boolean }
  /** A request for a code by mail, for this person. */
  | { kind: 'askCode'; named: Person }
  /** A new password in place of the one that was proven. */
  | { kind: 'task'; isRight: boolean; isAtOnce?: boolean }
  /** The form of the terms, for this person, with the version that the page has shown. */
  | { kind: 'terms'; named: Person; version: number; choice: TermsChoice; isAtOnce?: boolean }
  | { kind: 'code'; isRight: boolean; isAtOnce?: boolean };

/** The result of a step: what the browser shows, and what Hydra has accepted. */
export interface Shown {
  /**
   * Name of a page of Foyer, with its state for the pages of a sign-up (`sign_up_code`), of a code by mail (`mailed_code_ask`) and of a task
   * (`task_terms`); `app` for the client, `service` for the registration service, `none` for anything else.
   */
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
  /** The challenges of the logins that Hydra has rejected since the previous step, because the person has declined. */
  declined: readonly string[];
  /** True if the person of a registration or a sign-up has an account that did not exist before. */
  hasAccount?: boolean | undefined;
  /** True if somebody with the address of the sign-up waits for an operator's decision. */
  hasApplication?: boolean | undefined;
  /** True if the step has mailed a code. */
  isMailed?: boolean | undefined;
  /** True if the step has replaced the password of the person who was proven. */
  isReplaced?: boolean | undefined;
  /** True if the person of the step has accepted the current version of the terms, in this step or before. */
  hasAcceptedTerms?: boolean | undefined;
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
