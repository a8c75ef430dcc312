/** People with passkeys over HTTP: a registered one, the login page, and the form with an assertion. */
import type { Account } from '../../src/accounts/account/accounts.js';
import type { PasskeyRequest } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { PasskeyFactor } from '../../src/mfa/factors/passkey/passkey.factor.js';
import type { TestGateway } from './gateway.js';
import { call, loginFields, type Waiting } from './second-step.js';
import { SyntheticKey, type AssertionDeviation, type SyntheticKeyOptions } from './synthetic-key.js';
import type { TestBrowser, TestPage } from './test-browser.js';

/** The flags of WebAuthn with which authenticators describe themselves. */
export const FLAGS = {
  device: ['up', 'uv'],
  synced: ['up', 'uv', 'be', 'bs'],
} as const;

type Flags = NonNullable<AssertionDeviation['flags']>;

export class TestPasskey {
  constructor(
    readonly account: Account,
    readonly key: SyntheticKey,
    readonly handle: string,
    readonly flags: Flags,
  ) {}

  /** The browser's response, as JSON. */
  answer({ challenge }: PasskeyRequest, deviation: AssertionDeviation = {}): string {
    return JSON.stringify(this.key.assert(challenge, { flags: this.flags, userHandle: this.handle, ...deviation }));
  }
}

export interface OpenedLogin {
  browser: TestBrowser;
  challenge: string;
  page: TestPage;
  fields: Record<string, string>;
  request: PasskeyRequest;
}

let count = 0;

export class PasskeyStory {
  constructor(private readonly gateway: TestGateway) {}

  /** @param account an existing account; by default a new one with a password */
  async createHolder({
    account,
    flags = FLAGS.device,
    ...options
  }: { account?: Account; flags?: Flags } & Partial<SyntheticKeyOptions> = {}): Promise<TestPasskey> {
    const { gateway } = this;
    const owner = account ?? (await gateway.account(`holder.${(count += 1)}`));
    const { publicUrl, passkeys } = gateway.config;
    const key = new SyntheticKey({ origin: new URL(publicUrl).origin, rpId: passkeys.rpId, counter: 1, ...options });
    const factor = gateway.get(PasskeyFactor);
    const slot = { account: owner, boundTo: 'area:test' };
    const begun = await factor.begin(slot);
    if (begun.kind !== 'begun') throw new Error(JSON.stringify(begun));
    const { state } = begun;
    const { challenge, user } = state.publicKey as { challenge: string; user: { id: string } };
    const credentialJson = key.register(challenge, { flags, format: 'none' });
    const setUp = { ...slot, onlyFirst: false, auditContext: { actor: 'person' } as const };
    const added = await factor.confirm(setUp, { sessionId: state.sessionId, credentialJson });
    if (added.kind !== 'added') throw new Error(JSON.stringify(added));
    return new TestPasskey(owner, key, user.id, flags);
  }

  /** Opens the login page of a new request. */
  async openLogin(more: Partial<LoginRequest> = {}, browser = this.gateway.browser()): Promise<OpenedLogin> {
    const challenge = more.challenge ?? `passkey-${(count += 1)}`;
    this.gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}`, ...more });
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    const request = page.state('login').login.passkey?.request;
    if (!request) throw new Error('The page offers no passkey.');
    return { browser, challenge, page, fields: loginFields(page), request };
  }

  /** Submits the form with the assertion of this passkey. */
  post(opened: OpenedLogin, passkey: TestPasskey, deviation: AssertionDeviation = {}): Promise<TestPage> {
    return opened.browser.post(PATHS.loginPasskey, { ...opened.fields, passkey: passkey.answer(opened.request, deviation) });
  }

  /** Proves the passkey on the page of the second factor. */
  async proveStep(waiting: Waiting, passkey: TestPasskey): Promise<TestPage> {
    const path = `${PATHS.mfaVerify.replace('verify', 'init')}-passkey`;
    const { publicKey } = (await call(waiting, path)).body as unknown as { publicKey: PasskeyRequest };
    const assertion = JSON.parse(passkey.answer(publicKey)) as unknown;
    const { body } = await call(waiting, `${PATHS.mfaVerify}-passkey`, assertion);
    return waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
  }

  async signIn(passkey: TestPasskey, more: Partial<LoginRequest> = {}, browser?: TestBrowser) {
    const opened = await this.openLogin(more, browser);
    const page = await this.post(opened, passkey);
    return {
      ...opened,
      page,
      accepted: this.findAccepted(opened.challenge)[0],
      rejected: this.findRejected(opened.challenge)[0],
    };
  }

  findAccepted(challenge: string) {
    return this.gateway.hydra.calls.flatMap((call) =>
      call.call === 'acceptLogin' && call.challenge === challenge ? [call] : [],
    );
  }

  findRejected(challenge: string) {
    return this.gateway.hydra.calls.flatMap((call) =>
      call.call === 'rejectLogin' && call.challenge === challenge ? [call] : [],
    );
  }
}
