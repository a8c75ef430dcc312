/**
 * Signs a person in without a browser window: starts with an app's authorization request and answers the pages of the login, the existing
 * session, the second factor and the consent, until the browser is redirected to the app.
 */
import { PATHS } from '../src/contract/paths.js';
import type { PageState } from '../src/contract/page-state.js';
import type { Browser, Page } from './browser.js';
import { KitError, SignInRefused } from './kit-error.js';
import { toState } from './page.js';
import type { Person } from './people.js';
import { SecondStep, type SecondStepChoice } from './second-step.js';

export interface SignInOptions extends SecondStepChoice {
  /** A browser with cookies, for a returning person. Default: a new browser. */
  browser?: Browser;
  /** Ticks "Stay signed in". */
  remember?: boolean;
  /** Which of the requested scopes to allow: all (default), none, or these. */
  consent?: 'accept' | 'reject' | readonly string[];
}

type Answer = (page: Page) => Promise<Page>;

const MAX_PAGES = 12;

export class SignIn {
  readonly #browser: Browser;
  #callback: URL | undefined;

  constructor(
    browser: Browser,
    private readonly person: Person,
    private readonly options: SignInOptions,
  ) {
    this.#browser = browser.withStop((url) => this.#isCallback(url));
  }

  /**
   * @param start an authorization request, or an address of the app that redirects to it
   * @returns the app's callback address with `code` or `error`, which has not been requested yet
   * @throws SignInRefused if a page shows an error or is not part of this sign-in, or if Foyer refuses the security key; KitError if the person
   * lacks a factor, if the app does not request a scope of `consent`, if an answer does not come from Foyer, or if the pages do not end
   */
  async walk(start: string | URL): Promise<string> {
    let page = await this.#browser.go(start);
    for (let count = 0; !this.#isCallback(page.url); count++) {
      if (count === MAX_PAGES) throw new KitError(`The sign-in did not end after ${MAX_PAGES} pages.`);
      page = await this.#findAnswer(page)(page);
    }
    return page.url.href;
  }

  /** Remembers the redirect address that an authorization request names. @returns whether the address is the remembered one */
  #isCallback(url: URL): boolean {
    const redirectUri = url.pathname === '/oauth2/auth' ? url.searchParams.get('redirect_uri') : null;
    if (redirectUri !== null && URL.canParse(redirectUri)) this.#callback = new URL(redirectUri);
    return this.#callback !== undefined && url.origin === this.#callback.origin && url.pathname === this.#callback.pathname;
  }

  #findAnswer(page: Page): Answer {
    const state = toState(page.html);
    if (state === null) {
      throw new KitError(`${page.url.origin}${page.url.pathname} answered ${page.status} and is not a page of Foyer.`);
    }
    requireNoError(state);
    switch (state.page) {
      case 'login':
        return (currentPage) => this.#login(currentPage);
      case 'login_hint':
        return (currentPage) => this.#answerHint(currentPage);
      case 'mfa_verification':
        return (currentPage) => new SecondStep(this.#browser, this.person, this.options).answer(currentPage);
      case 'consent':
        return (currentPage) => this.#consent(currentPage);
      default:
        throw new SignInRefused(state.page, 'unexpected', `The sign-in led to the page ${state.page}: ${page.url.pathname}`);
    }
  }

  #login(page: Page): Promise<Page> {
    const { login } = page.state('login');
    const { username, password } = this.person;
    return this.#browser.submit(page, PATHS.loginNative, {
      _xsrf: login.xsrf_token,
      login_challenge: login.login_challenge,
      ticket: login.ticket,
      username,
      password,
      ...(this.options.remember ? { remember: 'true' } : {}),
    });
  }

  /** Signs in with another account if the existing session is not the person's and the page offers it; otherwise continues with the session. */
  #answerHint(page: Page): Promise<Page> {
    const { login_hint: hint } = page.state('login_hint');
    if (hint.account?.id !== this.person.id && hint.other_account_url !== undefined) {
      return this.#browser.go(new URL(hint.other_account_url, page.url));
    }
    const { xsrf_token: _xsrf, login_challenge, ticket } = hint;
    return this.#browser.submit(page, PATHS.loginProceed, { _xsrf, login_challenge, ticket, user: this.person.id });
  }

  #consent(page: Page): Promise<Page> {
    const { consent } = page.state('consent');
    const { consent: choice = 'accept' } = this.options;
    const { xsrf_token: _xsrf, consent_challenge, ticket } = consent;
    const fields = { _xsrf, consent_challenge, ticket };
    if (choice === 'reject') return this.#browser.submit(page, PATHS.consentReject, fields);
    const requestedScopes = consent.scopes.map(({ id }) => id);
    const unknownScopes = choice === 'accept' ? [] : choice.filter((scope) => !requestedScopes.includes(scope));
    if (unknownScopes.length > 0)
      throw new KitError(`The app does not request ${unknownScopes.join(', ')}, but ${requestedScopes.join(', ')}.`);
    return this.#browser.submit(page, PATHS.consentAccept, { ...fields, scopes: choice === 'accept' ? requestedScopes : choice });
  }
}

/** @throws SignInRefused */
function requireNoError(state: PageState): void {
  const error = findPageError(state);
  if (error === null) return;
  const { page } = state;
  throw new SignInRefused(page, error, `Foyer does not continue: the page ${page} shows "${error}".`);
}

/** @returns the error of a page that the kit answers, or of an error page; otherwise null */
export function findPageError(state: PageState): string | null {
  switch (state.page) {
    case 'login':
      return state.login.error ?? (state.login.missing.length > 0 ? `missing ${state.login.missing.join()}` : null);
    case 'login_hint':
      return state.login_hint.error;
    case 'mfa_verification':
      return state.mfa_verification.error;
    case 'consent':
      return state.consent.error;
    case 'oauth_error':
      return `${state.oauth_error.error}: ${state.oauth_error.error_description}`;
    case 'server_error':
      return `${state.server_error.status} ${state.server_error.code}`;
    default:
      return null;
  }
}
