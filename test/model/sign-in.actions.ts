/** Performs random actions of people with two browsers at the real gateway (`sign-in.world.ts`), and records them in the model. */
import fc from 'fast-check';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { toState } from '../../test-kit/page.js';
import type { Browser as RealBrowser, Page } from '../../test-kit/browser.js';
import type { OAuthClient } from '../support/oauth-client.js';
import type { AssertionDeviation } from '../support/synthetic-key.js';
import type { Person, Prompt, Registration, Shown, Step, Tab, TermsChoice } from './sign-in.facts.js';
import { ApplicationActions } from './application.actions.js';
import { InvitationActions, type InvitationAction } from './invitation.actions.js';
import { SignInModel } from './sign-in.model.js';
import { People, toPerson, type ChosenAddress } from './sign-in.people.js';
import {
  CHANGE_SECONDS,
  FORMS,
  toPageName,
  type Clicks,
  type FilledForm,
  type RealPerson,
  type ShownPage,
  type SignInWorld,
} from './sign-in.world.js';

/** `browser` and `person` are an index, and `tab` is the distance from the newest tab, each modulo the number that exists. */
export type Action =
  | { kind: 'open'; browser: number; isStrict: boolean; prompt: Prompt | undefined }
  | { kind: 'copy'; tab: number; browser: number }
  | { kind: 'password'; tab: number; person: number; isRight: boolean; remembers: boolean; clicks: Clicks }
  | { kind: 'code'; tab: number; isRight: boolean; trusts: boolean; clicks: Clicks }
  | { kind: 'provider'; tab: number; person: number }
  /** A wrong assertion names another person, or was made without user verification (`isUnverified: true`). */
  | { kind: 'passkey'; tab: number; person: number; isRight: boolean; isUnverified: boolean; clicks: Clicks }
  | { kind: 'allow' | 'reload' | 'register'; tab: number }
  /** The return from the registration service with its answer. With `isElsewhere`, another browser opens the address. */
  | { kind: 'comeBack'; tab: number; person: number; answer: 'new' | 'known' | 'cancelled'; isElsewhere: boolean; clicks: Clicks }
  /** Requests a code by mail for this person. */
  | { kind: 'askCode'; tab: number; person: number; clicks: Clicks }
  /**
   * Fills in the page that a sign-up, a code by mail or a task shows. `address`: for the details of a sign-up, a new one, the one that the
   * last new person has entered, or the one of this person; for terms, `again` postpones them. A wrong code may be the right one of another
   * tab or browser (`isStolen`).
   */
  | {
      kind: 'fillIn';
      tab: number;
      person: number;
      address: ChosenAddress['address'];
      isRight: boolean;
      isStolen: boolean;
      clicks: Clicks;
    }
  | { kind: 'back'; tab: number }
  | { kind: 'wait'; minutes: number }
  | { kind: 'signOut'; browser: number }
  | { kind: 'change'; change: Change; person: number }
  | InvitationAction
  /** An operator decides about a sign-up that waits, or has waited. */
  | { kind: 'decide'; application: number; isApproved: boolean }
  /** A new version of the terms. */
  | { kind: 'publish'; inMinutes: number; laterMinutes: number }
  | { kind: 'restart' };

type Change = 'resetPassword' | 'requirePassword' | 'toggleActive' | 'toggleApp';

const smallNumber = fc.nat({ max: 11 });
const recentTab = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: smallNumber });
const mostlyTrue = fc.integer({ min: 0, max: 9 }).map((value) => value < 8);
const mostlyFalse = mostlyTrue.map((value) => !value);
const clicks = fc.integer({ min: 0, max: 9 }).map((value): Clicks => (value < 8 ? 'one' : value < 9 ? 'two' : 'late'));

