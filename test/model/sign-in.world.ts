/** Runs the real gateway with the embedded upstream, and browsers that fill in its forms, for the model of signing in. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { generateSecret } from 'otplib';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AccountError } from '../../src/accounts/account/account.errors.js';
import { ApproveSignUp } from '../../src/accounts/changes/approve-sign-up.js';
import { Invitations } from '../../src/accounts/changes/invitations.js';
import { ApplicationNotFound, SignUpApplications } from '../../src/accounts/changes/sign-up-applications.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { BreachedListWriter } from '../../src/accounts/password/breached-list.js';
import { RequiredPasswords } from '../../src/accounts/password/required-password.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import type { Terms } from '../../src/config/config.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageState } from '../../src/contract/page-state.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { INVITATION_PATH, toDetailField } from '../../src/contract/registration-state.js';
import { TASK_FIELDS } from '../../src/contract/task-state.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import type { Authentication, Rejection } from '../../src/hydra/hydra.port.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { FakeIdentityProviders, findIssuer } from '../../src/providers/fake-identity-providers.js';
import { Browser, type Page } from '../../test-kit/browser.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
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
import type { AcceptedLogin, RegistrationMode, Shown, TermsChoice } from './sign-in.facts.js';

/** No server listens at this address; the test reads the code from the address. */
const CALLBACK = 'http://127.0.0.1:2/callback';
/** A code of an authenticator app is valid once, so each code is typed in a new period. */
const PERIOD_SECONDS = 60;
const BY = { actor: 'system' } as const;
/** A password in the list of breached ones. */
const BREACHED = 'Blaubeere-Kutsche-7';
/** Two versions of a password, and two ends of all access, differ by their times. */
export const CHANGE_SECONDS = 1;
const RESTART_WITHIN_MS = 60_000;
let count = 0;

export type Clicks = 'one' | 'two' | 'late';

interface StartedInstallation {
  mode: RegistrationMode;
  /** Where the list of breached passwords is. */
  folder: string;
  /** The setting of the gateway, whose content changes. */
  terms: Terms[];
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
  /** Codes to sign in that were requested since the person has entered one: only the first five are mailed. */
  requestedCodes: number;
}

/** The codes that are mailed: to sign in, and to prove the address of a sign-up. */
export type CodeMail = 'sign-in-code' | 'sign-up-code';

/** A filled-in form of a page. */
export interface FilledForm {
  action: string;
  fields: Fields;
}

/** One of the fake providers. */
const PROVIDER = 'google';

export class SignInWorld {
  readonly #hashes = new Map<string, Promise<string>>();

  private constructor(readonly started: StartedInstallation) {}

