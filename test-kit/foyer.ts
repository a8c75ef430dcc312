/** A running installation for tests, with its clients, people, browsers, mails and clock. */
import { Browser, type BrowserOptions, type Page } from './browser.js';
import type { Time } from './authenticator.js';
import { Clients, type ClientOptions, type RegisteredClient } from './clients.js';
import type { Installation } from './installation.js';
import { requireKnown } from './known-options.js';
import { KitError } from './kit-error.js';
import { Mailbox } from './mailbox.js';
import type { MovableClock } from './movable-clock.js';
import { OperatorApi } from './operator-api.js';
import { PageDriver, type DriveResult, type DrivenPage, type DriveOptions } from './page-driver.js';
import { People, type Person, type PersonOptions } from './people.js';
import { SignIn, type SignInOptions } from './sign-in.js';
import { prepareSuite, type PreparedSuite, type SuiteOptions } from './suite.js';

/** Slightly longer than Hydra's default lifetime of a login and consent request. */
const REQUEST_LIFETIME = { minutes: 30, seconds: 1 };
const UNUSED_REDIRECT_URI = 'http://localhost:1/enrolled';

export class Foyer {
  /** The addresses of all parts, and the token of the operator API. */
  readonly installation: Omit<Installation, 'clock' | 'stop'>;
  readonly operator: OperatorApi;
  readonly #clock: MovableClock | null;
  readonly #mailbox: Mailbox | null;
  readonly #clients: Clients;
  readonly #people: People;
  readonly #end: () => Promise<void>;
  #stopPromise: Promise<void> | undefined;

  constructor({ clock, stop, ...installation }: Installation) {
    this.installation = installation;
    this.#clock = clock;
    this.#end = stop;
    this.#mailbox = installation.mailboxUrl === null ? null : new Mailbox(installation.mailboxUrl);
    this.operator = new OperatorApi(installation);
    this.#clients = new Clients(installation);
    const time = buildTime(clock);
    const enrol = (person: Person): Promise<void> => this.#enrol(person);
    this.#people = new People({ operator: this.operator, time, foyerUrl: installation.foyerUrl, enrol });
  }

  /**
   * The clock that tests can move. Foyer, its database, Hydra and the browsers of this kit use it. @throws KitError unless everything runs
   * in this process
   */
  get clock(): MovableClock {
    return this.#clock ?? this.#refuseOutsideEmbedded('The clock can be moved');
  }

  /** @throws KitError if the installation has no mailbox */
  get mailbox(): Mailbox {
    if (this.#mailbox === null) throw new KitError('This installation was started without a mailbox.');
    return this.#mailbox;
  }

  /** Registers a client at Hydra. @throws KitError for an unknown or misplaced option, or if Hydra refuses the client */
  async registerClient(options: ClientOptions): Promise<RegisteredClient> {
    requireKnown('registerClient', options);
    return this.#clients.register(options);
  }

  /**
   * @throws KitError for an unknown option, or if Foyer refuses the account (for example because the name is taken, or because the password
   * breaks the rules) or the sign-in that sets up a security key
   */
  async createPerson(options: PersonOptions): Promise<Person> {
    requireKnown('createPerson', options);
    return this.#people.create(options);
  }

  /** @returns a new browser; it has no cookies unless `jar` contains some */
  browser(options: BrowserOptions = {}): Browser {
    requireKnown('browser', options);
    const clock = this.#clock;
    return new Browser({ ...(clock ? { now: () => clock.now().getTime() } : {}), ...options });
  }

  /**
   * Signs a person in: answers the pages of the login, the existing session, the second factor and the consent.
   * @param authorizationUrl the app's request, or an address of the app that redirects to it
   * @returns the app's callback address with `code` or `error`, which has not been requested yet
   * @throws SignInRefused if a page shows an error or is not part of the kit's sign-in, or if Foyer refuses the security key; KitError if the
   * person lacks a factor, if the app does not request a scope of `consent`, if an answer does not come from Foyer, if the pages do
   * not end, or for an unknown option
   */
  async loginAs(person: Person, authorizationUrl: string | URL, options: SignInOptions = {}): Promise<string> {
    requireKnown('loginAs', options);
    return new SignIn(options.browser ?? this.browser(), person, options).walk(authorizationUrl);
  }

  /**
   * Answers the pages of a sign-in or logout in a real browser, from the page that the browser currently shows, and stops at any other
   * page.
   * @param page a `Page` of Playwright
   * @throws SignInRefused if a page of the sign-in shows an error; KitError if the person lacks an authenticator app that a page requires, if
   * a page is not a page of Foyer, if the pages do not end, or for an unknown option
   */
  async drive(page: DrivenPage, person: Person, options: DriveOptions = {}): Promise<DriveResult> {
    requireKnown('drive', options);
    return new PageDriver(page, person, options).drive(this.installation);
  }

  /** Creates a person and the clients for OpenID's conformance suite. @throws KitError if Hydra or Foyer refuses, or for an unknown option */
  async prepareSuite(options: SuiteOptions): Promise<PreparedSuite> {
    requireKnown('prepareSuite', options);
    return prepareSuite(
      { registerClient: (client) => this.registerClient(client), createPerson: (person) => this.createPerson(person) },
      options,
    );
  }

  /**
   * Starts a sign-in, moves the clock past the lifetime of a request, and requests the page again.
   * @returns the page that the person sees then
   * @throws KitError unless everything runs in this process, or if the sign-in has no page
   */
  async expireChallenge(authorizationUrl: string | URL, browser: Browser = this.browser()): Promise<Page> {
    const { clock } = this;
    const page = await browser.go(authorizationUrl);
    if (!page.url.search.includes('_challenge='))
      throw new KitError(`There is no pending challenge at ${page.url.origin}${page.url.pathname}.`);
    clock.advance(REQUEST_LIFETIME);
    return browser.go(page.url);
  }

  /** Deletes the registered clients, and stops the started parts. May be called twice. */
  stop(): Promise<void> {
    return (this.#stopPromise ??= this.#removeAndEnd());
  }

  async #removeAndEnd(): Promise<void> {
    try {
      await this.#clients.removeAll();
    } finally {
      await this.#end();
    }
  }

  async #enrol(person: Person): Promise<void> {
    const { clientId, issuer } = await this.registerClient({ redirectUris: [UNUSED_REDIRECT_URI], public: true });
    const url = new URL('/oauth2/auth', issuer);
    const request = { client_id: clientId, response_type: 'code', scope: 'openid', redirect_uri: UNUSED_REDIRECT_URI };
    // The challenge of an arbitrary verifier, because the code is never redeemed.
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    url.search = new URLSearchParams({ ...request, ...pkce, state: 'foyer-testing' }).toString();
    await this.loginAs(person, url);
  }

  #refuseOutsideEmbedded(action: string): never {
    throw new KitError(`${action} only in mode "embedded": in mode "${this.installation.mode}" Hydra uses the machine's clock.`);
  }
}

function buildTime(clock: MovableClock | null): Time {
  return {
    now: () => clock?.now() ?? new Date(),
    pass: async (milliseconds) => {
      if (clock) return clock.advance({ seconds: milliseconds / 1000 });
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    },
  };
}