const ACTION: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      browser: smallNumber,
      isStrict: mostlyFalse,
      prompt: createPrompts(),
    }),
  },
  {
    weight: 70,
    arbitrary: fc.record({
      kind: fc.constant('password' as const),
      tab: recentTab,
      person: smallNumber,
      isRight: mostlyTrue,
      remembers: mostlyTrue,
      clicks,
    }),
  },
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('code' as const),
      tab: recentTab,
      isRight: mostlyTrue,
      trusts: fc.boolean(),
      clicks,
    }),
  },
  {
    weight: 30,
    arbitrary: fc.record({ kind: fc.constantFrom('allow' as const, 'back' as const, 'reload' as const), tab: recentTab }),
  },
  { weight: 15, arbitrary: fc.record({ kind: fc.constant('provider' as const), tab: recentTab, person: smallNumber }) },
  {
    weight: 15,
    arbitrary: fc.record({
      kind: fc.constant('passkey' as const),
      tab: recentTab,
      person: smallNumber,
      isRight: mostlyTrue,
      isUnverified: fc.boolean(),
      clicks,
    }),
  },
  { weight: 15, arbitrary: fc.record({ kind: fc.constant('register' as const), tab: recentTab }) },
  {
    weight: 25,
    arbitrary: fc.record({
      kind: fc.constant('comeBack' as const),
      tab: recentTab,
      person: smallNumber,
      answer: fc.constantFrom('new' as const, 'new' as const, 'known' as const, 'known' as const, 'cancelled' as const),
      isElsewhere: mostlyFalse,
      clicks,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('askCode' as const), tab: recentTab, person: smallNumber, clicks }),
  },
  {
    weight: 90,
    arbitrary: fc.record({
      kind: fc.constant('fillIn' as const),
      tab: recentTab,
      person: smallNumber,
      address: createAddresses(),
      isRight: mostlyTrue,
      isStolen: fc.boolean(),
      clicks,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('copy' as const), tab: recentTab, browser: smallNumber }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 11, 31) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('signOut' as const), browser: smallNumber }) },
  {
    weight: 15,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      change: fc.constantFrom<Change>('resetPassword', 'requirePassword', 'requirePassword', 'toggleActive', 'toggleApp'),
      person: smallNumber,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      inMinutes: fc.constantFrom(0, 0, 0, 11),
      laterMinutes: fc.constantFrom(0, 0, 3, 20, 1000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('invite' as const),
      address: createAddresses(),
      person: smallNumber,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('resend' as const, 'withdraw' as const),
      invitation: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('openLink' as const), link: fc.nat({ max: 2 }), browser: smallNumber }),
  },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('join' as const), page: fc.nat({ max: 2 }), isRight: mostlyTrue, clicks }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      application: fc.nat({ max: 2 }),
      isApproved: mostlyTrue,
    }),
  },
  // A restart takes as long as twenty steps.
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

function createAddresses(): fc.Arbitrary<ChosenAddress['address']> {
  return fc.constantFrom('new' as const, 'new' as const, 'again' as const, 'again' as const, 'known' as const);
}

function createPrompts(): fc.Arbitrary<Prompt | undefined> {
  return fc.constantFrom(undefined, undefined, undefined, 'login' as const, 'login' as const, 'none' as const);
}

/** The pages of the action `fillIn`. */
const FILLED_IN = [
  'mailed_code_ask',
  'mailed_code_code',
  'sign_up_details',
  'sign_up_code',
  'sign_up_password',
  'task_password',
  'task_terms',
];
/** The pages of a code by mail that was not accepted. */
const REFUSED_CODE = ['login', 'mailed_code_ask', 'mailed_code_code'];

export const createActions = (most: number): fc.Arbitrary<Action[]> => fc.array(ACTION, { maxLength: most, size: 'max' });

interface RealTab {
  browser: RealBrowser;
  client: OAuthClient;
  /** All pages that the tab has shown; the last one is visible. */
  pages: Page[];
  /** The person who signed in last in this tab and types the code. */
  person: RealPerson | null;
  /** The newest code that was mailed for this tab, and its person. */
  mailedCode: { code: string | null; person: number } | null;
}

interface OpenTab {
  tab: RealTab;
  page: Page;
}

type TypedProof = Extract<Action, { kind: 'password' | 'provider' | 'passkey' }>;
type FillIn = Extract<Action, { kind: 'fillIn' }>;
type FilledStep = Extract<Step, { kind: 'details' | 'terms' } | { isRight: boolean }>;
type AskCode = Extract<Action, { kind: 'askCode' }>;