  static async start(mode: RegistrationMode): Promise<SignInWorld> {
    const [port = 0] = await findFreePorts(1);
    const folder = await writeBreachedList();
    const origin = `http://127.0.0.1:${port}`;
    const upstream = await embeddedLeg.start({ urls: toServedUrls(origin) });
    const providers = new FakeIdentityProviders();
    const registration = await new TestRegistrationService().start();
    const hydra = new RecordingHydra({ adminUrl: upstream.adminUrl, publicUrl: upstream.publicUrl, timeoutMs: 30_000 });
    const settings = { mode, folder, terms: [], origin, port, upstream, providers, registration, hydra };
    const gateway = await startGateway(settings);
    const admin = new AdminApi(upstream.adminUrl);
    const register = async (metadata: object): Promise<OAuthClient> => {
      const { client_id: clientId } = await admin.createClient({ ...CLIENT, metadata });
      return new OAuthClient(upstream.publicUrl, { clientId, clientSecret: CLIENT.client_secret, redirectUri: CALLBACK });
    };
    const [plain, strict] = [await register({}), await register({ foyer: { mfa: 'required' } })];
    return new SignInWorld({ ...settings, gateway, plain, strict });
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
    rmSync(this.started.folder, { recursive: true });
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
  async createPerson(...has: ('app' | 'passkey' | 'breached password')[]): Promise<RealPerson> {
    const { gateway } = this.started;
    const password = has.includes('breached password') ? BREACHED : PASSWORD;
    const hash = await this.#hash(password);
    const username = `person.${(count += 1)}`;
    const address = { email: `${username}@example.org`, emailVerified: true };
    const account = await gateway.get(Accounts).create({ username, displayName: 'A person', ...address });
    const seed = has.includes('app') ? generateSecret() : null;
    await gateway.database.transaction(async (trx) => {
      await gateway.get(SetPassword).write({ account, hash, auditContext: BY }, trx);
      if (seed) await gateway.get(TotpFactor).transfer.insert(new Map([[account.id, seed]]), trx);
    });
    const identity = { issuer: findIssuer(PROVIDER), subject: account.id, label: null };
    const connection = { accountId: account.id, provider: PROVIDER, providerName: PROVIDER, identity, auditContext: BY };
    await gateway.get(ExternalIdentities).connect(connection);
    const passkey = has.includes('passkey') ? await new PasskeyStory(gateway).createHolder({ account }) : null;
    return {
      account,
      password,
      requestedCodes: 0,
      app: seed === null ? null : new TotpApp(seed, gateway.clock),
      passkey,
      isConnected: true,
    };
  }

  /** @returns the hash of a password, computed once */
  #hash(password: string): Promise<string> {
    const known = this.#hashes.get(password);
    if (known) return known;
    const hash = this.started.gateway.get(SetPassword).hash(password);
    this.#hashes.set(password, hash);
    return hash;
  }

  createName(): string {
    return `new.person.${(count += 1)}`;
  }

  createAddress(): string {
    return `${this.createName()}@example.org`;
  }

  /** A password that nobody has. */
  createPassword(): string {
    return `${PASSWORD} ${(count += 1)}`;
  }

  /** @returns null if nobody has registered with this username */
  async findRegistered(username: string): Promise<RealPerson | null> {
    const account = await this.started.gateway.get(Accounts).findByUsername(username);
    return account && { account, password: null, app: null, passkey: null, isConnected: false, requestedCodes: 0 };
  }

  /** @returns null if no account has this address */
  async findByAddress(address: string): Promise<RealPerson | null> {
    const find = this.started.gateway.database.db.selectFrom('account').select('username').where('email', '=', address);
    const row = await find.executeTakeFirst();
    return row ? this.findRegistered(row.username) : null;
  }

  /** @returns the application that waits with this address; null if there is none */
  async findApplication(address: string): Promise<{ id: string; hash: string } | null> {
    const find = this.started.gateway.database.db.selectFrom('sign_up_application').select(['id', 'hash']);
    return (await find.where('email', '=', address).executeTakeFirst()) ?? null;
  }

  async readPasswordHash({ account }: RealPerson): Promise<string | null> {
    const find = this.started.gateway.database.db.selectFrom('password_credential').select('hash');
    return (await find.where('account_id', '=', account.id).executeTakeFirst())?.hash ?? null;
  }

  /** @returns false if the application was decided before, or the address has an account */
  async approve(id: string): Promise<boolean> {
    return (await this.started.gateway.get(ApproveSignUp).approve(id, {}, BY).catch(toRefused)) !== null;
  }

  /** @returns false if the application was decided before */
  async refuse(id: string): Promise<boolean> {
    const refused = this.started.gateway.get(SignUpApplications).refuse(id, {}, BY);
    return (await refused.then(() => true).catch(toRefused)) ?? false;
  }

  /** An operator invites somebody. @returns the id; null if the address has an account or an open invitation */
  async invite(address: string): Promise<string | null> {
    const invited = this.started.gateway.get(Invitations).create({ email: address }, { invitedBy: 'operator:model' }, BY);
    return (await invited.catch(toRefused))?.id ?? null;
  }

