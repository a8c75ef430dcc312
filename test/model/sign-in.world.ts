/** Runs the real gateway with the embedded upstream, and browsers that fill in its forms, for the model of signing in. */
import { decodeJwt } from 'jose';
import { generateSecret } from 'otplib';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import type { Authentication } from '../../src/hydra/hydra.port.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { FakeIdentityProviders, findIssuer } from '../../src/providers/fake-identity-providers.js';
import { Browser, type Page } from '../../test-kit/browser.js';
import { freePorts } from '../../test-kit/free-ports.js';
import { findForm } from '../../test-kit/forms.js';
import { toState, type Answer, type Fields } from '../../test-kit/page.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { TotpUnderTest } from '../support/factors-under-test.js';
import { PASSWORD, startTestGateway, type InProcessGateway } from '../support/gateway.js';
import { idClaims, OAuthClient } from '../support/oauth-client.js';
import { PasskeyStory, type TestPasskey } from '../support/passkeys.js';
import { SERVICE, TestRegistrationService } from '../support/registration-service.js';
import type { AssertionDeviation } from '../support/synthetic-key.js';
import { AdminApi } from '../support/upstream-admin.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import { toServedUrls, type Upstream } from '../support/upstream-leg.js';
import { isServed, waitUntil } from '../support/upstream-waiting.js';
import type { AcceptedLogin, Shown } from './sign-in.facts.js';

/** No server listens at this address; the test reads the code from the address. */
const CALLBACK = 'http://127.0.0.1:2/callback';
/** A code of an authenticator app is valid once, so each code is typed in a new period. */
const PERIOD_SECONDS = 60;
const BY = { actor: 'system' } as const;
const RESTART_WITHIN_MS = 60_000;
let count = 0;

export type Clicks = 'one' | 'two' | 'late';

interface StartedInstallation {
  origin: string;
  port: number;
  upstream: Upstream;
  providers: FakeIdentityProviders;
  registration: TestRegistrationService;
  hydra: RecordingHydra;
  gateway: InProcessGateway;
  plain: OAuthClient;
  strict: OAuthClient;
}

export interface RealPerson {
  account: Account;
  /** Null for a person who has just registered. */
  password: string | null;
  app: TotpApp | null;
  passkey: TestPasskey | null;
  /** True if the person has an account at the provider. */
  isConnected: boolean;
}

/** A filled-in form of a page. */
export interface FilledForm {
  action: string;
  fields: Fields;
}

/** One of the fake providers. */
const PROVIDER = 'google';

export class SignInWorld {
  #hash: Promise<string> | undefined;

  private constructor(readonly started: StartedInstallation) {}

  static async start(): Promise<SignInWorld> {
    const [port = 0] = await freePorts(1);
    const origin = `http://127.0.0.1:${port}`;
    const upstream = await embeddedLeg.start({ urls: toServedUrls(origin) });
    const providers = new FakeIdentityProviders();
    const registration = await new TestRegistrationService().start();
    const hydra = new RecordingHydra({ adminUrl: upstream.adminUrl, publicUrl: upstream.publicUrl, timeoutMs: 30_000 });
    const gateway = await startGateway({ origin, port, upstream, providers, registration, hydra });
    const admin = new AdminApi(upstream.adminUrl);
    const register = async (metadata: object): Promise<OAuthClient> => {
      const { client_id: clientId } = await admin.createClient({ ...CLIENT, metadata });
      return new OAuthClient(upstream.publicUrl, { clientId, clientSecret: CLIENT.client_secret, redirectUri: CALLBACK });
    };
    const [plain, strict] = [await register({}), await register({ foyer: { mfa: 'required' } })];
    return new SignInWorld({ origin, port, upstream, providers, registration, hydra, gateway, plain, strict });
  }

