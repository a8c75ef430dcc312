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
  RegistrationMode,
  Session,
  Shown,
  SignUp,
  Step,
  Tab,
  Terms,
} from './sign-in.facts.js';

/** Lifetime of a login request at the upstream. */
const REQUEST_MINUTES = 30;
/** How long the second step waits for a code, and a task to be done. */
const SECOND_STEP_MINUTES = 10;
/** How long a mailed code can be entered, and how many wrong codes end it. */
const MAILED_CODE_MINUTES = 10;
const MAILED_CODE_TRIES = 5;

const AFTER_A_LOGIN = ['consent', 'app'];
/** The pages that show an outdated form again, or the page that follows it. */
const OUTDATED = ['login', 'mfa_verification', 'task_password', 'task_terms', 'task_none', 'mailed_code_ask', 'mailed_code_code'];
const SIGN_UP = ['sign_up_details', 'sign_up_code', 'sign_up_password', 'sign_up_waits'];
/** The pages on which the person has to prove something else. */
const NOT_PROVEN = ['login', 'mailed_code_not-enough'];
/** Pages outside of Foyer. */
const OUTSIDE = ['app', 'service'];
/** The `amr` of the ID token for each first proof. */
const FIRST_AMR = {
  password: ['pwd'],
  provider: ['fed'],
  registration: ['fed'],
  passkey: ['hwk', 'pop', 'user', 'pin', 'mfa'],
  mailedCode: ['mail'],
  signUp: ['pwd'],
} as const;
const FIRST_ACR = {
  password: ACR.password,
  provider: ACR.federated,
  registration: ACR.federated,
  passkey: ACR.hardwareKey,
  mailedCode: ACR.mail,
  signUp: ACR.password,
} as const;

export class SignInModel {
  /** Minutes since the beginning. */
  minutes = 0;
  /** Counts events, so that the model knows their order. */
  count = 0;
  /** What the last step leads to, as `take` has found before it recorded the step. */
  #expected: readonly string[] | null = null;
  /** The state before the last step, which does not count if the limits refuse it. */
  #before: TabState | null = null;
  #createsOne = false;
  #isReplaced = false;
  #isDeclined = false;
  /** Null if nobody is asked to accept anything. */
  terms: Terms | null = null;
  /** Challenges whose login Hydra has accepted or, because the person has declined, rejected. */
  readonly #accepted = new Set<string>();
  readonly #declined = new Set<string>();
  /** Those who wait for an operator's decision, and the ids of the applications that were decided. */
  readonly #applicants = new Set<Person>();
  readonly #decided = new Set<string>();
  readonly browsers: Browser[] = [1, 2].map(() => ({ session: null, signUp: null, trusted: new Set(), steps: 0 }));
  readonly tabs: Tab[] = [];

  constructor(
    readonly people: Person[],
    private readonly registration: RegistrationMode,
  ) {}

  open(browser: Browser, isStrict: boolean, more: { prompt?: Prompt | undefined; isForeign?: boolean } = {}): Tab {
    const { prompt, isForeign = false } = more;
    const nothing = { wentBack: false, proven: null, trusts: false, isOver: false, wasEnough: false };
    const begun = { registration: null, requestedCode: null };
    const tab: Tab = { browser, isStrict, prompt, isForeign, openedAt: this.minutes, ...nothing, ...begun };
    this.tabs.push(tab);
    return tab;
  }

  /**
   * Ends all sign-ins of the person, including the sign-ins that wait for a code. A mailed code ends with them.
   * @param except the tab in which the person has chosen a new password: its sign-in goes on, and so do the sessions of its browser
   */
  endAll(person: Person, except?: Tab): void {
    person.endedAt = this.count += 1;
    for (const browser of this.browsers)
      if (browser.session?.person === person && browser !== except?.browser) browser.session = null;
    for (const browser of this.browsers) browser.trusted.delete(person);
    for (const tab of this.tabs) if (tab.proven?.person === person && tab !== except) tab.proven = null;
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
    browser.steps += 1;
  }

  /**
   * An operator decides about a sign-up. It can only be refused if an account has got the address in another way.
   * @param id of the application @returns whether it is decided by that
   */
  decide(id: string, { person, isApproved }: { person: Person; isApproved: boolean }): boolean {
    const isPossible = !this.#decided.has(id) && !(isApproved && this.#hasAccount(person));
    if (!isPossible) return false;
    this.#decided.add(id);
    this.#applicants.delete(person);
    return true;
  }

