/**
 * Fills in Foyer's pages in a real browser, as a person would: for runs of other test suites, and for tests of an app in a browser window.
 * This file works with Playwright's `Page`, but does not import Playwright.
 */
import type { LogoutState, PageState } from '../src/contract/page-state.js';
import { PATHS } from '../src/contract/paths.js';
import { KitError, SignInRefused } from './kit-error.js';
import type { Person } from './people.js';
import { findPageError } from './sign-in.js';

interface Locator {
  fill(value: string): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  click(): Promise<void>;
  count(): Promise<number>;
  getAttribute(name: string): Promise<string | null>;
}

/** The members of Playwright's `Page` that the driver uses. */
export interface DrivenPage {
  url(): string;
  locator(selector: string): Locator;
  waitForEvent(event: 'domcontentloaded', options?: { timeout?: number }): Promise<unknown>;
}

export interface DriveOptions {
  /** Ticks or unticks "Stay signed in". By default the checkbox is left unchanged. */
  remember?: boolean;
  /** The answer on the consent page. Default: allow the ticked scopes. */
  consent?: 'accept' | 'reject';
  /** The answer to the question whether to log out. Default: log out. */
  logout?: 'accept' | 'reject';
}

/** The position of the browser after the last answered page. */
export interface DriveResult {
  url: string;
  /** The page of Foyer that is shown, like `logout` or `oauth_error`; null on any other site. */
  page: PageState['page'] | null;
}

interface DriverParts {
  /** Origins of Foyer and Hydra. The driver stops at any other origin. */
  foyerUrl: string;
  hydraPublicUrl: string;
}

const MAX_PAGES = 15;
const PAGE_TIMEOUT_MS = 60_000;

export class PageDriver {
  constructor(
    private readonly page: DrivenPage,
    private readonly person: Person,
    private readonly options: DriveOptions,
  ) {}

  /**
   * @throws SignInRefused if a page of the sign-in shows an error; KitError if the person lacks an authenticator app, if an answer is not a page of
   * Foyer, or if the pages do not end
   */
  async drive({ foyerUrl, hydraPublicUrl }: DriverParts): Promise<DriveResult> {
    for (let count = 0; ; count++) {
      const { origin } = new URL(this.page.url());
      if (origin === new URL(hydraPublicUrl).origin && origin !== new URL(foyerUrl).origin) {
        this.#requireMorePages(count);
        // Hydra's page for front-channel logouts continues by itself.
        await this.#waitForPage();
        continue;
      }
      if (origin !== new URL(foyerUrl).origin) return { url: this.page.url(), page: null };
      const state = await this.#readState();
      const answer = this.#findAnswer(state);
      if (answer === null) return { url: this.page.url(), page: state.page };
      this.#requireMorePages(count);
      await answer();
    }
  }

  /** @throws KitError */
  #requireMorePages(count: number): void {
    if (count < MAX_PAGES) return;
    throw new KitError(`The browser still shows pages of Foyer or Hydra after ${MAX_PAGES} pages; it is at ${this.page.url()}`);
  }

  async #readState(): Promise<PageState> {
    const text = await this.page.locator('#root').getAttribute('data-state');
    if (text === null) throw new KitError(`${this.page.url()} is not a page of Foyer.`);
    return JSON.parse(text) as PageState;
  }

  /** @returns null for a page that the driver does not answer, on which it stops */
  #findAnswer(state: PageState): (() => Promise<void>) | null {
    switch (state.page) {
      case 'oauth_error':
      case 'server_error':
        return null;
      case 'logout':
        return isQuestion(state.logout) ? () => this.#press(this.#logoutPath()) : null;
      case 'login':
      case 'login_hint':
      case 'mfa_verification':
      case 'consent':
        requireNoError(state);
        return this.#toStep(state.page);
      default:
        return null;
    }
  }

  #toStep(page: 'login' | 'login_hint' | 'mfa_verification' | 'consent'): () => Promise<void> {
    switch (page) {
      case 'login':
        return () => this.#login();
      case 'login_hint':
        return () => this.#press(PATHS.loginProceed);
      case 'mfa_verification':
        return () => this.#enterCode();
      case 'consent':
        return () => this.#press(this.options.consent === 'reject' ? PATHS.consentReject : PATHS.consentAccept);
    }
  }

  #logoutPath(): string {
    return this.options.logout === 'reject' ? PATHS.logoutReject : PATHS.logoutAccept;
  }

  async #login(): Promise<void> {
    const form = `form[action="${PATHS.loginNative}"]`;
    await this.page.locator(`${form} input[name="username"]`).fill(this.person.username);
    await this.page.locator(`${form} input[name="password"]`).fill(this.person.password);
    const box = this.page.locator(`${form} input[name="remember"][type="checkbox"]`);
    const { remember } = this.options;
    if (remember !== undefined && (await box.count()) > 0) await (remember ? box.check() : box.uncheck());
    await this.#press(PATHS.loginNative);
  }

  async #enterCode(): Promise<void> {
    const { totp } = this.person;
    if (!totp) throw new KitError(`${this.person.username} has no authenticator app for the second step.`);
    await this.page.locator('input[name="code"]').fill(await totp.freshCode());
    await this.#submit(`form[action="${PATHS.mfaVerify}"]:has(input[name="code"]) button[type="submit"]:not([formaction])`);
  }

  /** Presses the button that posts to this path. */
  async #press(path: string): Promise<void> {
    const buttonWithAction = `button[type="submit"][formaction="${path}"]`;
    const button = `form[action="${path}"] button[type="submit"]:not([formaction])`;
    const selector = (await this.page.locator(buttonWithAction).count()) > 0 ? buttonWithAction : button;
    await this.#submit(selector);
  }

  /** Clicks the button and waits for the next page. */
  async #submit(button: string): Promise<void> {
    await Promise.all([this.#waitForPage(), this.page.locator(button).click()]);
  }

  async #waitForPage(): Promise<void> {
    await this.page.waitForEvent('domcontentloaded', { timeout: PAGE_TIMEOUT_MS });
  }
}

/** @returns whether the logout page asks a question; it also shows results */
function isQuestion({ status, logout_challenge: challenge, local }: LogoutState): boolean {
  return status === 'pending' && (challenge !== '' || local === true);
}

/** @throws SignInRefused */
function requireNoError(state: PageState): void {
  const error = findPageError(state);
  if (error === null) return;
  throw new SignInRefused(state.page, error, `Foyer does not continue: the page ${state.page} shows "${error}".`);
}
