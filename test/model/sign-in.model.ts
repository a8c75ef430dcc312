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
}

/** Of the upstream, which continues it without a question. */
interface Session {
  person: Person;
  hasProvenCode: boolean;
  /** An older tab may have been signed in by it, in place of a session of its own. */
  mayHaveProvenCode: boolean;
}

export interface Browser {
  session: Session | null;
  /** Steps of the model when somebody last signed in or out here: forms from before are outdated. */
  changedAt: number;
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
  /** Steps of the model when its page was shown. */
  shownAt: number;
  /** The last right password of this tab, while its person may still sign in with it. */
  typed: Person | null;
  typedAt: number;
  hasProvenCode: boolean;
  trusts: boolean;
  /** It has shown a page that follows an accepted login. */
  isOver: boolean;
  /** No code was needed when that login was accepted. */
  wasEnough: boolean;
}

export type Step =
  | { kind: 'open' | 'allow' | 'back' | 'reload' }
  | { kind: 'password'; person: Person; isRight: boolean }
  | { kind: 'code'; isRight: boolean };

/** What the browser shows after a step. */
export interface Shown {
  /** Name of a page of Foyer; `app`: the client was reached; `none`: anything else. */
  page: string;
  status: number;
  /** The page has a form or a link. */
  hasWayOn: boolean;
  /** Of an alert on a login page. */
  error?: string | null;
  /** The client received an error. */
  clientError?: string;
  /** Of the ID token for the code that the client received. */
  claims?: { sub: string; acr: string; amr: readonly string[] };
}

const AFTER_A_LOGIN = ['consent', 'app'];
/** What answers an outdated form: it is shown once more. */
const OUTDATED = ['login', 'mfa_verification'];
/** In place of the number of a step. */
const BACK = -1;

export class SignInModel {
  /** Minutes since the beginning. */
  minutes = 0;
  /** Steps since the beginning. */
  steps = 0;
  readonly browsers: Browser[] = [1, 2].map(() => ({ session: null, changedAt: 0, trusted: new Set() }));
  readonly tabs: Tab[] = [];

  constructor(readonly people: readonly Person[]) {}

  open(browser: Browser, isStrict: boolean, more: { prompt?: Prompt | undefined; isForeign?: boolean } = {}): Tab {
    const { prompt, isForeign = false } = more;
    const nothing = { typed: null, typedAt: 0, hasProvenCode: false, trusts: false, isOver: false, wasEnough: false };
    const tab: Tab = { browser, isStrict, prompt, isForeign, openedAt: this.minutes, shownAt: this.steps, ...nothing };
    this.tabs.push(tab);
    return tab;
  }

  /** All sign-ins of the person, and those that wait for a code, have ended. */
  endAll(person: Person): void {
    for (const browser of this.browsers) if (browser.session?.person === person) browser.session = null;
    for (const browser of this.browsers) browser.trusted.delete(person);
    for (const tab of this.tabs) if (tab.typed === person) this.#forget(tab);
  }

  /** Trust is in a browser with this factor. */
  changeFactors(person: Person): void {
    for (const browser of this.browsers) browser.trusted.delete(person);
  }

  /** The page before is shown as it was: what came after it may have replaced its form. */
  goBack(tab: Tab): void {
    tab.shownAt = BACK;
  }

  signOut(browser: Browser): void {
    browser.session = null;
    browser.changedAt = this.steps += 1;
  }

  /** Records what the person did, before the answer is judged. */
  take(tab: Tab, step: Step): void {
    if (step.kind === 'password' && step.isRight && step.person.isActive) {
      this.#forget(tab);
      tab.typed = step.person;
      tab.typedAt = this.minutes;
    }
    if (step.kind !== 'code') return;
    if (this.minutes - tab.typedAt >= SECOND_STEP_MINUTES) this.#forget(tab);
    else if (step.isRight) tab.hasProvenCode = true;
  }

