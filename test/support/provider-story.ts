/** A person who signs in with a provider over HTTP: the redirect, the callback, and the resulting page. */
import { randomToken } from '../../src/config/keys.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { FakeIdentityProviders, findIssuer, type FakeClaims } from '../../src/providers/fake-identity-providers.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.js';
import type { Fields, TestBrowser, TestPage } from './test-browser.js';

export const FORM_PROVIDER = 'apple';
const CROSS_SITE = { origin: 'https://apple.example', 'sec-fetch-site': 'cross-site' };

export interface StartedAtProvider {
  browser: TestBrowser;
  challenge: string;
  /** The provider's address. */
  url: string;
  page: TestPage;
}

export class ProviderStory {
  #count = 0;

  private constructor(
    readonly gateway: TestGateway,
    readonly providers: FakeIdentityProviders,
  ) {}

  static async start(options: TestGatewayOptions = {}): Promise<ProviderStory> {
    const providers = new FakeIdentityProviders();
    return new ProviderStory(await startTestGateway({ ...options, identityProviders: providers }), providers);
  }

  request(more: Partial<LoginRequest> = {}): string {
    const challenge = more.challenge ?? `provider-${(this.#count += 1)}-${randomToken(4)}`;
    this.gateway.hydra.addLogin({ challenge, ...more });
    return challenge;
  }

  async createPerson(more: Parameters<TestGateway['account']>[1] = {}): Promise<Account> {
    return this.gateway.account(`fed${(this.#count += 1)}.${randomToken(4).replaceAll(/[-_]/g, 'x')}`, more);
  }

  /** Connects an identity directly, without the pages. */
  async connect(account: Account, subject = randomToken(8), provider = 'google'): Promise<string> {
    const identity = { issuer: findIssuer(provider), subject, label: null };
    const auditContext = { actor: 'system' } as const;
    await this.gateway
      .get(ExternalIdentities)
      .connect({ accountId: account.id, provider, providerName: provider, identity, auditContext });
    return subject;
  }

  /** Removes the password, so that only providers remain. */
  async removePassword({ id }: Account): Promise<void> {
    await this.gateway.database.db.deleteFrom('password_credential').where('account_id', '=', id).execute();
  }

  /** Starts at the provider from the login page. */
  async startAtProvider(
    provider = 'google',
    more: Partial<LoginRequest> & { browser?: TestBrowser; query?: string } = {},
  ): Promise<StartedAtProvider> {
    const { browser = this.gateway.browser(), query = '', ...request } = more;
    const challenge = this.request(request);
    const page = await browser.get(`${PATHS.login}/${provider}?login_challenge=${challenge}${query}`);
    return { browser, challenge, url: page.location ?? '', page };
  }

  /** Returns from the provider; for a provider with form posts, in two requests. */
  async callBack(provider: string, browser: TestBrowser, fields: Fields): Promise<TestPage> {
    if (provider !== FORM_PROVIDER)
      return browser.get(`${toCallback(provider)}?${new URLSearchParams(fields as Record<string, string>).toString()}`);
    const posted = await this.postCallback(browser, fields);
    return posted.location === null ? posted : browser.get(posted.location);
  }

  /** Posts from the page of the provider, with only the cookie for this purpose. */
  postCallback(browser: TestBrowser, fields: Fields, cookie = this.answerCookie(browser)): Promise<TestPage> {
    const stranger = this.gateway.browser({ ...CROSS_SITE, ...(cookie === '' ? {} : { cookie }) });
    return stranger.post(toCallback(FORM_PROVIDER), fields);
  }

  answerCookie(browser: TestBrowser): string {
    return browser.cookies(PATHS.login).find((pair) => pair.startsWith('foyer-answer=')) ?? '';
  }

  /** Performs the whole sign-in. */
  async signIn(
    subject: string,
    provider = 'google',
    { session, ...more }: Parameters<ProviderStory['startAtProvider']>[1] & { session?: FakeClaims } = {},
  ) {
    const started = await this.startAtProvider(provider, more);
    const fields = this.providers.signIn(started.url, subject, session);
    return { ...started, fields, answer: await this.callBack(provider, started.browser, fields) };
  }

  findAccepted(challenge: string) {
    return this.gateway.hydra.calls.flatMap((call) =>
      call.call === 'acceptLogin' && call.challenge === challenge ? [call] : [],
    );
  }
}

export function toCallback(provider: string): string {
  return `${PATHS.login}/${provider}${SERVER_PATHS.providerCallback}`;
}
