/**
 * The model of signing in: the rules that hold for every order of clicks. The model knows people, browsers and tabs, but not HTTP.
 * `take` records a step, and `findFaults` judges what the product shows afterwards.
 */
import { ACR } from '../../src/contract/authentication.js';
import type {
  AcceptedLogin,
  Browser,
  Claims,
  FirstProof,
  Person,
  Prompt,
  Proof,
  ProvenPerson,
  Registration,
  Session,
  Shown,
  Step,
  Tab,
} from './sign-in.facts.js';

/** Lifetime of a login request at the upstream. */
const REQUEST_MINUTES = 30;
/** How long the second step waits for a code. */
const SECOND_STEP_MINUTES = 10;

const AFTER_A_LOGIN = ['consent', 'app'];
/** The pages that show an outdated form again. */
const OUTDATED = ['login', 'mfa_verification'];
/** Pages outside of Foyer. */
const OUTSIDE = ['app', 'service'];
/** The `amr` of the ID token for each first proof. */
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
  /** Counts events, so that the model knows their order. */
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

  /** Ends all sign-ins of the person, including the sign-ins that wait for a code. */
  endAll(person: Person): void {
    person.endedAt = this.count += 1;
    for (const browser of this.browsers) if (browser.session?.person === person) browser.session = null;
    for (const browser of this.browsers) browser.trusted.delete(person);
    for (const tab of this.tabs) if (tab.proven?.person === person) tab.proven = null;
  }

  /** A change of the factors ends the trust in all browsers; the removal of a factor also ends the sign-ins that wait for a code. */
  changeFactors(person: Person): void {
    for (const browser of this.browsers) browser.trusted.delete(person);
    if (person.hasApp) return;
    for (const tab of this.tabs) if (tab.proven?.person === person && !tab.isOver) tab.proven = null;
  }

  /** The browser shows the earlier page unchanged; a later page may have replaced its form. */
  goBack(tab: Tab): void {
    tab.wentBack = true;
  }

  /** The browser goes to the registration service, which ends an earlier registration of the tab. */
  register(tab: Tab): Registration {
    return (tab.registration = { tab, begunAt: (this.count += 1), person: null });
  }

  signOut(browser: Browser): void {
    browser.session = null;
  }

  /** Records the step of the person before the answer is judged. */
  take(tab: Tab, step: Step): void {
    const person = this.#findProven(tab, step);
    if (isFirstProof(step) && person && !this.#expectPagesAfter(tab, step.kind, person).includes('login'))
      tab.proven = { person, by: step.kind, hasCode: false, at: this.minutes };
    if (step.kind !== 'code' || !tab.proven) return;
    if (this.minutes - tab.proven.at >= SECOND_STEP_MINUTES) tab.proven = null;
    else if (step.isRight && tab.proven.by !== 'passkey') tab.proven.hasCode = true;
  }

  /** @returns the person who is proven by this step; null if nobody is */
  #findProven(tab: Tab, step: Step): Person | null {
    if (!isFirstProof(step) || !step.isRight) return null;
    if (step.kind !== 'registration') return step.person;
    if (!this.#doesAnswerCount(tab, step.from)) return null;
    const person = (step.from.person ??= this.#mayBeNamed(step.person, step.from) ? step.person : null);
    return person && this.#mayBeNamed(person, step.from) ? person : null;
  }

  /** An answer of the registration service counts once, in the tab that began the registration, while the request of the app waits. */
  #doesAnswerCount(tab: Tab, from: Registration): boolean {
    return from.tab === tab && tab.registration === from && !tab.isOver && !this.#isLate(tab);
  }

  /** The service may name a person whose account is active and whose sign-ins have not ended since the registration began. */
  #mayBeNamed({ isActive, createdAt, endedAt }: Person, { begunAt }: Registration): boolean {
    return isActive && (createdAt > begunAt || endedAt < begunAt);
  }

  /** @returns the differences from the model */
  findFaults(tab: Tab, step: Step, shown: Shown): string[] {
    const faults = [
      ...this.#findPageFaults(shown),
      ...this.#findStepFaults(tab, step, shown),
      ...this.#findRegistrationFaults(tab, step, shown),
      ...shown.accepted.flatMap((login) => this.#findAcceptedFaults(login, { tab, step, shown })),
    ];
    for (const { challenge } of shown.accepted) this.#accepted.add(challenge);
    if (AFTER_A_LOGIN.includes(shown.page) && shown.clientError === undefined) {
      faults.push(...this.#findLoginFaults(tab, step, shown));
      this.#remember(tab);
    }
    // If another login has replaced this login in the browser, its consent starts the request of the app again.
    if (tab.isOver && step.kind === 'allow' && shown.page === 'login')
      Object.assign(tab, { isOver: false, proven: null, wasEnough: false, openedAt: this.minutes });
    tab.wentBack = false;
    return faults;
  }

  #findPageFaults({ page, status, hasNextStep }: Shown): string[] {
    if (OUTSIDE.includes(page)) return [];
    if (page === 'none' || status >= 500) return [`the answer with status ${status} is not a page`];
    return hasNextStep ? [] : [`the page ${page} has no next step`];
  }

  /** A person who makes no mistake and is in time reaches the app at the first attempt. */
  #findStepFaults(tab: Tab, step: Step, { page, error, status }: Shown): string[] {
    if (status === 429 || (step.kind !== 'registration' && (tab.isOver || tab.isForeign || this.#isLate(tab)))) return [];
    const expected = this.#expectPages(tab, step);
    if (expected === null || expected.includes(page)) return [];
    // The person has gone back to a page that is outdated by a later page of the same request.
    if (tab.wentBack && (OUTDATED.includes(page) || (page === 'registration' && step.kind === page))) return [];
    return [`the page is ${page}${error ? ` with the error ${error}` : ''}, and not ${expected.join(' or ')}`];
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
    const pages = this.#expectPagesAfter(tab, 'registration', person);
    // Where nobody is signed in by it, the login page leads to the second factor of an earlier proof.
    return tab.proven && pages.includes('login') ? [...pages, 'mfa_verification'] : pages;
  }

  #expectPagesAfter(tab: Tab, by: FirstProof, person: Person): readonly string[] {
    if (!person.isActive) return ['login'];
    if (this.#isEnough(tab, person, { by, hasCode: false })) return AFTER_A_LOGIN;
    // A person who has a password cannot set up a second factor after a proof by only a provider or the registration service.
    const mayEnrol = by === 'password' || by === 'passkey' || !person.hasPassword;
    return mayEnrol || person.hasApp || person.hasPasskey ? ['mfa_verification'] : ['login'];
  }

  #isLate({ openedAt }: Tab): boolean {
    return this.minutes - openedAt >= REQUEST_MINUTES;
  }

  /** A passkey counts as two factors. In a trusted browser a password is enough, if only the account requires a code. */
  #isEnough({ browser, isStrict }: Tab, person: Person, { by, hasCode }: Proof): boolean {
    if (isStrong({ by, hasCode })) return true;
    return !isStrict && (!person.hasApp || (by === 'password' && browser.trusted.has(person)));
  }

  /** Checks the person and the proof in the ID token of the app. */
  #findLoginFaults(tab: Tab, step: Step, { claims, page }: Shown): string[] {
    const sessions = this.#findPossibleSessions(tab, step);
    // In place of an outdated form, the consent page of a login that was accepted before may be shown again.
    if (sessions.length === 0 && page === 'consent' && tab.isOver) return [];
    if (sessions.length === 0) return [`the page is ${page}, although nobody has proven an account`];
    if (!claims) return [];
    const personSessions = sessions.filter(({ person }) => person.name === claims.sub);
    const [session] = personSessions;
    if (!session) return [`the app received an ID token of ${claims.sub}, who has not signed in`];
    const proof = personSessions.flatMap((one) => one.possibleProofs).find((one) => matchesClaims(one, claims));
    if (!proof) return [`the ID token has acr ${claims.acr} and amr ${claims.amr.join(' ')}, which nobody has proven`];
    const wasEnough = tab.isOver ? tab.wasEnough : this.#isEnough(tab, session.person, proof);
    return [
      ...(session.person.isActive ? [] : ['the account is disabled']),
      ...(!isStrong(proof) && tab.isStrict ? ['the client requires a second factor, but amr has none'] : []),
      ...(!isStrong(proof) && !wasEnough ? ['the second factor was skipped'] : []),
    ];
  }

  /** A registration creates one account, or none if its answer does not count. */
  #findRegistrationFaults({ wentBack }: Tab, step: Step, { hasAccount }: Shown): string[] {
    if (step.kind !== 'registration' || hasAccount === undefined) return [];
    const isExpected = step.from.person === step.person;
    if (hasAccount === isExpected || (wentBack && !hasAccount)) return [];
    return [hasAccount ? 'an account was created' : 'no account was created'];
  }

  /** Hydra accepts at most one login for each request. Both clicks of a double click may be accepted, with the same result. */
  #findAcceptedFaults(login: AcceptedLogin, { tab, step, shown }: { tab: Tab; step: Step; shown: Shown }): string[] {
    const { challenge, result, sub, amr } = login;
    const logins = shown.accepted.filter((one) => one.challenge === challenge);
    const isAgain = this.#accepted.has(challenge) || logins.length > ('isAtOnce' in step && step.isAtOnce ? 2 : 1);
    const isProven = this.#findPossibleSessions(tab, step).some(({ person, possibleProofs }) => {
      return person.name === sub && possibleProofs.some((proof) => matchesClaims(proof, login));
    });
    return [
      ...(isAgain ? ['Hydra has accepted a second login for one request'] : []),
      ...(logins.every((one) => one.result === result) ? [] : ['Hydra has accepted two different logins for one request']),
      ...(isProven ? [] : [`Hydra has accepted ${sub} with amr ${amr.join(' ')}, which nobody has proven`]),
    ];
  }

  /** @returns the sessions that this step may result in: the session of the person proven in this tab, and the session of this browser */
  #findPossibleSessions({ browser: { session }, proven, prompt }: Tab, step: Step): Session[] {
    const inTab = proven ? [this.#toSession(proven, session)] : [];
    if (isFirstProof(step) || step.kind === 'code') return inTab;
    return session && prompt !== 'login' ? [...inTab, session] : inTab;
  }

  #toSession({ person, ...proof }: ProvenPerson, earlier: Session | null): Session {
    return { person, proof, possibleProofs: [proof, ...(earlier?.person === person ? earlier.possibleProofs : [])] };
  }

  #remember(tab: Tab): void {
    const { browser, proven } = tab;
    if (proven && !tab.isOver) {
      browser.session = this.#toSession(proven, browser.session);
      if (proven.hasCode && tab.trusts) browser.trusted.add(proven.person);
    }
    // Changes while the consent page is shown apply from the next login on.
    const { session } = browser;
    if (!tab.isOver && session)
      tab.wasEnough = session.possibleProofs.some((proof) => !isStrong(proof) && this.#isEnough(tab, session.person, proof));
    tab.isOver = true;
  }
}

function isFirstProof(step: Step): step is Extract<Step, { person: Person }> {
  return 'person' in step;
}

function isStrong({ by, hasCode }: Proof): boolean {
  return hasCode || by === 'passkey';
}

function matchesClaims({ by, hasCode }: Proof, { acr, amr }: Omit<Claims, 'sub'>): boolean {
  const methods = [...FIRST_AMR[by], ...(hasCode ? ['otp', 'mfa'] : [])];
  return methods.join() === amr.join() && acr === (hasCode ? ACR.secondFactor : FIRST_ACR[by]);
}