interface SubmittedStep {
  step: Step;
  click: () => Promise<Page>;
  /** @returns what cannot be seen on the page */
  findMore?: () => Promise<Pick<Shown, 'hasAccount' | 'hasApplication' | 'isReplaced' | 'isMailed' | 'hasAcceptedTerms'>>;
}

/** One sequence of actions, with its own people and browsers. */
export class Walk {
  readonly model: SignInModel;
  readonly #browsers: RealBrowser[];
  readonly #tabs: RealTab[] = [];
  readonly #codes = new Map<string, ShownPage>();
  /** Registrations by the id in the registration ticket. */
  readonly #registrations = new Map<string, Registration>();
  readonly #people: People;
  readonly #invitations: InvitationActions;
  readonly #applications: ApplicationActions;
  /** The newest code for a sign-up in each browser. */
  readonly #addressCodes = new Map<RealBrowser, string>();
  /** The index of the person for whom a code was requested last. */
  #lastAsked: number | null = null;
  /** All versions of the terms, the newest first. */
  readonly #versions: number[] = [];
  #judgedRequests = 0;

  private constructor(
    private readonly world: SignInWorld,
    private readonly people: RealPerson[],
  ) {
    this.model = new SignInModel(
      people.map((person) => toPerson(person, 0)),
      world.started.mode,
    );
    this.#browsers = this.model.browsers.map(() => world.createBrowser());
    this.#people = new People(world, this.model, people);
    this.#applications = new ApplicationActions(world, this.model, this.#people);
    this.#invitations = new InvitationActions(world, this.model, this.#browsers, this.#people);
  }

  /** Number of requests that the model has judged. */
  get judgedRequests(): number {
    return this.#judgedRequests + this.#invitations.judgedRequests;
  }

  static async begin(world: SignInWorld): Promise<Walk> {
    world.setTerms(null);
    const people = [await world.createPerson(), await world.createPerson('app', 'passkey'), await world.createPerson('passkey')];
    // Two people have an app, because trust in a browser for one account must not count for the other.
    const walk = new Walk(world, [...people, await world.createPerson('app'), await world.createPerson('breached password')]);
    for (const person of walk.model.people.slice(-1)) person.needsPassword = true;
    return walk;
  }

  /** Performs the action. @returns the faults that the model finds afterwards */
  async take(action: Action): Promise<string[]> {
    switch (action.kind) {
      case 'open':
        return this.#open(action);
      case 'copy':
        return this.#copy(action);
      case 'wait':
        this.model.minutes += action.minutes;
        this.world.passTime(action.minutes * 60);
        return [];
      case 'restart':
        await this.world.restart();
        return [];
      case 'publish':
        return this.#publish(action);
      case 'invite':
      case 'resend':
      case 'withdraw':
      case 'openLink':
      case 'join':
        return this.#invitations.take(action);
      case 'decide':
        return this.#applications.decide(action.application, action.isApproved);
      case 'signOut':
        return this.#signOut(action.browser % this.#browsers.length);
      case 'change':
        return this.#change(action.change, this.#toChanged(action));
      case 'comeBack':
        return this.#comeBack(action, this.#findTabIndex(action.tab));
      default:
        return this.#actInTab(action, this.#findActionTab(action));
    }
  }

