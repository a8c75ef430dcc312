/** A person in a browser who goes from the app to a provider and returns. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { words } from './words.js';

export type Provider = 'Google' | 'Microsoft' | 'Apple';

export class ProviderUser {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly appUrl: string,
  ) {}

  static async create(chromium: Browser, appUrl: string, javaScriptEnabled = true): Promise<ProviderUser> {
    const context = await chromium.newContext({ locale: 'en-GB', javaScriptEnabled });
    return new ProviderUser(context, await context.newPage(), appUrl);
  }

  button(key: string) {
    return this.page.getByRole('button', { name: words(key), exact: true });
  }

  heading(key: string) {
    return this.page.getByRole('heading', { level: 1, name: words(key) });
  }

  /** Goes from the app to the page of the provider where a person chooses an identity. */
  async openProvider(provider: Provider | 'Musterwerk', path = '/sign-in?prompt=login&scope=profile'): Promise<void> {
    await this.page.goto(`${this.appUrl}${path}`);
    await this.page.getByRole('link', { name: words('login.with').replace('{{provider}}', provider) }).click();
    await this.page.getByRole('heading', { name: `Sign in with ${provider}` }).waitFor();
  }

  async choose(name: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(name) }).click();
  }

  /** Gives consent if asked; the app then shows the claims that it received. */
  async readClaims(): Promise<Record<string, unknown>> {
    const signedIn = this.page.getByRole('heading', { level: 1, name: /^(You are signed in|Hello, )/ });
    await this.button('consent.allow').or(signedIn).first().waitFor();
    if (await this.button('consent.allow').isVisible()) await this.button('consent.allow').click();
    await signedIn.waitFor();
    await this.page.locator('summary', { hasText: 'Show raw' }).click();
    return JSON.parse(await this.page.locator('pre').first().innerText()) as Record<string, unknown>;
  }
}