  /**
   * Puts a new version of the terms in force. The parameters are in minutes from now.
   * @returns the new version
   */
  publishTerms({ inMinutes, laterMinutes }: { inMinutes: number; laterMinutes: number }): Terms {
    const from = this.minutes + inMinutes;
    this.terms = { version: (this.count += 1), from, laterUntil: from + laterMinutes };
    return this.terms;
  }

  /** Records the step of the person before the answer is judged. */
  take(tab: Tab, step: Step): void {
    this.#before = copyState(tab);
    tab.browser.steps += 1;
    const person = this.#findProven(tab, step);
    this.#expected = this.#expectPages(tab, step);
    this.#createsOne = step.kind === 'signUp' && person !== null;
    this.#isReplaced = step.kind === 'task' && step.isRight && this.#hasTask(tab, 'task_password');
    this.#isDeclined = step.kind === 'terms' && step.choice === 'cancel' && this.#hasTask(tab, 'task_terms');
    if (isFirstProof(step) && person && provesSomebody(this.#expectPagesAfter(tab, step.kind, person)))
      tab.proven = { person, by: step.kind, hasCode: false, at: this.minutes, hasPostponed: false };
    switch (step.kind) {
      case 'signUp':
        return this.#takeSignUp(tab, step.isRight);
      case 'addressCode':
        return this.#takeAddressCode(tab, step.isRight);
      case 'mailedCode':
        return this.#takeMailedCode(tab, step.isRight);
      case 'code':
      case 'task':
        return this.#takeSecondStep(tab, step);
      case 'terms':
        return this.#takeTerms(tab, step);
      default:
        return undefined;
    }
  }

  #takeTerms(tab: Tab, step: TermsStep): void {
    const { proven } = tab;
    if (!proven || !this.#hasTask(tab, 'task_terms')) return;
    if (this.#acceptsTerms(step)) proven.person.acceptedTerms.add(step.version);
    if (step.choice === 'later') Object.assign(proven, { hasPostponed: true, at: this.minutes });
  }

  #takeSecondStep(tab: Tab, { kind, isRight }: Extract<Step, { isRight: boolean }>): void {
    const { proven } = tab;
    if (!proven) return;
    if (this.minutes - proven.at >= SECOND_STEP_MINUTES) tab.proven = null;
    else if (kind === 'task' && this.#isReplaced) {
      proven.person.needsPassword = false;
      proven.at = this.minutes;
      this.endAll(proven.person, tab);
    } else if (kind === 'code' && isRight && proven.by !== 'passkey') Object.assign(proven, { hasCode: true, at: this.minutes });
  }

  /** A right code is spent, also where it is not enough. Too many wrong ones end it. */
  #takeMailedCode(tab: Tab, isRight: boolean): void {
    const { requestedCode } = tab;
    if (!requestedCode) return;
    if (isRight && this.#canBeRight(tab)) tab.requestedCode = null;
    else if ((requestedCode.wrongTries += 1) >= MAILED_CODE_TRIES) tab.requestedCode = null;
  }

  #takeAddressCode(tab: Tab, isRight: boolean): void {
    const signUp = this.#findSignUp(tab);
    if (!signUp || signUp.isProven) return;
    if (isRight && this.#canProveAddress(signUp)) signUp.isProven = true;
    else signUp.wrongTries += 1;
  }

  /** The browser forgets what was entered when the account is created, when it exists, and when the person waits for a decision. */
  #takeSignUp(tab: Tab, isRight: boolean): void {
    const signUp = this.#findSignUp(tab);
    if (!isRight || signUp?.isProven !== true || tab.isOver || this.#isLate(tab)) return;
    if (this.registration !== 'approval' || this.#hasAccount(signUp.person)) tab.browser.signUp = null;
    else {
      this.#applicants.add(signUp.person);
      Object.assign(signUp, { isProven: false, isWaiting: true });
    }
  }

  /**
   * Whether this task is the next one in the tab. Only the password that was proven can be replaced, and only after everything else that the
   * account can prove.
   */
  #hasTask(tab: Tab, page: 'task_password' | 'task_terms'): boolean {
    const { proven, isOver } = tab;
    if (!proven || isOver || this.minutes - proven.at >= SECOND_STEP_MINUTES) return false;
    return proven.person.isActive && this.#expectPagesAfterProof(tab, proven.person, proven).includes(page);
  }

  /** Only the version that is in force can be accepted, so not one that it has replaced while its page was open. */
  #acceptsTerms({ choice, version }: TermsStep): boolean {
    return choice === 'accept' && version === this.terms?.version;
  }

  /** Whether the terms are asked of this person now. @param hasPostponed whether the person has chosen "Later", or only a session continues */
  #isAskedForTerms({ acceptedTerms }: Person, hasPostponed: boolean): boolean {
    if (this.terms === null || this.minutes < this.terms.from || acceptedTerms.has(this.terms.version)) return false;
    return !hasPostponed || this.minutes >= this.terms.laterUntil;
  }