  async #open({ browser: number, isStrict, prompt }: Extract<Action, { kind: 'open' }>): Promise<string[]> {
    const { browser, real } = this.#findBrowser(number);
    const client = this.world.started[isStrict ? 'strict' : 'plain'];
    const tab = this.model.open(browser, isStrict, { prompt });
    this.model.take(tab, { kind: 'open' });
    const page = await real.go(client.authorizationUrl({ scope: 'openid', prompt, 'reg_hint[invitation]': 'A' }));
    this.#tabs.push({ browser: real, client, pages: [page], person: null, mailedCode: null });
    return this.#judge(tab, { kind: 'open' }, { number: this.#tabs.length - 1 });
  }

  async #copy({ tab: number, browser: to }: Extract<Action, { kind: 'copy' }>): Promise<string[]> {
    const [from, copied] = [this.#tabs[this.#findTabIndex(number)], this.model.tabs[this.#findTabIndex(number)]];
    const url = from?.pages.at(-1)?.url;
    const { browser, real } = this.#findBrowser(to);
    // A copied tab is not copied again, because the second copy could be in the first browser.
    if (!from || !url || !copied || copied.isForeign || real === from.browser || url.pathname === '/callback') return [];
    const tab = this.model.open(browser, copied.isStrict, { isForeign: true, prompt: copied.prompt });
    this.model.take(tab, { kind: 'reload' });
    // An attacker who opens a stolen address may know the code that the person is about to type.
    this.#tabs.push({ ...from, browser: real, pages: [await real.go(url)] });
    return this.#judge(tab, { kind: 'reload' }, { number: this.#tabs.length - 1 });
  }

  async #signOut(number: number): Promise<string[]> {
    const { browser, real } = this.#findBrowser(number);
    const page = await real.go(this.world.started.plain.logoutUrl());
    if (this.world.hasForm(page, FORMS.signOut)) await real.fill(page, {}, FORMS.signOut);
    this.model.signOut(browser);
    return [];
  }

  #publish({ inMinutes, laterMinutes }: Extract<Action, { kind: 'publish' }>): string[] {
    const { version } = this.model.publishTerms({ inMinutes, laterMinutes });
    this.world.setTerms({ version, from: inMinutes, laterUntil: inMinutes + laterMinutes });
    this.#versions.unshift(version);
    return [];
  }

  /** @returns an index. A new password is mostly required of somebody who is signed in, because it also ends what the session is good for */
  #toChanged({ change, person: number }: { change: Change; person: number }): number {
    const session = this.model.browsers[number % 3]?.session;
    const index = change === 'requirePassword' && session ? this.model.people.indexOf(session.person) : -1;
    return index === -1 ? number % this.people.length : index;
  }

  async #change(change: Change, number: number): Promise<string[]> {
    const [person, real] = [this.model.people[number], this.people[number]];
    if (!person || !real || (change !== 'toggleActive' && !person.isActive)) return [];
    if (change === 'toggleApp') {
      person.hasApp = !person.hasApp;
      await this.world.setApp(real, person.hasApp);
      this.model.changeFactors(person);
      return [];
    }
    if (change === 'requirePassword') {
      if (!person.hasPassword) return [];
      await this.world.requirePassword(real);
      person.needsPassword = true;
      return [];
    }
    if (change === 'resetPassword') {
      await this.world.resetPassword(real);
      Object.assign(person, { hasPassword: true, needsPassword: false });
    } else await this.world.setActive(real, (person.isActive = !person.isActive));
    this.model.endAll(person);
    return [];
  }

  async #comeBack(action: Extract<Action, { kind: 'comeBack' }>, number: number): Promise<string[]> {
    const [own, page] = [this.#tabs[number], this.#tabs[number]?.pages.at(-1)];
    const txn = page && this.world.readTicket(page);
    const from = this.#registrations.get(txn ?? '');
    if (!own || !txn || !from) return [];
    const index = action.isElsewhere ? this.#openElsewhere(from.tab, own) : number;
    const [tab, real] = [this.model.tabs[index], this.#tabs[index]];
    if (!tab || !real) return [];
    const { answer, clicks } = action;
    const username = this.world.createName();
    const person = this.#toNamed(action);
    const claims = { new: { account: { username } }, known: { sub: person.name }, cancelled: { error: 'cancelled' } }[answer];
    const step = { kind: 'registration', from, person, isRight: answer !== 'cancelled', isAtOnce: clicks === 'two' } as const;
    this.model.take(tab, step);
    real.pages.push(await this.world.comeBack(real.browser, { txn, claims }, clicks));
    const hasAccount = answer === 'new' ? await this.#addRegistered(person, username) : undefined;
    real.person = this.people[this.model.people.indexOf(from.person ?? person)] ?? null;
    return this.#judge(tab, step, { number: index, hasAccount });
  }

  /** @returns the person whom the registration service names: an existing person or a new one */
  #toNamed({ answer, person: number }: Extract<Action, { kind: 'comeBack' }>): Person {
    const known = answer === 'known' ? this.model.people[number % this.people.length] : null;
    return known ?? toPerson(null, (this.model.count += 1));
  }

  /** @returns whether the account was created; if so, the person takes part from now on */
  async #addRegistered(person: Person, username: string): Promise<boolean> {
    const registered = await this.world.findRegistered(username);
    if (registered === null) return false;
    person.name = registered.account.id;
    this.people.push(registered);
    this.model.people.push(person);
    return true;
  }

  /** @returns the index of a new tab in another browser, which shows nothing yet */
  #openElsewhere({ browser, isStrict, prompt }: Tab, { client }: RealTab): number {
    const other = this.#findBrowser(this.model.browsers.indexOf(browser) + 1);
    this.model.open(other.browser, isStrict, { isForeign: true, prompt });
    return this.#tabs.push({ browser: other.real, client, pages: [], person: null, mailedCode: null }) - 1;
  }

  async #actInTab(action: Exclude<Extract<Action, { tab: number }>, { kind: 'comeBack' }>, number: number): Promise<string[]> {
    const [tab, real] = [this.model.tabs[number], this.#tabs[number]];
    const page = real?.pages.at(-1);
    if (!tab || !real || !page || action.kind === 'copy') return [];
    if (action.kind === 'back') {
      if (real.pages.length > 1) {
        real.pages.pop();
        this.model.goBack(tab);
      }
      return [];
    }
    const sent = this.#send(action, tab, { tab: real, page });
    if (sent === null) return [];
    this.model.take(tab, sent.step);
    const shown = await sent.click();
    real.pages.push(shown);
    const txn = action.kind === 'register' ? this.world.readTicket(shown) : null;
    if (txn) this.#registrations.set(txn, this.model.register(tab));
    return this.#judge(tab, sent.step, { number, ...(await sent.findMore?.()) });
  }

  /** @returns null if the page does not have such a form */
  #send(
    action: Exclude<Extract<Action, { tab: number }>, { kind: 'copy' | 'back' | 'comeBack' }>,
    tab: Tab,
    { tab: real, page }: OpenTab,
  ): SubmittedStep | null {
    const { browser } = real;
    switch (action.kind) {
      case 'reload':
        // A reload of the answer to a form would send the form again.
        if (page.status === 0 || page.url.search === '') return null;
        return { step: { kind: 'reload' }, click: () => browser.go(page.url) };
      case 'allow':
      case 'register': {
        const [kind, form] = [action.kind, FORMS[action.kind]];
        return this.world.hasForm(page, form) ? { step: { kind }, click: () => browser.fill(page, {}, form) } : null;
      }
      case 'code':
        return this.#sendCode(action, tab, { tab: real, page });
      case 'askCode':
        return this.#askCode(action, { tab: real, page });
      case 'fillIn':
        return this.#fillIn(action, tab, { tab: real, page });
      default:
        return this.#signIn(action, { tab: real, page });
    }
  }

  #signIn(action: TypedProof, { tab, page }: OpenTab): SubmittedStep | null {
    const number = action.person % this.people.length;
    const [person, real] = [this.model.people[number], this.people[number]];
    const click = person && real && this.#buildClick(action, real, { tab, page });
    if (!click) return null;
    tab.person = real;
    const can = { password: person.hasPassword, provider: true, passkey: person.hasPasskey }[action.kind];
    const isAtOnce = 'clicks' in action && action.clicks === 'two';
    return { step: { kind: action.kind, person, isRight: can && !('isRight' in action && !action.isRight), isAtOnce }, click };
  }

  #buildClick(action: TypedProof, person: RealPerson, { tab: { browser }, page }: OpenTab): (() => Promise<Page>) | null {
    const { world } = this;
    if (action.kind === 'provider') {
      const url = person.isConnected ? world.findProviderUrl(page) : null;
      return url && (() => world.signInAtProvider(browser, url, person));
    }
    const password = (action.isRight ? person.password : null) ?? 'not the password';
    const form =
      action.kind === 'passkey'
        ? world.buildPasskeyForm(page, person, this.#toDeviation(action, person))
        : world.findForm(page, FORMS.password(person.account.username, password, action.remembers));
    return form && (() => world.click(browser, { page, form }, action.clicks));
  }

  #toDeviation({ isRight, isUnverified }: Extract<Action, { kind: 'passkey' }>, person: RealPerson): AssertionDeviation {
    if (isRight) return {};
    const other = this.people.find((one) => one !== person && one.passkey);
    return isUnverified ? { flags: ['up'] } : { userHandle: other?.passkey?.handle ?? null };
  }

  /** The form for the username has an address of its own, which pages link to. */
  #askCode({ person: number, clicks }: Pick<AskCode, 'person' | 'clicks'>, { tab, page }: OpenTab): SubmittedStep | null {
    // Codes of one person in several tabs are mixed up most easily.
    const index = number % 2 === 0 && this.#lastAsked !== null ? this.#lastAsked : number % this.people.length;
    const [named, person, url] = [this.model.people[index], this.people[index], this.world.findCodeUrl(page)];
    if (!named || !person || !url) return null;
    this.#lastAsked = index;
    const { username, email } = person.account;
    const click = async () => {
      const asked = url === page.url ? page : await tab.browser.go(url);
      const form = this.world.findForm(asked, FORMS.name(username), PATHS.loginCode);
      return form ? this.world.click(tab.browser, { page: asked, form }, clicks) : asked;
    };
    const findMore = async () => {
      const code = await this.world.readCode('sign-in-code', email ?? '');
      person.requestedCodes += clicks === 'late' ? 2 : 1;
      // The limits refuse later mails, and the page does not say so.
      const isSure = code !== null || person.requestedCodes <= 5;
      if (this.#readPageName(tab) !== 'mailed_code_code') return {};
      tab.mailedCode = { code, person: index };
      return isSure ? { isMailed: code !== null } : {};
    };
    return { step: { kind: 'askCode', named }, click, findMore };
  }

  #fillIn(action: FillIn, tab: Tab, { tab: real, page }: OpenTab): SubmittedStep | null {
    switch (toPageName(toState(page.html))) {
      case 'mailed_code_ask':
        return this.#askCode(action, { tab: real, page });
      case 'mailed_code_code':
        return this.#enterMailedCode(action, { tab: real, page });
      case 'sign_up_details':
        return this.#enterDetails(action, { tab: real, page });
      case 'sign_up_code':
        return this.#enterAddressCode(action, { tab: real, page });
      case 'sign_up_password':
        return this.#signUp(action, tab, { tab: real, page });
      case 'task_password':
        return this.#doTask(action, tab, { tab: real, page });
      case 'task_terms':
        return this.#answerTerms(action, tab, { tab: real, page });
      default:
        return null;
    }
  }

  #enterMailedCode(action: FillIn, { tab, page }: OpenTab): SubmittedStep | null {
    const { code, person: index } = tab.mailedCode ?? { code: null, person: 0 };
    const [person, real] = [this.model.people[index], this.people[index]];
    const isRight = action.isRight && code !== null;
    const others = this.#tabs.flatMap(({ mailedCode }) => (mailedCode?.person === index ? [mailedCode.code] : [])).toReversed();
    const form = this.world.findForm(
      page,
      FORMS.mailedCode(isRight ? code : this.#toWrong(code, others, action)),
      PATHS.loginCode,
    );
    if (!person || !real || !form) return null;
    tab.person = real;
    // A code that was accepted ends the count of the mails.
    const findMore = async () => {
      if (isRight && !REFUSED_CODE.includes(this.#readPageName(tab))) real.requestedCodes = 0;
      return {};
    };
    return { ...this.#submit({ kind: 'mailedCode', person, isRight }, { tab, page }, { action, form }), findMore };
  }

  #enterDetails(action: FillIn, { tab, page }: OpenTab): SubmittedStep | null {
    const { person: named, address } = this.#people.choose(action);
    const form = this.world.findForm(page, FORMS.details(address));
    const findMore = async () => {
      const code = await this.world.readCode('sign-up-code', address);
      if (code !== null) this.#addressCodes.set(tab.browser, code);
      const isAsked = this.#readPageName(tab) === 'sign_up_code';
      return isAsked ? { isMailed: code !== null } : {};
    };
    return form && { ...this.#submit({ kind: 'details', named }, { tab, page }, { action, form }), findMore };
  }

  #enterAddressCode(action: FillIn, { tab, page }: OpenTab): SubmittedStep | null {
    const code = this.#addressCodes.get(tab.browser) ?? null;
    const isRight = action.isRight && code !== null;
    const typed = isRight ? code : this.#toWrong(code, [...this.#addressCodes.values()], action);
    const form = this.world.findForm(page, FORMS.mailedCode(typed), PATHS.registerCode);
    return form && this.#submit({ kind: 'addressCode', isRight }, { tab, page }, { action, form });
  }

  /** @returns the name of the page that the tab shows; `none` outside of Foyer */
  #readPageName({ pages }: RealTab): string {
    return toPageName(toState(pages.at(-1)?.html ?? ''));
  }

  #toWrong(code: string | null, others: (string | null)[], { isStolen }: FillIn): string {
    const stolen = others.find((one) => one !== null && one !== code);
    return isStolen && stolen ? stolen : String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  }

  #signUp(action: FillIn, tab: Tab, { tab: real, page }: OpenTab): SubmittedStep | null {
    const newPerson = this.#people.find(tab.browser.signUp?.person) ?? this.#people.choose(action);
    const { person } = newPerson;
    const password = this.world.createPassword();
    const form = this.world.findForm(page, FORMS.newPassword(password, action.isRight ? password : 'another'));
    if (!form) return null;
    const findMore = async () => {
      const created = await this.#people.addCreated(newPerson, password);
      real.person = created ?? real.person;
      return { hasAccount: created !== null, hasApplication: await this.#applications.record(newPerson, password) };
    };
    return {
      ...this.#submit({ kind: 'signUp', person, isRight: action.isRight }, { tab: real, page }, { action, form }),
      findMore,
    };
  }

  #doTask(action: FillIn, tab: Tab, { tab: real, page }: OpenTab): SubmittedStep | null {
    const person = this.people[this.model.people.findIndex((one) => one === tab.proven?.person)] ?? real.person;
    const password = this.world.createPassword();
    const form = this.world.findForm(page, FORMS.newPassword(password, action.isRight ? password : 'another'), PATHS.loginTask);
    if (!form || !person) return null;
    // The form says whether the person has chosen to trust this browser.
    tab.trusts &&= FIELDS.trustBrowser in form.fields;
    let version = '';
    const { step, click } = this.#submit({ kind: 'task', isRight: action.isRight }, { tab: real, page }, { action, form });
    return {
      step,
      click: async () => {
        this.world.passTime(CHANGE_SECONDS);
        version = await this.world.readPasswordVersion(person);
        return click();
      },
      findMore: async () => {
        const isReplaced = (await this.world.readPasswordVersion(person)) !== version;
        if (isReplaced) person.password = password;
        return { isReplaced };
      },
    };
  }

  #answerTerms(action: FillIn, tab: Tab, { tab: real, page }: OpenTab): SubmittedStep | null {
    const found = this.model.people.findIndex((one) => one === tab.proven?.person);
    const index = found === -1 ? this.people.findIndex((one) => one === real.person) : found;
    const [named, person, [newest = 0, earlier = 0]] = [this.model.people[index], this.people[index], this.#versions];
    const { choice, isOutdated } = toChoice(action);
    const shown = this.world.findTermsForm(page, choice);
    if (!named || !person || !shown) return null;
    const version = isOutdated ? earlier : shown.version;
    const form = isOutdated ? this.world.replaceVersion(shown.form, earlier) : shown.form;
    tab.trusts &&= FIELDS.trustBrowser in form.fields;
    const findMore = async () => ({ hasAcceptedTerms: await this.world.hasAcceptedTerms(person, newest) });
    return { ...this.#submit({ kind: 'terms', named, version, choice }, { tab: real, page }, { action, form }), findMore };
  }

  #submit(step: FilledStep, { tab, page }: OpenTab, { action, form }: { action: FillIn; form: FilledForm }): SubmittedStep {
    const clicks = this.#toUsefulClicks(step, { tab, clicks: action.clicks });
    const click = () => this.world.click(tab.browser, { page, form }, clicks);
    return { step: { ...step, isAtOnce: clicks === 'two' }, click };
  }

  /**
   * Every try of a code that is not accepted counts, so it is sent once. Two requests for a code at once would mail two codes, in any
   * order, if the first was answered early.
   */
  #toUsefulClicks(step: FilledStep, { tab, clicks }: { tab: RealTab; clicks: Clicks }): Clicks {
    if (step.kind === 'details') return clicks === 'two' ? 'late' : clicks;
    if (step.kind === 'terms') return clicks;
    if (!step.isRight) return 'one';
    if (step.kind !== 'mailedCode' && step.kind !== 'addressCode') return clicks;
    const inModel = this.model.tabs[this.#tabs.indexOf(tab)];
    return inModel && this.model.acceptsCode(inModel, step.kind) ? clicks : 'one';
  }

  #sendCode(
    action: Extract<Action, { kind: 'code' }>,
    tab: Tab,
    { tab: { browser, person }, page }: OpenTab,
  ): SubmittedStep | null {
    if (!person || toPageName(toState(page.html)) !== 'mfa_verification' || !this.world.findForm(page, { code: '' })) return null;
    const code = this.world.generateCode(person, action.isRight);
    this.model.minutes += 1;
    const ticks = action.trusts && this.world.findForm(page, FORMS.code('', true)) !== null;
    const form = this.world.findForm(page, FORMS.code(code, ticks));
    // The page may show a checkbox that the person has ticked before.
    tab.trusts = form !== null && FIELDS.trustBrowser in form.fields;
    const isOwn = person.app !== null && tab.proven?.person.name === person.account.id;
    const step = { kind: 'code', isRight: action.isRight && isOwn, isAtOnce: action.clicks === 'two' } as const;
    return form && { step, click: () => this.world.click(browser, { page, form }, action.clicks) };
  }

  async #judge(tab: Tab, step: Step, { number, ...more }: { number: number } & Pick<Shown, 'hasAccount'>): Promise<string[]> {
    const real = this.#tabs[number];
    const page = real?.pages.at(-1);
    if (!real || !page) return [];
    this.#judgedRequests += 1;
    return this.model.findFaults(tab, step, { ...(await this.world.toShown(page, real.client, this.#codes)), ...more });
  }

  /** @returns the index of the tab; for `fillIn`, of one of the tabs that show a page to fill in */
  #findActionTab({ kind, tab: distance }: { kind: string; tab: number }): number {
    const all = this.#tabs.map((_, index) => index);
    const waiting = all.filter((index) => kind === 'fillIn' && this.#isFilledIn(index));
    return waiting.at(-1 - (distance % Math.max(1, waiting.length))) ?? this.#findTabIndex(distance);
  }

  #isFilledIn(index: number): boolean {
    const tab = this.#tabs[index];
    return tab !== undefined && FILLED_IN.includes(this.#readPageName(tab));
  }

  /** @returns the index of a tab; -1 if there is no tab */
  #findTabIndex(number: number): number {
    return this.#tabs.length - 1 - (number % Math.max(1, this.#tabs.length));
  }

  #findBrowser(number: number) {
    const [browser, real] = [
      this.model.browsers[number % this.model.browsers.length],
      this.#browsers[number % this.#browsers.length],
    ];
    if (!browser || !real) throw new Error('There is no browser.');
    return { browser, real };
  }
}

/** @returns `isOutdated`: the form names the version before the newest one */
function toChoice({ isRight, address, person }: FillIn): { choice: TermsChoice; isOutdated: boolean } {
  if (isRight) return { choice: address === 'again' ? 'later' : 'accept', isOutdated: false };
  const choice = (['accept', 'unchecked', 'cancel'] as const)[person % 3] ?? 'accept';
  return { choice, isOutdated: choice === 'accept' };
}
