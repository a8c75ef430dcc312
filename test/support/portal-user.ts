/** A person in a browser who signs in to the demo app with a password, in one of its languages. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { Person } from './installation.js';

type Phrases = Record<string, string>;

const locale = (name: string): Phrases =>
  JSON.parse(readFileSync(new URL(`../../locales/${name}.json`, import.meta.url), 'utf8')) as Phrases;

/** Texts of the demo app; the gateway's texts come from its locales. */
export const LANGUAGES = {
  de: {
    browser: 'de-DE',
    gateway: locale('de'),
    app: { signIn: 'Anmelden', signedIn: 'Sie sind angemeldet', signOut: 'Abmelden', out: 'Abgemeldet', raw: 'Roh anzeigen' },
  },
  en: {
    browser: 'en-GB',
    gateway: locale('en'),
    app: { signIn: 'Sign in', signedIn: 'You are signed in', signOut: 'Sign out', out: 'Signed out', raw: 'Show raw' },
  },
} as const;

export type Language = (typeof LANGUAGES)[keyof typeof LANGUAGES];

export class PortalUser {
  constructor(
    readonly page: Page,
    private readonly appUrl: string,
    private readonly language: Language,
  ) {}

  async openSignIn(): Promise<void> {
    await this.page.goto(this.appUrl);
    await this.page.getByRole('link', { name: this.language.app.signIn, exact: true }).click();
  }

  async enterPassword({ username, password }: Pick<Person, 'username' | 'password'>): Promise<void> {
    const { gateway } = this.language;
    await this.page.getByLabel(gateway['login.username']!, { exact: true }).fill(username);
    await this.page.getByLabel(gateway['login.password']!, { exact: true }).fill(password);
    await this.page.getByLabel(gateway['login.remember']!).check();
    await this.press('login.submit');
  }

  press(key: string): Promise<void> {
    return this.page.getByRole('button', { name: this.language.gateway[key]!, exact: true }).click();
  }

  /** Waits for a heading. @throws with the heading that is shown instead */
  async waitForHeading(name: string): Promise<void> {
    try {
      await this.page.getByRole('heading', { level: 1, name }).waitFor();
    } catch (error) {
      const { origin, pathname } = new URL(this.page.url());
      const said = (await this.page.locator('h1').allInnerTexts()).join(', ');
      throw new Error(`${origin}${pathname} says "${said}" and not "${name}"`, { cause: error });
    }
  }

  /** @returns the claims that the app received */
  async readClaims(): Promise<Record<string, unknown>> {
    await this.waitForHeading(this.language.app.signedIn);
    await this.page.getByText(this.language.app.raw).click();
    return JSON.parse(await this.page.locator('pre').first().innerText()) as Record<string, unknown>;
  }
}