  /** @returns what should not be so; empty if all is well */
  findFaults(tab: Tab, step: Step, shown: Shown): string[] {
    this.steps += 1;
    const faults = [...this.#faultsOfPage(shown), ...this.#faultsOfStep(tab, step, shown)];
    if (AFTER_A_LOGIN.includes(shown.page) && shown.clientError === undefined) {
      faults.push(...this.#faultsOfLogin(tab, step, shown));
      this.#remember(tab);
    }
    // A right password begins a second step, and the browser's forms with it.
    if (step.kind === 'password' && shown.page === 'mfa_verification') tab.browser.changedAt = this.steps;
    tab.shownAt = this.steps;
    return faults;
  }

  #faultsOfPage({ page, status, hasWayOn }: Shown): string[] {
    if (page === 'app') return [];
    if (page === 'none' || status >= 500) return [`a ${status} that is no page`];
    return hasWayOn ? [] : [`the page ${page} has no way on`];
  }

  /** The way to the app: whoever does the right thing in time arrives at the first try. */
  #faultsOfStep(tab: Tab, step: Step, { page, error, status }: Shown): string[] {
    if (status === 429 || tab.isOver || tab.isForeign || this.minutes - tab.openedAt >= REQUEST_MINUTES) return [];
    const expected = this.#expectedPages(tab, step);
    if (expected === null || expected.includes(page)) return [];
    // After Back: a page of long ago, which another page of the same request has followed.
    if (tab.shownAt === BACK && OUTDATED.includes(page)) return [];
    return [`${expected.join(' or ')} is expected, and not ${page}${error ? ` with ${error}` : ''}`];
  }

  #expectedPages(tab: Tab, step: Step): readonly string[] | null {
    const { session } = tab.browser;
    if (step.kind === 'open') {
      if (tab.prompt === 'none') return session ? null : ['app'];
      if (tab.prompt === 'login' || !session) return ['login'];
      return this.#isEnough(tab, session) ? AFTER_A_LOGIN : null;
    }
    if (step.kind === 'password') {
      if (!step.isRight || !step.person.isActive) return ['login'];
      return this.#isEnough(tab, { person: step.person }) ? AFTER_A_LOGIN : ['mfa_verification'];
    }
    return step.kind === 'code' && tab.typed ? (step.isRight ? AFTER_A_LOGIN : ['mfa_verification']) : null;
  }

  #isEnough({ browser, isStrict }: Tab, { person, hasProvenCode = false }: Pick<Session, 'person'> & Partial<Session>): boolean {
    if (hasProvenCode) return true;
    return !isStrict && (!person.hasApp || browser.trusted.has(person));
  }

  /** Who the app believes to have, and by which proof. */
  #faultsOfLogin(tab: Tab, step: Step, { claims, page }: Shown): string[] {
    const mayBe = this.#mayBe(tab, step);
    if (mayBe.length === 0) return [`${page}, and nobody has proven who they are`];
    if (!claims) return [];
    const session = mayBe.find(({ person }) => person.name === claims.sub);
    if (!session) return [`the app believes to have ${claims.sub}`];
    const { amr, acr } = claims;
    const hasCode = amr.includes('otp');
    const wasEnough = tab.isOver ? tab.wasEnough : this.#isEnough(tab, { person: session.person });
    return [
      ...(session.person.isActive ? [] : ['the account is disabled']),
      ...(hasCode && !mayBe.some(({ mayHaveProvenCode }) => mayHaveProvenCode) ? ['amr names a code that nobody entered'] : []),
      ...(!hasCode && tab.isStrict ? ['the client wants a second factor, and amr has none'] : []),
      ...(!hasCode && !wasEnough ? ['the second factor was skipped'] : []),
      ...(acr === (hasCode ? ACR.secondFactor : ACR.password) ? [] : [`acr is ${acr} with amr ${amr.join(' ')}`]),
    ];
  }

  /** Who may be signed in by this step: who proved it in this tab, otherwise who is signed in in this browser. */
  #mayBe({ browser, typed, prompt, hasProvenCode }: Tab, { kind }: Step): Session[] {
    const { session } = browser;
    const mayHaveProvenCode = hasProvenCode || (session?.person === typed && session.mayHaveProvenCode);
    const inTab = typed ? [{ person: typed, hasProvenCode, mayHaveProvenCode }] : [];
    if (kind === 'password' || kind === 'code') return inTab;
    return session && prompt !== 'login' ? [...inTab, session] : inTab;
  }

  #remember(tab: Tab): void {
    const { browser, typed, hasProvenCode } = tab;
    if (typed && !tab.isOver) {
      const mayHaveProvenCode = hasProvenCode || (browser.session?.person === typed && browser.session.mayHaveProvenCode);
      browser.session = { person: typed, hasProvenCode, mayHaveProvenCode };
      browser.changedAt = this.steps;
      if (hasProvenCode && tab.trusts) browser.trusted.add(typed);
    }
    // What changes while the consent is shown counts from the next login on.
    const person = typed ?? browser.session?.person;
    if (!tab.isOver && person) tab.wasEnough = this.#isEnough(tab, { person });
    tab.isOver = true;
  }

  #forget(tab: Tab): void {
    tab.typed = null;
    tab.hasProvenCode = false;
  }
}
