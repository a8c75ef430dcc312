/**
 * What must be true of signing in, whoever clicks what in which order. It knows people, browsers and tabs, and no HTTP: a step
 * is recorded here when it is taken, and what the product shows after it is judged by `findFaults`.
 */
import { ACR } from '../../src/contract/authentication.js';
import type {
  Accepted,
  Browser,
  Claims,
  FirstProof,
  Person,
  Prompt,
  Proof,
  Proven,
  Registration,
  Session,
  Shown,
  Step,
  Tab,
} from './sign-in.facts.js';

/** Login requests of the upstream live so long. */
const REQUEST_MINUTES = 30;
/** The second step waits so long for its code. */
const SECOND_STEP_MINUTES = 10;

const AFTER_A_LOGIN = ['consent', 'app'];
/** What answers an outdated form: it is shown once more. */
const OUTDATED = ['login', 'mfa_verification'];
/** They end outside of Foyer. */
const OUTSIDE = ['app', 'service'];
/** What the ID token says of the first proof. */
const FIRST_AMR = {
  password: ['pwd'],
  provider: ['fed'],
  registration: ['fed'],
  passkey: ['hwk', 'pop', 'user', 'pin', 'mfa'],
} as const;
const FIRST_ACR = {
  password: ACR.password,
  provider: ACR.federated,
  registration: ACR.federated,
  passkey: ACR.hardwareKey,
} as const;

export class SignInModel {
  /** Minutes since the beginning. */
  minutes = 0;
  /** Counts what begins, so that the model knows what came first. */
  count = 0;
  /** Challenges whose login Hydra has accepted. */
  readonly #accepted = new Set<string>();
  readonly browsers: Browser[] = [1, 2].map(() => ({ session: null, trusted: new Set() }));
  readonly tabs: Tab[] = [];

  constructor(readonly people: Person[]) {}

  open(browser: Browser, isStrict: boolean, more: { prompt?: Prompt | undefined; isForeign?: boolean } = {}): Tab {
    const { prompt, isForeign = false } = more;
    const nothing = { wentBack: false, proven: null, trusts: false, registration: null, isOver: false, wasEnough: false };
    const tab: Tab = { browser, isStrict, prompt, isForeign, openedAt: this.minutes, ...nothing };
    this.tabs.push(tab);
    return tab;
  }

  /** All sign-ins of the person, and those that wait for a code, have ended. */
  endAll(person: Person): void {
    person.endedAt = this.count += 1;
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

  /** The browser is at the registration service, and what it began there before has ended. */
  register(tab: Tab): Registration {
    return (tab.registration = { tab, begunAt: (this.count += 1), person: null });
  }

  signOut(browser: Browser): void {
    browser.session = null;
  }

  /** Records what the person did, before the answer is judged. */
  take(tab: Tab, step: Step): void {
    const person = this.#findProven(tab, step);
    if (isFirstProof(step) && person?.isActive) tab.proven = { person, by: step.kind, hasCode: false, at: this.minutes };
    if (step.kind !== 'code' || !tab.proven) return;
    if (this.minutes - tab.proven.at >= SECOND_STEP_MINUTES) tab.proven = null;
    else if (step.isRight && tab.proven.by !== 'passkey') tab.proven.hasCode = true;
  }

  /** @returns who is proven by this step; null for nobody */
  #findProven(tab: Tab, step: Step): Person | null {
    if (!isFirstProof(step) || !step.isRight) return null;
    if (step.kind !== 'registration') return step.person;
    if (!this.#counts(tab, step.from)) return null;
    const person = (step.from.person ??= this.#mayBeNamed(step.person, step.from) ? step.person : null);
    return person && this.#mayBeNamed(person, step.from) ? person : null;
  }

  /** An answer counts in the browser that was sent to the service, once, while the app waits. */
  #counts(tab: Tab, from: Registration): boolean {
    return from.tab === tab && tab.registration === from && !tab.isOver && !this.#isLate(tab);
  }

  /** Nobody whose account is disabled, or whose sign-ins have ended since the way to the service began. */
  #mayBeNamed({ isActive, madeAt, endedAt }: Person, { begunAt }: Registration): boolean {
    return isActive && (madeAt > begunAt || endedAt < begunAt);
  }

