/**
 * What must be true of signing in, whoever clicks what in which order. It knows people, browsers and tabs, and no HTTP: a step
 * is recorded here when it is taken, and what the product shows after it is judged by `findFaults`.
 */
import { ACR } from '../../src/contract/authentication.js';

/** Login requests of the upstream live so long. */
const REQUEST_MINUTES = 30;
/** The second step waits so long for its code. */
const SECOND_STEP_MINUTES = 10;

export interface Person {
  name: string;
  isActive: boolean;
  /** An authenticator app is set up. */
  hasApp: boolean;
  hasPasskey: boolean;
}

/** What says first who somebody is. */
export type FirstProof = 'password' | 'provider' | 'passkey';

interface Proof {
  by: FirstProof;
  /** A code of the authenticator app followed. */
  hasCode: boolean;
}

/** A session of the upstream, which continues it without a question. */
interface Session {
  person: Person;
  proof: Proof;
  /** And those of earlier sessions: an older tab may have been signed in by one of them, in place of a session of its own. */
  mayBe: readonly Proof[];
}

/** What is proven in one tab, while its person may still sign in with it. */
interface Proven extends Proof {
  person: Person;
  /** In minutes since the beginning. */
  at: number;
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
  /** It was opened with an address of another browser. */
  isForeign: boolean;
  /** Its page is from before, and was not asked for again. */
  wentBack: boolean;
  /** The last right first proof. */
  proven: Proven | null;
  trusts: boolean;
  /** It has shown a page that follows an accepted login. */
  isOver: boolean;
  /** No code was needed when that login was accepted. */
  wasEnough: boolean;
}

export type Step =
  | { kind: 'open' | 'allow' | 'back' | 'reload' }
  | { kind: FirstProof; person: Person; isRight: boolean }
  | { kind: 'code'; isRight: boolean };

/** What the browser shows after a step. */
export interface Shown {
  /** Name of a page of Foyer; `app`: the client was reached; `none`: anything else. */
  page: string;
  status: number;
  /** The page has a form or a link. */
  hasWayOn: boolean;
  /** The code of an alert on a login page. */
  error?: string | null;
  /** The client received an error. */
  clientError?: string;
  /** Claims of the ID token for the code that the client received. */
  claims?: { sub: string; acr: string; amr: readonly string[] };
}

const AFTER_A_LOGIN = ['consent', 'app'];
/** What answers an outdated form: it is shown once more. */
const OUTDATED = ['login', 'mfa_verification'];
/** What the ID token says of the first proof. */
const FIRST_AMR = { password: ['pwd'], provider: ['fed'], passkey: ['hwk', 'pop', 'user', 'pin', 'mfa'] } as const;
const FIRST_ACR = { password: ACR.password, provider: ACR.federated, passkey: ACR.hardwareKey } as const;

export class SignInModel {
  /** Minutes since the beginning. */
  minutes = 0;
  readonly browsers: Browser[] = [1, 2].map(() => ({ session: null, trusted: new Set() }));
  readonly tabs: Tab[] = [];

  constructor(readonly people: readonly Person[]) {}

  open(browser: Browser, isStrict: boolean, more: { prompt?: Prompt | undefined; isForeign?: boolean } = {}): Tab {
    const { prompt, isForeign = false } = more;
    const nothing = { wentBack: false, proven: null, trusts: false, isOver: false, wasEnough: false };
    const tab: Tab = { browser, isStrict, prompt, isForeign, openedAt: this.minutes, ...nothing };
    this.tabs.push(tab);
    return tab;
  }

  /** All sign-ins of the person, and those that wait for a code, have ended. */
  endAll(person: Person): void {
    for (const browser of this.browsers) if (browser.session?.person === person) browser.session = null;
    for (const browser of this.browsers) browser.trusted.delete(person);
    for (const tab of this.tabs) if (tab.proven?.person === person) tab.proven = null;
  }

  /** Trust is in a browser with this factor. */
  changeFactors(person: Person): void {
    for (const browser of this.browsers) browser.trusted.delete(person);
  }

  /** The page before is shown as it was: what came after it may have replaced its form. */
  goBack(tab: Tab): void {
    tab.wentBack = true;
  }

  signOut(browser: Browser): void {
    browser.session = null;
  }

  /** Records what the person did, before the answer is judged. */
  take(tab: Tab, step: Step): void {
    if (isFirstProof(step)) {
      const { kind: by, person, isRight } = step;
      if (isRight && person.isActive) tab.proven = { person, by, hasCode: false, at: this.minutes };
    }
    if (step.kind !== 'code' || !tab.proven) return;
    if (this.minutes - tab.proven.at >= SECOND_STEP_MINUTES) tab.proven = null;
    else if (step.isRight && tab.proven.by !== 'passkey') tab.proven.hasCode = true;
  }

