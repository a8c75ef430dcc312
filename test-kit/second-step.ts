/**
 * Completes the second step of a sign-in. A code is sent in the form, as by a page without script; a security key uses the same calls as the
 * script of the page.
 */
import { CALL_HEADERS } from '../src/contract/form-fields.js';
import type { MfaVerificationState } from '../src/contract/mfa-state.js';
import { PATHS, SERVER_PATHS } from '../src/contract/paths.js';
import type { Browser, Page } from './browser.js';
import { KitError, SignInRefused } from './kit-error.js';
import type { Answer } from './page.js';
import type { Person } from './people.js';

export interface SecondStepChoice {
  /** The factor to use if the person has two. */
  factor?: 'totp' | 'fido2';
  /** The code to send instead of the correct code. */
  totp?: string;
}

type Call = (path: string, body?: object) => Promise<Record<string, unknown>>;

interface RequestedAssertion {
  challenge: string;
  userVerification: string;
}

export class SecondStep {
  constructor(
    private readonly browser: Browser,
    private readonly person: Person,
    private readonly choice: SecondStepChoice,
  ) {}

  /**
   * @throws KitError if the person has no factor for this step or an answer is not from Foyer, SignInRefused if Foyer refuses the security
   * key
   */
  async answer(page: Page): Promise<Page> {
    const { mfa_verification: state } = page.state('mfa_verification');
    const fields = { _xsrf: state.xsrf_token, login_challenge: state.login_challenge, ticket: state.ticket };
    const proof = await this.#buildProof(page, state);
    return this.browser.submit(page, PATHS.mfaVerify, { ...fields, ...proof });
  }

  async #buildProof(page: Page, state: MfaVerificationState): Promise<Record<string, string>> {
    const { totp, securityKey, username } = this.person;
    const factor = this.choice.factor ?? (state.totp_registered && totp ? 'totp' : 'fido2');
    if (state.view.startsWith('enrol')) return this.#enrol(page, state);
    if (factor === 'totp' && state.totp_registered && totp) {
      return { method: 'totp', code: this.choice.totp ?? (await totp.freshCode()) };
    }
    if (factor === 'fido2' && state.fido2_registered && securityKey) return this.#assert(page, state);
    const acceptedFactors = state.factors.filter(({ registered }) => registered).map(({ name }) => name);
    const ownFactors = [...(totp ? ['totp'] : []), ...(securityKey ? ['fido2'] : [])];
    throw new KitError(
      `${username} cannot answer the second step${this.choice.factor ? ` with ${factor}` : ''}: the page accepts ${toList(acceptedFactors)}, and the kit has ${toList(ownFactors)} of the person. ${proposePerson(acceptedFactors, this.choice.factor)} sets one up.`,
    );
  }

  async #assert(page: Page, state: MfaVerificationState): Promise<Record<string, string>> {
    const call = this.#buildCall(page, state.xsrf_token, state.token);
    const { publicKey } = (await call(SERVER_PATHS.mfaInitFido2)) as { publicKey: RequestedAssertion };
    const { token } = await call(SERVER_PATHS.mfaVerifyFido2, this.#buildAssertion(publicKey));
    return { mfa_token: String(token) };
  }

  /** The keys of the kit have a PIN, and verify the user if the request requires it. */
  #buildAssertion({ challenge, userVerification }: RequestedAssertion) {
    return this.person.securityKey?.assert(challenge, { flags: userVerification === 'required' ? ['up', 'uv'] : ['up'] });
  }

  /** Sets up a security key during a sign-in. An authenticator app is set up when the account is created. */
  async #enrol(page: Page, state: MfaVerificationState): Promise<Record<string, string>> {
    const { securityKey, username } = this.person;
    if (!securityKey) {
      const offeredFactors = state.factors.filter(({ offered }) => offered).map(({ name }) => name);
      throw new KitError(`${username} has to set up a second factor. Create the person with ${proposePerson(offeredFactors)}.`);
    }
    const call = this.#buildCall(page, state.xsrf_token, state.enrol_token ?? '');
    const { sessionId, challenge } = await call(`${PATHS.manageRpc}/mfa-init-fido2`);
    const credentialJson = JSON.stringify(securityKey.register(String(challenge), { flags: ['up', 'uv'] }));
    const { token } = await call(`${PATHS.manageRpc}/mfa-verify-fido2`, { sessionId, credentialJson });
    return { mfa_token: String(token) };
  }

  #buildCall(page: Page, xsrf: string, firstToken: string): Call {
    let token = firstToken;
    return async (path, body = {}) => {
      const answer = await this.browser.send(new URL(path, page.url), {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          [CALL_HEADERS.xsrf]: xsrf,
        },
      });
      token = answer.headers.get(CALL_HEADERS.nextToken) ?? token;
      const result = readJson(path, answer);
      if (answer.status === 200) return result;
      throw new SignInRefused('mfa_verification', String(result['error']), `Foyer refused the second factor: ${answer.html}`);
    };
  }
}

/** @throws KitError for an answer that does not come from Foyer */
function readJson(path: string, { status, html }: Answer): Record<string, unknown> {
  try {
    return JSON.parse(html) as Record<string, unknown>;
  } catch (error) {
    throw new KitError(`${path} answered ${status}, and not with JSON.`, { cause: error });
  }
}

/** Proposes the chosen factor, otherwise an authenticator app, unless a security key is the only factor of both that is possible. */
function proposePerson(possibleFactors: readonly string[], chosenFactor?: string): string {
  const possibleFactor = possibleFactors.includes('fido2') && !possibleFactors.includes('totp') ? 'fido2' : 'totp';
  return `createPerson({ secondFactor: '${chosenFactor ?? possibleFactor}' })`;
}

function toList(factors: readonly string[]): string {
  return factors.join(' and ') || 'no factor';
}