  /** Restarts the gateway with the same database. */
  async restart(): Promise<void> {
    const { gateway: earlier, ...rest } = this.started;
    this.started.gateway = await startGateway(rest, earlier);
    // The first request may use a connection that the earlier process has closed. Browsers send such a request again.
    await waitUntil(RESTART_WITHIN_MS, () => isServed(`${rest.origin}${SERVER_PATHS.healthLive}`));
  }

  async close(): Promise<void> {
    await this.started.gateway.close();
    await this.started.upstream.close();
    await this.started.registration.stop();
  }

  passTime(seconds: number): void {
    this.started.gateway.clock.advanceSeconds(seconds);
    this.started.upstream.moveClock?.(seconds * 1000);
  }

  createBrowser(): Browser {
    const now = (): number => this.started.gateway.clock.now().getTime();
    const outside = [CALLBACK, findIssuer(PROVIDER), SERVICE];
    return new PlainBrowser({ now, stopAt: ({ href }) => outside.some((start) => href.startsWith(start)) });
  }

  /** Writes the rows directly and uses the same hash for everybody, because other tests cover the forms and checks of a set-up. */
  async createPerson(...has: ('app' | 'passkey')[]): Promise<RealPerson> {
    const { gateway } = this.started;
    const passwords = gateway.get(SetPassword);
    const hash = await (this.#hash ??= passwords.hash(PASSWORD));
    const account = await gateway.get(Accounts).create({ username: `person.${(count += 1)}`, displayName: 'A person' });
    const seed = has.includes('app') ? generateSecret() : null;
    await gateway.database.transaction(async (trx) => {
      await passwords.write({ account, hash, by: BY }, trx);
      if (seed) await gateway.get(TotpFactor).transfer.insert(new Map([[account.id, seed]]), trx);
    });
    const identity = { issuer: findIssuer(PROVIDER), subject: account.id, label: null };
    const connection = { accountId: account.id, provider: PROVIDER, providerName: PROVIDER, identity, by: BY };
    await gateway.get(ExternalIdentities).connect(connection);
    const passkey = has.includes('passkey') ? await new PasskeyStory(gateway).createHolder({ account }) : null;
    return {
      account,
      password: PASSWORD,
      app: seed === null ? null : new TotpApp(seed, gateway.clock),
      passkey,
      isConnected: true,
    };
  }

  createName(): string {
    return `new.person.${(count += 1)}`;
  }

  /** @returns null if nobody has registered with this username */
  async findRegistered(username: string): Promise<RealPerson | null> {
    const account = await this.started.gateway.get(Accounts).findByUsername(username);
    return account && { account, password: null, app: null, passkey: null, isConnected: false };
  }

  /** Resets the password with a link, as after "Forgot password?". */
  async resetPassword(person: RealPerson): Promise<void> {
    person.password = `${PASSWORD} ${(count += 1)}`;
    const resets = this.started.gateway.get(PasswordResets);
    const { secret: token } = await resets.issue(person.account, BY);
    const done = await resets.reset({ token, password: person.password, by: BY });
    if (done.kind !== 'done') throw new Error(done.kind);
  }

  async setActive({ account }: RealPerson, isActive: boolean): Promise<void> {
    await this.started.gateway.get(Accounts).setStatus(account.id, isActive ? 'active' : 'disabled', BY);
  }

  /** Sets an authenticator app up, or removes it. */
  async setApp(person: RealPerson, wanted: boolean): Promise<void> {
    const { account } = person;
    const { clock } = this.started.gateway;
    const factor = new TotpUnderTest(this.started.gateway.get(TotpFactor));
    if (!wanted) {
      await factor.remove({ accountId: account.id, by: BY, mayBeLast: true });
      person.app = null;
      return;
    }
    const setUp = { account, boundTo: 'model' };
    const begun = await factor.begin(setUp);
    if (typeof begun === 'string') throw new Error(begun);
    person.app = new TotpApp(begun.secret, clock);
    const added = await factor.confirm({ ...setUp, code: person.app.code(), onlyFirst: false, by: BY });
    if (added.kind !== 'added') throw new Error(added.kind);
  }

  /** @returns a code that was not typed before; a wrong code if the person has no authenticator app */
  generateCode({ app }: RealPerson, isRight: boolean): string {
    this.passTime(PERIOD_SECONDS);
    if (app === null) return '000000';
    return isRight ? app.code() : app.wrongCode();
  }

  hasForm(page: Page, action: string): boolean {
    return this.findForm(page, {}, action) !== null;
  }

  /** @returns null if the page does not have a form with these fields */
  findForm(page: Page, fields: Fields, action?: string): FilledForm | null {
    try {
      const form = findForm(page.html, Object.keys(fields), action);
      return { action: form.action, fields: { ...form.fields, ...fields } };
    } catch {
      return null;
    }
  }

  /** @returns the form that the script of the page submits; null if the page does not ask for a passkey */
  buildPasskeyForm(page: Page, person: RealPerson, deviation: AssertionDeviation): FilledForm | null {
    const state = toState(page.html);
    const [request, passkey] = [state?.page === 'login' && state.login.passkey?.request, person.passkey];
    if (!request || !passkey || state?.page !== 'login') return null;
    const { xsrf_token, login_challenge, ticket } = state.login;
    const answer = passkey.answer(request, deviation);
    const fields = { [FIELDS.xsrf]: xsrf_token, [FIELDS.loginChallenge]: login_challenge, [FIELDS.ticket]: ticket };
    return { action: PATHS.loginPasskey, fields: { ...fields, [FIELDS.passkey]: answer } };
  }

  /** @returns null if the page does not link to the provider */
  findProviderUrl(page: Page): URL | null {
    const state = toState(page.html);
    if (state?.page !== 'login' || !state.login.providers?.some(({ id }) => id === PROVIDER)) return null;
    const url = new URL(`${PATHS.login}/${PROVIDER}`, page.url);
    url.searchParams.set(FIELDS.loginChallenge, state.login.login_challenge);
    return url;
  }

  async signInAtProvider(browser: Browser, url: URL, { account }: RealPerson): Promise<Page> {
    const page = await browser.go(url);
    if (page.url.origin !== findIssuer(PROVIDER)) return page;
    const answer = new URL(`${url.origin}${PATHS.login}/${PROVIDER}${SERVER_PATHS.providerCallback}`);
    answer.search = new URLSearchParams(this.started.providers.signsIn(page.url.href, account.id)).toString();
    return browser.go(answer);
  }

  /** @returns the id of the waiting sign-in in the registration ticket; null if the browser is not at the registration service */
  readTicket({ url }: Page): string | null {
    const ticket = url.href.startsWith(SERVICE) ? url.searchParams.get('ticket') : null;
    return ticket && String(decodeJwt(ticket)['txn']);
  }

  /** Returns from the registration service. @param claims the answer of the service */
  async comeBack(browser: Browser, { txn, claims }: { txn: string; claims: object }, clicks: Clicks): Promise<Page> {
    const { origin, gateway, registration } = this.started;
    const url = new URL(PATHS.registerCallback, origin);
    url.searchParams.set('answer', await registration.answer(gateway, { ticket: { txn } }, { ...claims }));
    if (clicks === 'one') return browser.go(url);
    const first = browser.send(url, {});
    if (clicks === 'late') await first;
    const [shown] = await Promise.all([browser.go(url), first]);
    return shown;
  }

  /** Submits the form. With two clicks, the browser submits it again, at once or after the first answer, and follows only the second answer. */
  async click(
    browser: Browser,
    { page, form: { action, fields } }: { page: Page; form: FilledForm },
    clicks: Clicks,
  ): Promise<Page> {
    if (clicks === 'one') return browser.submit(page, action, fields);
    const first = browser.submitAndLeave(page, action, fields);
    if (clicks === 'late') await first;
    const [shown] = await Promise.all([browser.submit(page, action, fields), first]);
    return shown;
  }

  /** Redeems the code that the client received. @param codes the codes that it received before */
  async toShown(page: Page, client: OAuthClient, codes: Map<string, ShownPage>): Promise<Shown> {
    const accepted = this.started.hydra.takeAccepted();
    return { ...(await this.#toShownPage(page, client, codes)), accepted };
  }

  async #toShownPage(page: Page, client: OAuthClient, codes: Map<string, ShownPage>): Promise<ShownPage> {
    const { url, status, html } = page;
    if (url.href.startsWith(SERVICE)) return { page: 'service', status, hasNextStep: true };
    if (!url.href.startsWith(CALLBACK)) {
      const state = toState(html);
      const error = state?.page === 'login' ? state.login.error : null;
      const hasNextStep = /<(form|a) /.test(html.replace(/<footer.*<\/footer>/s, ''));
      // The consent page shows an error and no question, for example in another browser.
      const isRefused = state?.page === 'consent' && state.consent.error !== null;
      return { page: isRefused ? 'consent_refused' : (state?.page ?? 'none'), status, hasNextStep, error };
    }
    const clientError = url.searchParams.get('error');
    if (clientError !== null) return { page: 'app', status, hasNextStep: true, clientError };
    const code = url.searchParams.get('code') ?? '';
    const earlier = codes.get(code);
    if (earlier) return earlier;
    const { sub = '', acr, amr } = idClaims(await client.redeem(code));
    const shown: ShownPage = { page: 'app', status, hasNextStep: true, claims: { sub, acr: String(acr), amr: amr as string[] } };
    codes.set(code, shown);
    return shown;
  }
}

export type ShownPage = Omit<Shown, 'accepted'>;

/** Records the logins that Hydra accepts. */
class RecordingHydra extends OryHydraAdapter {
  #accepted: AcceptedLogin[] = [];

  override async acceptLogin(challenge: string, authentication: Authentication): Promise<string> {
    const redirect = await super.acceptLogin(challenge, authentication);
    const { subject: sub, acr, amr } = authentication;
    this.#accepted.push({ challenge, sub, acr, amr, result: JSON.stringify(authentication) });
    return redirect;
  }

  /** @returns the logins since the last call */
  takeAccepted(): AcceptedLogin[] {
    return this.#accepted.splice(0);
  }
}

/** Requests uncompressed pages, which saves a tenth of the time. */
class PlainBrowser extends Browser {
  override send(url: URL, init: RequestInit): Promise<Answer> {
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    return super.send(url, { ...init, headers });
  }
}

/** The forms, with the fields that a person fills in. */
export const FORMS = {
  password: (username: string, password: string, remember: boolean) => ({
    [FIELDS.username]: username,
    [FIELDS.password]: password,
    ...(remember ? { [FIELDS.remember]: 'true' } : {}),
  }),
  code: (code: string, trusts: boolean) => ({ [FIELDS.code]: code, ...(trusts ? { [FIELDS.trustBrowser]: 'true' } : {}) }),
  allow: PATHS.consentAccept,
  register: PATHS.register,
  signOut: PATHS.logoutAccept,
};

const CLIENT = {
  client_name: 'An app',
  client_secret: 'a secret of the model',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: 'openid offline',
  token_endpoint_auth_method: 'client_secret_basic',
};

function startGateway(
  { origin, port, upstream, providers, registration, hydra }: Omit<StartedInstallation, 'gateway' | 'plain' | 'strict'>,
  earlier?: InProcessGateway,
) {
  const { adminUrl, publicUrl } = upstream;
  return startTestGateway({
    port,
    hydra,
    identityProviders: providers,
    ...(earlier ? { earlier } : {}),
    config: ({ mfa, limits }) => ({
      ...{ publicUrl: origin, hydra: { adminUrl, publicUrl, timeoutMs: 30_000 } },
      ...registration.config(),
      mfa: { ...mfa, trustedBrowserDays: 30 },
      // All browsers of the model have the same address. Other tests cover the limits.
      limits: { ...limits, addressFailures: 1_000_000 },
    }),
  });
}