  /** What this tab has entered in its browser; what another tab has entered there later takes its place. */
  #findSignUp(tab: Tab): SignUp | null {
    const { signUp } = tab.browser;
    return signUp?.tab === tab ? signUp : null;
  }

  #canProveAddress({ wasMailed, wrongTries, at }: SignUp): boolean {
    return wasMailed && wrongTries < MAILED_CODE_TRIES && this.minutes - at < MAILED_CODE_MINUTES;
  }

  /** Whether the code of this tab is right, if it is entered now. */
  #canBeRight({ requestedCode }: Tab): boolean {
    if (!requestedCode?.person) return false;
    const { person, at, count, wrongTries } = requestedCode;
    const isInTime = this.minutes - at < MAILED_CODE_MINUTES && wrongTries < MAILED_CODE_TRIES;
    return isInTime && person.isActive && person.endedAt < count;
  }

  /** Whether the newest code of this tab is accepted, if it is entered now. */
  acceptsCode(tab: Tab, kind: 'mailedCode' | 'addressCode'): boolean {
    if (kind === 'mailedCode') return this.#canBeRight(tab);
    const signUp = this.#findSignUp(tab);
    return signUp !== null && !signUp.isProven && this.#canProveAddress(signUp);
  }

  /** Whether an account has the address of this person. */
  #hasAccount(person: Person): boolean {
    return this.people.includes(person);
  }

  /** @returns the person who is proven by this step; null if nobody is */
  #findProven(tab: Tab, step: Step): Person | null {
    if (!isFirstProof(step) || !step.isRight) return null;
    if (step.kind === 'signUp') return this.#createsAccount(tab) ? step.person : null;
    if (step.kind === 'mailedCode') return this.#canBeRight(tab) ? step.person : null;
    if (step.kind !== 'registration') return step.person;
    if (!this.#doesAnswerCount(tab, step.from)) return null;
    const person = (step.from.person ??= this.#mayBeNamed(step.person, step.from) ? step.person : null);
    return person && this.#mayBeNamed(person, step.from) ? person : null;
  }

  /** One of several sign-ups with one address creates the account: the first whose address is proven and whose request still waits. */
  #createsAccount(tab: Tab): boolean {
    const signUp = this.#findSignUp(tab);
    const isFree = this.registration !== 'approval' && signUp !== null && !this.#hasAccount(signUp.person);
    return isFree && signUp.isProven && !tab.isOver && !this.#isLate(tab);
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
      ...this.#findSilentFaults(tab, step, shown),
      ...this.#findRegistrationFaults(tab, step, shown),
      ...this.#findReplacementFaults(shown),
      ...this.#findTermsFaults(tab, step, shown),
      ...this.#findApplicationFaults(step, shown),
      ...this.#findDeclinedFaults(tab, step, shown),
      ...shown.accepted.flatMap((login) => this.#findAcceptedFaults(login, { tab, step, shown })),
    ];
    for (const { challenge } of shown.accepted) this.#accepted.add(challenge);
    for (const challenge of shown.declined) this.#declined.add(challenge);
    if (shown.declined.length > 0) Object.assign(tab, { isOver: true, proven: null, wasEnough: false });
    if (shown.status === 429 && this.#before) restoreState(tab, this.#before);
    if (AFTER_A_LOGIN.includes(shown.page) && shown.clientError === undefined) {
      faults.push(...this.#findLoginFaults(tab, step, shown));
      this.#remember(tab);
    }
    // If another login has replaced this login in the browser, its consent starts the request of the app again.
    if (tab.isOver && step.kind === 'allow' && shown.page === 'login')
      Object.assign(tab, { isOver: false, proven: null, requestedCode: null, wasEnough: false, openedAt: this.minutes });
    faults.push(...this.#recordRequest(tab, step, shown));
    tab.wentBack = false;
    return faults;
  }

  /** A code was requested, unless the limits refuse it. It is mailed only to a person who may enter it. */
  #recordRequest(tab: Tab, step: Step, { page, isMailed }: Shown): string[] {
    const { minutes: at } = this;
    const findFaults = (isExpected: boolean): string[] =>
      isMailed === undefined || isMailed === isExpected ? [] : [isMailed ? 'a code was mailed' : 'no code was mailed'];
    if (step.kind === 'askCode' && page === 'mailed_code_code') {
      const { named } = step;
      const person = named.isActive && named.hasAddress && !named.hasPasskey ? named : null;
      tab.requestedCode = { person, at, count: (this.count += 1), wrongTries: 0 };
      return findFaults(person !== null);
    }
    if (step.kind !== 'details' || page !== 'sign_up_code') return [];
    const wasMailed = !this.#hasAccount(step.named) && !this.#applicants.has(step.named);
    tab.browser.signUp = { tab, person: step.named, at, wasMailed, wrongTries: 0, isProven: false, isWaiting: false };
    return findFaults(wasMailed);
  }

  #findPageFaults({ page, status, hasNextStep }: Shown): string[] {
    if (OUTSIDE.includes(page)) return [];
    if (page === 'none' || status >= 500) return [`the answer with status ${status} is not a page`];
    return hasNextStep ? [] : [`the page ${page} has no next step`];
  }

  /** A person who makes no mistake and is in time reaches the app at the first attempt. */
  #findStepFaults(tab: Tab, step: Step, { page, error, status }: Shown): string[] {
    if (status === 429 || (step.kind !== 'registration' && (tab.isOver || tab.isForeign || this.#isLate(tab)))) return [];
    const expected = this.#expected;
    if (expected === null || expected.includes(page)) return [];
    // The person has gone back to a page that is outdated by a later page of the same request.
    const isOutdated = OUTDATED.includes(page) || SIGN_UP.includes(page) || (page === 'registration' && step.kind === page);
    if (tab.wentBack && isOutdated) return [];
    return [`the page is ${page}${error ? ` with the error ${error}` : ''}, and not ${expected.join(' or ')}`];
  }

  #expectPages(tab: Tab, step: Step): readonly string[] | null {
    switch (step.kind) {
      case 'open':
        return this.#expectPagesAtOpen(tab);
      case 'register':
        return this.#expectPagesAtRegistration(tab);
      case 'registration':
        return this.#expectPagesAfterRegistration(tab, step);
      case 'details':
      case 'addressCode':
      case 'signUp':
        return this.#expectPagesOfSignUp(tab, step);
      case 'askCode':
        return ['mailed_code_code'];
      case 'mailedCode':
        return this.#expectPagesAfterMailedCode(tab, step);
      case 'code':
      case 'task':
      case 'terms':
        return this.#expectPagesInSecondStep(tab, step);
      default:
        if (!isFirstProof(step)) return null;
        return step.isRight ? this.#expectPagesAfter(tab, step.kind, step.person) : ['login'];
    }
  }

  #expectPagesAtOpen(tab: Tab): readonly string[] | null {
    const { session } = tab.browser;
    const hasTask = session !== null && this.#isOutdated(session);
    if (tab.prompt === 'none') return session && !hasTask ? null : ['app'];
    if (tab.prompt === 'login' || !session || hasTask) return ['login'];
    // One of several proofs may be the one by the password.
    if (session.person.needsPassword && session.possibleProofs.some(isByPassword)) return null;
    return this.#isEnough(tab, session.person, session.proof) ? AFTER_A_LOGIN : null;
  }

  #expectPagesAtRegistration(tab: Tab): readonly string[] {
    if (this.registration === 'service') return ['service'];
    return this.#findSignUp(tab)?.isWaiting === true ? ['sign_up_waits'] : ['sign_up_details'];
  }

  /** Whether this tab has proven the address of this person for a sign-up. */
  #isProvenFor(tab: Tab, person: Person): boolean {
    const signUp = this.#findSignUp(tab);
    return signUp?.isProven === true && signUp.person === person;
  }

  #expectPagesInSecondStep(tab: Tab, step: Extract<Step, { kind: 'code' | 'task' | 'terms' }>): readonly string[] | null {
    const { proven } = tab;
    if (!proven || this.minutes - proven.at >= SECOND_STEP_MINUTES) return null;
    if (step.kind === 'code') {
      const withCode = { ...proven, hasCode: true };
      return step.isRight ? this.#expectPagesAfterProof(tab, proven.person, withCode) : ['mfa_verification'];
    }
    const pages = this.#expectPagesAfterProof(tab, proven.person, proven);
    if (step.kind === 'terms') return this.#expectPagesAfterTerms(proven, step, pages);
    return step.isRight && pages.includes('task_password') ? AFTER_A_LOGIN : pages;
  }

  /** @param pages what the tab waits for */
  #expectPagesAfterTerms(proven: ProvenPerson, step: TermsStep, pages: readonly string[]): readonly string[] {
    const { choice } = step;
    // The form cancels nothing if its terms are not asked for any more.
    if (!pages.includes('task_terms')) return choice === 'cancel' && pages === AFTER_A_LOGIN ? ['task_none'] : pages;
    if (choice === 'cancel') return ['app'];
    const isPostponed = choice === 'later' && !this.#isAskedForTerms(proven.person, true);
    return this.#acceptsTerms(step) || isPostponed ? this.#expectPagesAfterTasks(proven) : pages;
  }

  /** @returns what follows the terms */
  #expectPagesAfterTasks({ person, by }: ProvenPerson): readonly string[] {
    return person.needsPassword && isByPassword({ by }) ? ['task_password'] : AFTER_A_LOGIN;
  }

  #expectPagesAfterMailedCode(tab: Tab, { person, isRight }: Extract<Step, { person: Person }>): readonly string[] {
    const { requestedCode } = tab;
    if (isRight && this.#canBeRight(tab)) {
      const pages = this.#expectPagesAfter(tab, 'mailedCode', person);
      // The second of two clicks may find that the code is spent.
      return provesSomebody(pages) ? pages : [...pages, ...this.#expectPagesAfterEarlierProof(tab, 'mailed_code_ask')];
    }
    const isInTime = requestedCode !== null && this.minutes - requestedCode.at < MAILED_CODE_MINUTES;
    if (isInTime && requestedCode.wrongTries < MAILED_CODE_TRIES - 1) return ['mailed_code_code'];
    return this.#expectPagesAfterEarlierProof(tab, 'mailed_code_ask');
  }

  /** Whoever has proven something before goes on with that. @param page shown to everybody else */
  #expectPagesAfterEarlierProof(tab: Tab, page: string): readonly string[] {
    const { proven } = tab;
    const waits = proven !== null && this.minutes - proven.at < SECOND_STEP_MINUTES;
    return waits ? this.#expectPagesAfterProof(tab, proven.person, proven) : [page];
  }

  #expectPagesOfSignUp(tab: Tab, step: Extract<Step, { kind: 'details' | 'addressCode' | 'signUp' }>): readonly string[] {
    if (step.kind === 'details') return this.#isProvenFor(tab, step.named) ? ['sign_up_password'] : ['sign_up_code'];
    const signUp = this.#findSignUp(tab);
    if (!signUp) return ['sign_up_details'];
    if (signUp.isWaiting) return ['sign_up_waits'];
    if (!signUp.isProven) {
      const isRight = step.kind === 'addressCode' && step.isRight && this.#canProveAddress(signUp);
      return [isRight ? 'sign_up_password' : 'sign_up_code'];
    }
    if (step.kind === 'addressCode' || !step.isRight) return ['sign_up_password'];
    // The second of two clicks finds that the browser has forgotten the sign-up.
    if (this.#hasAccount(signUp.person)) return ['sign_up_exists', 'sign_up_details'];
    return this.registration === 'approval' ? ['sign_up_waits'] : this.#expectPagesAfter(tab, 'signUp', signUp.person);
  }

  #expectPagesAfterRegistration(tab: Tab, { from, isRight }: Extract<Step, { from: object }>): readonly string[] | null {
    if (from.tab !== tab || tab.registration !== from) return ['registration'];
    if (tab.isOver) return null;
    if (!isRight) return this.#isLate(tab) ? null : ['login', ...this.#expectPagesAfterEarlierProof(tab, 'login')];
    const { person } = from;
    if (this.#isLate(tab) || !person || !this.#mayBeNamed(person, from)) return ['registration'];
    const pages = this.#expectPagesAfter(tab, 'registration', person);
    // Where nobody is signed in by it, the login page leads to what an earlier proof waits for.
    return pages.includes('login') ? [...pages, ...this.#expectPagesAfterEarlierProof(tab, 'login')] : pages;
  }

  #expectPagesAfter(tab: Tab, by: FirstProof, person: Person): readonly string[] {
    return person.isActive ? this.#expectPagesAfterProof(tab, person, { by, hasCode: false }) : ['login'];
  }

  #expectPagesAfterProof(tab: Tab, person: Person, proof: Proof & { hasPostponed?: boolean }): readonly string[] {
    const needsPassword = person.needsPassword && isByPassword(proof);
    const canProveMore = person.hasApp || person.hasPasskey;
    // Whoever has a second factor or a passkey proves it before the password is replaced, also in a trusted browser.
    const lacksProof = needsPassword && !isStrong(proof) && (canProveMore || tab.isStrict);
    if (lacksProof || !this.#isEnough(tab, person, proof))
      return canProveMore ? ['mfa_verification'] : this.#expectPagesWithoutFactor(person, proof);
    if (this.#isAskedForTerms(person, proof.hasPostponed === true)) return ['task_terms'];
    return needsPassword ? ['task_password'] : AFTER_A_LOGIN;
  }

  /** A person who has a password cannot set up a second factor after a proof by only a provider, the registration service or a mailed code. */
  #expectPagesWithoutFactor({ hasPassword }: Person, { by }: Proof): readonly string[] {
    if (by === 'mailedCode') return hasPassword ? ['mailed_code_not-enough'] : ['app'];
    return isByPassword({ by }) || by === 'passkey' || !hasPassword ? ['mfa_verification'] : ['login'];
  }

  /** Whether the session was proven with a password that has to be replaced first, or terms that cannot be postponed are not accepted. */
  #isOutdated({ person, possibleProofs }: Session): boolean {
    return (person.needsPassword && possibleProofs.every(isByPassword)) || this.#isAskedForTerms(person, true);
  }

  #isLate({ openedAt }: Tab): boolean {
    return this.minutes - openedAt >= REQUEST_MINUTES;
  }

  /** A passkey counts as two factors. In a trusted browser a password is enough, if only the account requires a code. */
  #isEnough({ browser, isStrict }: Tab, person: Person, { by, hasCode }: Proof): boolean {
    if (isStrong({ by, hasCode })) return true;
    return !isStrict && (!person.hasApp || (by === 'password' && browser.trusted.has(person)));
  }

  /** With `prompt=none`, the app learns why nobody is signed in. */
  #findSilentFaults({ prompt, browser: { session } }: Tab, { kind }: Step, { page, clientError }: Shown): string[] {
    if (kind !== 'open' || prompt !== 'none' || page !== 'app') return [];
    const expected = session === null ? 'login_required' : this.#isOutdated(session) ? 'interaction_required' : clientError;
    return clientError === expected ? [] : [`the app received ${clientError ?? 'a code'}, and not ${expected ?? 'a code'}`];
  }

  /** A password is replaced only by a right form of a task that is outstanding. */
  #findReplacementFaults({ isReplaced }: Shown): string[] {
    if (isReplaced === undefined || isReplaced === this.#isReplaced) return [];
    return [isReplaced ? 'the password was replaced' : 'the password was not replaced'];
  }

  /** Terms are accepted only by a right form of the current version. */
  #findTermsFaults(tab: Tab, step: Step, { hasAcceptedTerms }: Shown): string[] {
    if (step.kind !== 'terms' || !this.terms) return [];
    const { acceptedTerms } = step.named;
    const { version } = this.terms;
    if (this.#isLate(tab)) {
      // Whether the request still waits at the product depends on when it has asked Hydra last.
      if (hasAcceptedTerms) acceptedTerms.add(version);
      return [];
    }
    if (hasAcceptedTerms === acceptedTerms.has(version)) return [];
    return [hasAcceptedTerms ? 'the terms were accepted' : 'the terms were not accepted'];
  }

  /** One of several sign-ups with one address waits. */
  #findApplicationFaults(step: Step, { hasApplication }: Shown): string[] {
    if (step.kind !== 'signUp' || hasApplication === undefined) return [];
    if (hasApplication === this.#applicants.has(step.person)) return [];
    return [hasApplication ? 'the sign-up waits' : 'the sign-up does not wait'];
  }

  /** Hydra rejects a login if the person cancels it, and the app learns that. */
  #findDeclinedFaults(tab: Tab, step: Step, { page, clientError, declined }: Shown): string[] {
    if (declined.length > 0 && !this.#isDeclined) return ['Hydra has rejected a login that nobody has declined'];
    const isCancelled = step.kind === 'terms' && step.choice === 'cancel' && page === 'app' && !tab.isOver;
    if (!isCancelled || clientError === 'access_denied') return [];
    return [`the app received ${clientError ?? 'a code'}, and not access_denied`];
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

  /** A registration creates one account, or none if its answer does not count. So does a sign-up. */
  #findRegistrationFaults({ wentBack }: Tab, step: Step, { hasAccount }: Shown): string[] {
    if ((step.kind !== 'registration' && step.kind !== 'signUp') || hasAccount === undefined) return [];
    const isExpected = step.kind === 'registration' ? step.from.person === step.person : this.#createsOne;
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
    const hasTask = amr.includes('pwd') && this.people.some(({ name, needsPassword }) => name === sub && needsPassword);
    return [
      ...(isAgain ? ['Hydra has accepted a second login for one request'] : []),
      ...(logins.every((one) => one.result === result) ? [] : ['Hydra has accepted two different logins for one request']),
      ...(hasTask ? [`Hydra has accepted ${sub}, who has to choose a new password first`] : []),
      ...(this.#lacksTerms(tab, step, login) ? [`Hydra has accepted ${sub}, who has to accept the terms first`] : []),
      ...(this.#declined.has(challenge) ? ['Hydra has accepted a login that the person has declined'] : []),
      ...(isProven ? [] : [`Hydra has accepted ${sub} with amr ${amr.join(' ')}, which nobody has proven`]),
    ];
  }

  /** A session continues until the terms cannot be postponed any more. */
  #lacksTerms({ proven }: Tab, { kind }: Step, { sub }: AcceptedLogin): boolean {
    const person = this.people.find(({ name }) => name === sub);
    const isSession = kind === 'open' || kind === 'reload' || kind === 'allow';
    const hasPostponed = proven?.person === person && proven?.hasPostponed === true;
    return person !== undefined && this.#isAskedForTerms(person, isSession || hasPostponed);
  }

  /** @returns the sessions that this step may result in: the session of the person proven in this tab, and the session of this browser */
  #findPossibleSessions({ browser: { session }, proven, prompt }: Tab, step: Step): Session[] {
    const inTab = proven ? [this.#toSession(proven, session)] : [];
    if (isFirstProof(step) || step.kind === 'code' || step.kind === 'task' || step.kind === 'terms') return inTab;
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

type TermsStep = Extract<Step, { kind: 'terms' }>;

interface TabState extends Pick<Tab, 'proven' | 'requestedCode'> {
  signUp: SignUp | null;
}

function copyState({ proven, requestedCode, browser: { signUp } }: Tab): TabState {
  return {
    proven: proven && { ...proven },
    requestedCode: requestedCode && { ...requestedCode },
    signUp: signUp && { ...signUp },
  };
}

function restoreState(tab: Tab, { proven, requestedCode, signUp }: TabState): void {
  Object.assign(tab, { proven, requestedCode });
  tab.browser.signUp = signUp;
}

/** @param pages what follows a proof */
function provesSomebody(pages: readonly string[]): boolean {
  return !pages.some((page) => NOT_PROVEN.includes(page));
}

function isByPassword({ by }: Pick<Proof, 'by'>): boolean {
  return by === 'password' || by === 'signUp';
}

function isStrong({ by, hasCode }: Proof): boolean {
  return hasCode || by === 'passkey';
}

function matchesClaims({ by, hasCode }: Proof, { acr, amr }: Omit<Claims, 'sub'>): boolean {
  const methods = [...FIRST_AMR[by], ...(hasCode ? ['otp', 'mfa'] : [])];
  return methods.join() === amr.join() && acr === (hasCode ? ACR.secondFactor : FIRST_ACR[by]);
}
