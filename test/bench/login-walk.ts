/** One whole login of one person in steps, so that each step can be measured separately. */
import type { Agent } from 'node:http';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { BrowserClient, toText, type ReceivedResponse } from './browser-client.js';
import { buildAssertion, type BenchPasskey } from './passkeys.js';

/** `consent` asks the person for consent; `skipConsent` has a client that is registered with `skip_consent` (Hydra). */
export type WalkKind = 'consent' | 'skipConsent';

export interface Route {
  kind: WalkKind;
  /** The address to which the app redirects the person. */
  authorizationUrl: string;
  /** The gateway's public origin. */
  gateway: string;
  /** The redirect URI, which receives the code. */
  callback: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  tokenUrl: string;
}

export type Routes = Readonly<Record<WalkKind, Route>>;

export interface Person {
  username: string;
  password: string;
  /** If present, the person signs in with the passkey instead of the password. */
  passkey?: BenchPasskey;
  /** IP address of the person. */
  address: string;
  /** Cookie of a known device. */
  device?: string;
}

export class UnexpectedAnswer extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The requests to the gateway in one login. Between them are redirects of the upstream. */
export const GATEWAY_STEPS = {
  consent: ['loginPage', 'login', 'consentPage', 'consent'],
  skipConsent: ['loginPage', 'login', 'skippedConsent'],
} as const satisfies Record<WalkKind, readonly string[]>;
export type GatewayStep = (typeof GATEWAY_STEPS)[WalkKind][number];

const MAX_REDIRECTS = 6;
const DEVICE_COOKIE = '__Host-foyer-device';

export class LoginWalk {
  readonly #browser: BrowserClient;
  #next: URL;
  #fields: [string, string][] = [];

  constructor(
    private readonly route: Route,
    private readonly person: Person,
    agent: Agent,
  ) {
    this.#browser = new BrowserClient(agent, person.address);
    this.#next = new URL(route.authorizationUrl);
    if (person.device !== undefined) this.#browser.setCookie(route.gateway, person.device);
  }

  /** The current address; after `begin`, the address of the login page. */
  get url(): string {
    return this.#next.href;
  }

  /** The cookie by which the gateway knows this browser in its next sign-in. */
  get device(): string {
    return this.#browser.getCookie(this.route.gateway, DEVICE_COOKIE);
  }

  /** Sends the form of the login page for somebody else. @returns status of the answer */
  async guess({ username, password, address }: Person): Promise<number> {
    const proof: readonly string[] = [FIELDS.username, FIELDS.password];
    const hidden = this.#fields.filter(([name]) => !proof.includes(name));
    this.#browser.address = address;
    const fields = [...hidden, [FIELDS.username, username], [FIELDS.password, password]] as const;
    return (await this.#browser.post(new URL(PATHS.loginNative, this.#next), fields)).status;
  }

  /** Follows the redirects from the app through the upstream to the gateway. */
  async begin(): Promise<this> {
    await this.#walkTo(this.route.gateway);
    return this;
  }

  /** @returns the code that the app receives */
  async complete(): Promise<string> {
    await this.begin();
    for (const step of GATEWAY_STEPS[this.route.kind]) await this.#takeStep(step);
    return this.#next.searchParams.get('code') ?? '';
  }

  async #takeStep(step: GatewayStep): Promise<void> {
    await this.requestGateway(step);
    await this.followUpstream(step);
  }

  /** Performs the request to the gateway with this trace context. */
  async requestTraced(step: GatewayStep, traceparent: string): Promise<void> {
    this.#browser.traceparent = traceparent;
    await this.requestGateway(step).finally(() => (this.#browser.traceparent = undefined));
  }

  /** Performs the part of a step at the gateway. */
  async requestGateway(step: GatewayStep): Promise<void> {
    switch (step) {
      case 'loginPage': {
        const { login } = await this.#openPage('login');
        this.#fields = [
          [FIELDS.xsrf, login.xsrf_token],
          [FIELDS.loginChallenge, login.login_challenge],
          [FIELDS.ticket, login.ticket],
          ...this.#buildProof(login.passkey?.request.challenge ?? ''),
        ];
        return;
      }
      case 'login':
        return this.#post(this.person.passkey ? PATHS.loginPasskey : PATHS.loginNative);
      case 'consentPage': {
        const { consent } = await this.#openPage('consent');
        this.#fields = [
          [FIELDS.xsrf, consent.xsrf_token],
          [FIELDS.consentChallenge, consent.consent_challenge],
          [FIELDS.ticket, consent.ticket],
          ...consent.scopes.map(({ id }): [string, string] => [FIELDS.scopes, id]),
        ];
        return;
      }
      case 'consent':
        return this.#post(PATHS.consentAccept);
      case 'skippedConsent':
        return this.#followRedirect(await this.#browser.get(this.#next), this.#next);
    }
  }

  /** Performs the part of a step at the upstream. */
  async followUpstream(step: GatewayStep): Promise<void> {
    if (step === 'login') await this.#walkTo(this.route.gateway);
    if (step !== 'consent' && step !== 'skippedConsent') return;
    await this.#walkTo(this.route.callback);
    if (!this.#next.searchParams.has('code')) throw new Error(`The app received no code but ${this.#next.search}.`);
  }

  #buildProof(challenge: string): [string, string][] {
    const { passkey, username, password } = this.person;
    if (passkey) return [[FIELDS.passkey, buildAssertion(passkey, challenge, new URL(this.route.gateway).origin)]];
    return [
      [FIELDS.username, username],
      [FIELDS.password, password],
    ];
  }

  async #openPage<Page extends 'login' | 'consent'>(page: Page): Promise<Extract<PageState, { page: Page }>> {
    const received = await this.#browser.get(this.#next);
    const state = received.status === 200 ? toState(toText(received)) : null;
    if (state?.page !== page)
      throw new UnexpectedAnswer(received.status, `The answer is not the page ${page}: ${describe(received, this.#next)}`);
    return state as Extract<PageState, { page: Page }>;
  }

  async #post(path: string): Promise<void> {
    const target = new URL(path, this.#next);
    this.#followRedirect(await this.#browser.post(target, this.#fields), target);
  }

  async #walkTo(origin: string): Promise<void> {
    for (let hop = 0; hop < MAX_REDIRECTS && !this.#next.href.startsWith(origin); hop++) {
      this.#followRedirect(await this.#browser.get(this.#next), this.#next);
    }
    if (!this.#next.href.startsWith(origin)) throw new Error(`The redirects lead to ${this.#next.origin}, and not to ${origin}.`);
  }

  #followRedirect(received: ReceivedResponse, from: URL): void {
    if (received.location === null)
      throw new UnexpectedAnswer(received.status, `The answer is not a redirect: ${describe(received, from)}`);
    this.#next = new URL(received.location, from);
    const error = this.#next.searchParams.get('error');
    if (error !== null)
      throw new Error(`The upstream refused the request: ${error}, ${this.#next.searchParams.get('error_description') ?? ''}`);
  }
}

function describe(received: ReceivedResponse, { origin, pathname }: URL): string {
  return `${received.status} from ${origin}${pathname}: ${toText(received).slice(0, 600)}`;
}

export function toState(html: string): PageState | null {
  const attribute = /data-state="([^"]*)"/.exec(html)?.[1];
  if (attribute === undefined) return null;
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return JSON.parse(attribute.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => named[name] ?? '')) as PageState;
}