  /** @returns what should not be so; empty if all is well */
  findFaults(tab: Tab, step: Step, shown: Shown): string[] {
    const faults = [...this.#faultsOfPage(shown), ...this.#faultsOfStep(tab, step, shown)];
    if (AFTER_A_LOGIN.includes(shown.page) && shown.clientError === undefined) {
      faults.push(...this.#faultsOfLogin(tab, step, shown));
      this.#remember(tab);
    }
    tab.wentBack = false;
    return faults;
  }

  #faultsOfPage({ page, status, hasWayOn }: Shown): string[] {
    if (page === 'app') return [];
    if (page === 'none' || status >= 500) return [`a ${status} that is not a page`];
    return hasWayOn ? [] : [`the page ${page} has no way on`];
  }

  /** The way to the app: whoever does the right thing in time arrives at the first try. */
  #faultsOfStep(tab: Tab, step: Step, { page, error, status }: Shown): string[] {
    if (status === 429 || tab.isOver || tab.isForeign || this.minutes - tab.openedAt >= REQUEST_MINUTES) return [];
    const expected = this.#expectPages(tab, step);
    if (expected === null || expected.includes(page)) return [];
    // A page of long ago, which another page of the same request has followed.
    if (tab.wentBack && OUTDATED.includes(page)) return [];
    return [`${expected.join(' or ')} is expected, and not ${page}${error ? ` with ${error}` : ''}`];
  }

  #expectPages(tab: Tab, step: Step): readonly string[] | null {
    const { session } = tab.browser;
    if (step.kind === 'open') {
      if (tab.prompt === 'none') return session ? null : ['app'];
      if (tab.prompt === 'login' || !session) return ['login'];
      return this.#isEnough(tab, session.person, session.proof) ? AFTER_A_LOGIN : null;
    }
    if (isFirstProof(step)) return this.#expectPagesAfter(tab, step);
    return step.kind === 'code' && tab.proven ? (step.isRight ? AFTER_A_LOGIN : ['mfa_verification']) : null;
  }

  #expectPagesAfter(tab: Tab, { kind: by, person, isRight }: Extract<Step, { person: Person }>): readonly string[] {
    if (!isRight || !person.isActive) return ['login'];
    if (this.#isEnough(tab, person, { by, hasCode: false })) return AFTER_A_LOGIN;
    // A provider alone sets no second factor up.
    return by === 'provider' && !person.hasApp && !person.hasPasskey ? ['login'] : ['mfa_verification'];
  }

  /** A passkey is two factors at once. Trust replaces the code after a password, where only the account wants it. */
  #isEnough({ browser, isStrict }: Tab, person: Person, { by, hasCode }: Proof): boolean {
    if (isStrong({ by, hasCode })) return true;
    return !isStrict && (!person.hasApp || (by === 'password' && browser.trusted.has(person)));
  }

  /** Who the app believes to have, and by which proof. */
  #faultsOfLogin(tab: Tab, step: Step, { claims, page }: Shown): string[] {
    const mayBe = this.#mayBe(tab, step);
    if (mayBe.length === 0) return [`${page}, and nobody has proven who they are`];
    if (!claims) return [];
    const ofPerson = mayBe.filter(({ person }) => person.name === claims.sub);
    const [session] = ofPerson;
    if (!session) return [`the app believes to have ${claims.sub}`];
    const proof = ofPerson.flatMap((one) => one.mayBe).find((one) => isSaid(one, claims));
    if (!proof) return [`acr is ${claims.acr} and amr ${claims.amr.join(' ')}, which nobody has proven`];
    const wasEnough = tab.isOver ? tab.wasEnough : this.#isEnough(tab, session.person, proof);
    return [
      ...(session.person.isActive ? [] : ['the account is disabled']),
      ...(!isStrong(proof) && tab.isStrict ? ['the client wants a second factor, and amr has none'] : []),
      ...(!isStrong(proof) && !wasEnough ? ['the second factor was skipped'] : []),
    ];
  }

  /** Who may be signed in by this step: who proved it in this tab, otherwise who is signed in in this browser. */
  #mayBe({ browser: { session }, proven, prompt }: Tab, step: Step): Session[] {
    const inTab = proven ? [this.#toSession(proven, session)] : [];
    if (isFirstProof(step) || step.kind === 'code') return inTab;
    return session && prompt !== 'login' ? [...inTab, session] : inTab;
  }

  #toSession({ person, ...proof }: Proven, earlier: Session | null): Session {
    return { person, proof, mayBe: [proof, ...(earlier?.person === person ? earlier.mayBe : [])] };
  }

  #remember(tab: Tab): void {
    const { browser, proven } = tab;
    if (proven && !tab.isOver) {
      browser.session = this.#toSession(proven, browser.session);
      if (proven.hasCode && tab.trusts) browser.trusted.add(proven.person);
    }
    // What changes while the consent is shown counts from the next login on.
    const { session } = browser;
    if (!tab.isOver && session)
      tab.wasEnough = session.mayBe.some((proof) => !isStrong(proof) && this.#isEnough(tab, session.person, proof));
    tab.isOver = true;
  }
}

function isFirstProof(step: Step): step is Extract<Step, { person: Person }> {
  return 'person' in step;
}

function isStrong({ by, hasCode }: Proof): boolean {
  return hasCode || by === 'passkey';
}

function isSaid({ by, hasCode }: Proof, { acr, amr }: { acr: string; amr: readonly string[] }): boolean {
  const said = [...FIRST_AMR[by], ...(hasCode ? ['otp', 'mfa'] : [])];
  return said.join() === amr.join() && acr === (hasCode ? ACR.secondFactor : FIRST_ACR[by]);
}