  /** @returns what should not be so; empty if all is well */
  findFaults(tab: Tab, step: Step, shown: Shown): string[] {
    const faults = [
      ...this.#faultsOfPage(shown),
      ...this.#faultsOfStep(tab, step, shown),
      ...this.#faultsOfRegistration(tab, step, shown),
      ...shown.accepted.flatMap((login) => this.#faultsOfAccepted(login, { tab, step, shown })),
    ];
    for (const { challenge } of shown.accepted) this.#accepted.add(challenge);
    if (AFTER_A_LOGIN.includes(shown.page) && shown.clientError === undefined) {
      faults.push(...this.#faultsOfLogin(tab, step, shown));
      this.#remember(tab);
    }
    tab.wentBack = false;
    return faults;
  }

  #faultsOfPage({ page, status, hasWayOn }: Shown): string[] {
    if (OUTSIDE.includes(page)) return [];
    if (page === 'none' || status >= 500) return [`a ${status} that is not a page`];
    return hasWayOn ? [] : [`the page ${page} has no way on`];
  }

  /** The way to the app: whoever does the right thing in time arrives at the first try. */
  #faultsOfStep(tab: Tab, step: Step, { page, error, status }: Shown): string[] {
    if (status === 429 || (step.kind !== 'registration' && (tab.isOver || tab.isForeign || this.#isLate(tab)))) return [];
    const expected = this.#expectPages(tab, step);
    if (expected === null || expected.includes(page)) return [];
    // A page of long ago, which another page of the same request has followed.
    if (tab.wentBack && (OUTDATED.includes(page) || (page === 'registration' && step.kind === page))) return [];
    return [`${expected.join(' or ')} is expected, and not ${page}${error ? ` with ${error}` : ''}`];
  }

  #expectPages(tab: Tab, step: Step): readonly string[] | null {
    const { session } = tab.browser;
    if (step.kind === 'open') {
      if (tab.prompt === 'none') return session ? null : ['app'];
      if (tab.prompt === 'login' || !session) return ['login'];
      return this.#isEnough(tab, session.person, session.proof) ? AFTER_A_LOGIN : null;
    }
    if (step.kind === 'register') return ['service'];
    if (step.kind === 'registration') return this.#expectPagesAfterRegistration(tab, step);
    if (isFirstProof(step)) return step.isRight ? this.#expectPagesAfter(tab, step.kind, step.person) : ['login'];
    return step.kind === 'code' && tab.proven ? (step.isRight ? AFTER_A_LOGIN : ['mfa_verification']) : null;
  }

  #expectPagesAfterRegistration(tab: Tab, { from, isRight }: Extract<Step, { from: object }>): readonly string[] | null {
    if (from.tab !== tab || tab.registration !== from) return ['registration'];
    if (tab.isOver) return null;
    if (!isRight) return this.#isLate(tab) ? null : ['login', 'mfa_verification'];
    const { person } = from;
    if (this.#isLate(tab) || !person || !this.#mayBeNamed(person, from)) return ['registration'];
    return this.#expectPagesAfter(tab, 'registration', person);
  }

  #expectPagesAfter(tab: Tab, by: FirstProof, person: Person): readonly string[] {
    if (!person.isActive) return ['login'];
    if (this.#isEnough(tab, person, { by, hasCode: false })) return AFTER_A_LOGIN;
    // A provider or the service alone sets no second factor up for somebody who has a password.
    const isOwn = by === 'password' || by === 'passkey' || !person.hasPassword;
    return isOwn || person.hasApp || person.hasPasskey ? ['mfa_verification'] : ['login'];
  }

  #isLate({ openedAt }: Tab): boolean {
    return this.minutes - openedAt >= REQUEST_MINUTES;
  }

  /** A passkey is two factors at once. Trust replaces the code after a password, where only the account wants it. */
  #isEnough({ browser, isStrict }: Tab, person: Person, { by, hasCode }: Proof): boolean {
    if (isStrong({ by, hasCode })) return true;
    return !isStrict && (!person.hasApp || (by === 'password' && browser.trusted.has(person)));
  }

  /** Who the app believes to have, and by which proof. */
  #faultsOfLogin(tab: Tab, step: Step, { claims, page }: Shown): string[] {
    const mayBe = this.#mayBe(tab, step);
    // The consent page of a login that was accepted before may be shown once more, in place of an outdated form.
    if (mayBe.length === 0 && page === 'consent' && tab.isOver) return [];
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

  /** One way to the service makes one account, and none where its answer does not count. */
  #faultsOfRegistration({ wentBack }: Tab, step: Step, { hasAccount }: Shown): string[] {
    if (step.kind !== 'registration' || hasAccount === undefined) return [];
    const isExpected = step.from.person === step.person;
    if (hasAccount === isExpected || (wentBack && !hasAccount)) return [];
    return [hasAccount ? 'an account was made' : 'no account was made'];
  }

  /** At most one login for each request. The clicks of a double click may both be accepted, with one result. */
  #faultsOfAccepted(login: Accepted, { tab, step, shown }: { tab: Tab; step: Step; shown: Shown }): string[] {
    const { challenge, result, sub, amr } = login;
    const logins = shown.accepted.filter((one) => one.challenge === challenge);
    const isAgain = this.#accepted.has(challenge) || logins.length > ('isAtOnce' in step && step.isAtOnce ? 2 : 1);
    const isProven = this.#mayBe(tab, step).some(({ person, mayBe }) => {
      return person.name === sub && mayBe.some((proof) => isSaid(proof, login));
    });
    return [
      ...(isAgain ? ['Hydra has accepted a second login for one request'] : []),
      ...(logins.every((one) => one.result === result) ? [] : ['Hydra has accepted two different logins for one request']),
      ...(isProven ? [] : [`Hydra has accepted ${sub} by ${amr.join(' ')}, which nobody has proven`]),
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

function isSaid({ by, hasCode }: Proof, { acr, amr }: Omit<Claims, 'sub'>): boolean {
  const said = [...FIRST_AMR[by], ...(hasCode ? ['otp', 'mfa'] : [])];
  return said.join() === amr.join() && acr === (hasCode ? ACR.secondFactor : FIRST_ACR[by]);
}