  /** @returns false if the invitation has ended, or the address has an account */
  async resend(id: string): Promise<boolean> {
    const invitations = this.started.gateway.get(Invitations);
    const invitation = await invitations.find(id);
    if (!invitation) throw new Error('There is no such invitation.');
    return (await invitations.resend(invitation, {}, BY).catch(toRefused)) !== null;
  }

  /** @returns false if the invitation had ended before */
  withdraw(id: string): Promise<boolean> {
    return this.started.gateway.get(Invitations).withdraw(id, BY);
  }

  /** @returns the token of the newest invitation that was mailed to this address since the last call; null if there is none */
  async readInvitation(address: string): Promise<string | null> {
    return this.#readMail('join-invitation', address, 'token');
  }

  toInvitationUrl(token: string): URL {
    const url = new URL(INVITATION_PATH, this.started.origin);
    url.searchParams.set(FIELDS.linkToken, token);
    return url;
  }

  /** @returns the newest code that was mailed to this address since the last call; null if there is none */
  async readCode(kind: CodeMail, address: string): Promise<string | null> {
    await this.started.gateway.get(RequestedMails).waitForAll();
    return this.#readMail(kind, address, 'code');
  }

  async #readMail(kind: string, address: string, value: 'code' | 'token'): Promise<string | null> {
    const { gateway } = this.started;
    const claims = gateway.get(OutboxClaims);
    const mails = [];
    for (let some = await claims.claim(100); some.length > 0; some = await claims.claim(100)) {
      for (const mail of some) await claims.markSent(mail);
      mails.push(...some);
    }
    const sent = mails
      .filter((mail) => mail.kind === kind && mail.recipient === address)
      .toSorted((one, other) => one.id - other.id);
    return (sent.at(-1)?.values[value] as string | undefined) ?? null;
  }

  /** @returns the time at which the password was set last, as a text */
  async readPasswordVersion({ account }: RealPerson): Promise<string> {
    const find = this.started.gateway.database.db.selectFrom('password_credential').select('changed_at');
    const row = await find.where('account_id', '=', account.id).executeTakeFirst();
    return String(row?.changed_at.getTime());
  }

  /** Puts this version of the terms in force, or none. `from` and `laterUntil` are in minutes from now. */
  setTerms(published: { version: number; from: number; laterUntil: number } | null): void {
    const { terms, gateway } = this.started;
    terms.splice(0);
    if (published === null) return;
    const toDate = (minutes: number): Date => new Date(gateway.clock.now().getTime() + minutes * 60_000);
    const text = toTermsText(published.version);
    const texts = [{ locale: 'en', title: text, text, sha256: toHash(text) }];
    const times = { from: toDate(published.from), laterUntil: toDate(published.laterUntil) };
    terms.push({ id: TERMS, version: String(published.version), texts, ...times });
  }

  async hasAcceptedTerms({ account }: RealPerson, version: number): Promise<boolean> {
    const find = this.started.gateway.database.db.selectFrom('account').select('accepted_terms');
    const row = await find.where('id', '=', account.id).executeTakeFirst();
    return row?.accepted_terms[TERMS]?.includes(String(version)) === true;
  }

  async requirePassword({ account }: RealPerson): Promise<void> {
    await this.started.gateway.get(RequiredPasswords).require(account, BY);
  }

  /** Resets the password with a link, as after "Forgot password?". */
  async resetPassword(person: RealPerson): Promise<void> {
    person.password = this.createPassword();
    this.passTime(CHANGE_SECONDS);
    const resets = this.started.gateway.get(PasswordResets);
    const { secret: token } = await resets.issue(person.account, BY);
    const done = await resets.reset({ token, password: person.password, auditContext: BY });
    if (done.kind !== 'done') throw new Error(done.kind);
  }

  async setActive({ account }: RealPerson, isActive: boolean): Promise<void> {
    this.passTime(CHANGE_SECONDS);
    await this.started.gateway.get(Accounts).setStatus(account.id, isActive ? 'active' : 'disabled', BY);
  }

  /** Sets an authenticator app up, or removes it. */
  async setApp(person: RealPerson, wanted: boolean): Promise<void> {
    const { account } = person;
    const { clock } = this.started.gateway;
    const factor = new TotpUnderTest(this.started.gateway.get(TotpFactor));
    if (!wanted) {
      await factor.remove({ accountId: account.id, auditContext: BY, mayBeLast: true });
      person.app = null;
      return;
    }
    const setUp = { account, boundTo: 'model' };
    const begun = await factor.begin(setUp);
    if (typeof begun === 'string') throw new Error(begun);
    person.app = new TotpApp(begun.secret, clock);
    const added = await factor.confirm({ ...setUp, code: person.app.code(), onlyFirst: false, auditContext: BY });
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

  /** @returns the form of the terms, and the version that it names; null if the page has none */
  findTermsForm(page: Page, choice: TermsChoice): { form: FilledForm; version: number } | null {
    const state = toState(page.html);
    const form = this.findForm(page, {}, PATHS.loginTask);
    if (state?.page !== 'task' || state.task.kind !== 'terms' || !form) return null;
    const fields = { ...form.fields };
    if (choice === 'accept') fields[TASK_FIELDS.accepted] = 'true';
    if (choice === 'later' || choice === 'cancel') fields[FIELDS.proceed] = choice;
    return { form: { ...form, fields }, version: toVersion(state.task.text) };
  }

  /** @returns the form as if its page had shown this version */
  replaceVersion(form: FilledForm, version: number): FilledForm {
    return { ...form, fields: { ...form.fields, [TASK_FIELDS.termsHash]: toHash(toTermsText(version)) } };
  }

  /** @returns the address of the form that requests a code by mail; null if the page does not offer one */
  findCodeUrl(page: Page): URL | null {
    const state = toState(page.html);
    if (state?.page === 'login' && state.login.code_url !== undefined)
      return new URL(`${state.login.code_url}&status=ask`, page.url);
    if (state?.page !== 'mailed_code' || state.mailed_code.status === 'not-enough') return null;
    return state.mailed_code.status === 'code' ? new URL(state.mailed_code.again_url, page.url) : page.url;
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
    answer.search = new URLSearchParams(this.started.providers.signIn(page.url.href, account.id)).toString();
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
    // The second of two requested mails has the code that counts, so the first is queued first.
    if (clicks === 'late') await this.started.gateway.get(RequestedMails).waitForAll();
    const [shown] = await Promise.all([browser.submit(page, action, fields), first]);
    return shown;
  }

  /** Redeems the code that the client received. @param codes the codes that it received before */
  async toShown(page: Page, client: OAuthClient, codes: Map<string, ShownPage>): Promise<Shown> {
    return { ...(await this.#toShownPage(page, client, codes)), ...this.started.hydra.takeAnswers() };
  }

  async #toShownPage(page: Page, client: OAuthClient, codes: Map<string, ShownPage>): Promise<ShownPage> {
    const { url, status, html } = page;
    if (url.href.startsWith(SERVICE)) return { page: 'service', status, hasNextStep: true };
    if (!url.href.startsWith(CALLBACK)) {
      const state = toState(html);
      const error = state?.page === 'login' ? state.login.error : null;
      const hasNextStep = /<(form|a) /.test(html.replace(/<footer.*<\/footer>/s, ''));
      return { page: toPageName(state), status, hasNextStep, error };
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

export type ShownPage = Omit<Shown, 'accepted' | 'declined'>;

/** @param state null for an answer that is not a page of Foyer @returns the name as in `Shown` */
export function toPageName(state: PageState | null): string {
  if (state === null) return 'none';
  switch (state.page) {
    case 'consent':
      // The page shows an error and no question, for example in another browser.
      return state.consent.error === null ? 'consent' : 'consent_refused';
    case 'task':
      return `task_${state.task.kind}`;
    case 'mailed_code':
      return `mailed_code_${state.mailed_code.status}`;
    case 'registration':
      return SIGN_UP_STATES.includes(state.registration.status) ? `sign_up_${state.registration.status}` : 'registration';
    default:
      return state.page;
  }
}

/** Records the logins that Hydra accepts, and those that it rejects because the person has declined. */
class RecordingHydra extends OryHydraAdapter {
  #accepted: AcceptedLogin[] = [];
  #declined: string[] = [];

  override async acceptLogin(challenge: string, authentication: Authentication): Promise<string> {
    const redirect = await super.acceptLogin(challenge, authentication);
    const { subject: sub, acr, amr } = authentication;
    this.#accepted.push({ challenge, sub, acr, amr, result: JSON.stringify(authentication) });
    return redirect;
  }

  override async rejectLogin(challenge: string, rejection: Rejection): Promise<string> {
    const redirect = await super.rejectLogin(challenge, rejection);
    if (rejection.code === 'access_denied') this.#declined.push(challenge);
    return redirect;
  }

  /** @returns the answers since the last call */
  takeAnswers(): Pick<Shown, 'accepted' | 'declined'> {
    return { accepted: this.#accepted.splice(0), declined: this.#declined.splice(0) };
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
  details: (email: string) => ({ [toDetailField('email')]: email }),
  mailedCode: (code: string) => ({ [FIELDS.code]: code }),
  newPassword: (password: string, repetition: string) => ({
    [FIELDS.password]: password,
    [FIELDS.passwordRepeat]: repetition,
  }),
  name: (username: string) => ({ [FIELDS.username]: username }),
  allow: PATHS.consentAccept,
  register: PATHS.register,
  signOut: PATHS.logoutAccept,
};

const SIGN_UP_STATES = ['details', 'code', 'password', 'exists', 'waits'];
const OWN = { fields: [], domains: [], deniedDomains: [], codesPerHour: 1_000_000 };
const SIGN_UP = { own: OWN, approval: { ...OWN, approval: { days: 30, maxWaiting: 1_000_000 } } };
/** The id of the terms. */
const TERMS = 'use';
/** The list of breached passwords, in its folder. */
const LIST = 'breached';

const CLIENT = {
  client_name: 'An app',
  client_secret: 'a secret of the model',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: 'openid offline',
  token_endpoint_auth_method: 'client_secret_basic',
};

/** @returns null for what the operator is told; rethrows any other error */
function toRefused(error: unknown): null {
  if (error instanceof AccountError || error instanceof ApplicationNotFound) return null;
  throw error;
}

function toTermsText(version: number): string {
  return `Terms of use, version ${version}`;
}

function toVersion(text: string): number {
  return Number(text.split(' ').at(-1));
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** @returns the folder of the list */
async function writeBreachedList(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-model-'));
  const list = await BreachedListWriter.create(join(folder, LIST));
  await list.add(createHash('sha1').update(BREACHED).digest('hex').toUpperCase());
  await list.finish({ minCount: 1, builtAt: new Date() });
  return folder;
}

function startGateway(
  {
    mode,
    folder,
    terms,
    origin,
    port,
    upstream,
    providers,
    registration,
    hydra,
  }: Omit<StartedInstallation, 'gateway' | 'plain' | 'strict'>,
  earlier?: InProcessGateway,
) {
  const { adminUrl, publicUrl } = upstream;
  return startTestGateway({
    port,
    hydra,
    identityProviders: providers,
    ...(earlier ? { earlier } : {}),
    config: ({ mfa, limits, login, password }) => ({
      ...{ publicUrl: origin, hydra: { adminUrl, publicUrl, timeoutMs: 30_000 } },
      ...(mode === 'service' ? registration.config() : { registration: { hintNames: [], signUp: SIGN_UP[mode] } }),
      terms,
      login: { ...login, codes: 'on' },
      password: { ...password, breachedList: join(folder, LIST) },
      mfa: { ...mfa, trustedBrowserDays: 30 },
      // All browsers of the model have the same address. Other tests cover the limits.
      limits: { ...limits, addressFailures: 1_000_000 },
    }),
  });
}
