/**
 * The form for username and password. It proves an identity; `FirstFactor` continues with it, and only `SignIn` accepts
 * the login.
 */
import { Injectable } from '@nestjs/common';
import { PasswordSignIn, type PasswordVerdict, type ProvenPassword } from '../../accounts/password/sign-in.js';
import { PASSWORD_ONLY, type Amr } from '../../contract/authentication.js';
import { PASSKEY_CREATIONS } from '../../contract/passkey-state.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { KeptRequests } from '../sign-in/kept-requests.js';
import { challengeFault } from '../sign-in/waiting-request.js';
import { loginOwner } from '../sign-in/finished-answer.js';
import { FirstFactor } from '../sign-in/first-factor.js';
import type { ProvenIdentity } from '../sign-in/proven-identity.js';
import type { LoginForm } from './login.form.js';
import { LoginScreens, type FailedTry } from '../sign-in/login-screens.js';
import { loginUrl } from '../sign-in/login-url.js';
import { loginSourcePage } from '../sign-in/login-source.page.js';

const BUSY_SECONDS = 2;

@Injectable()
export class LoginFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly kept: KeptRequests,
    private readonly passwords: PasswordSignIn,
    private readonly firstFactor: FirstFactor,
    private readonly screens: LoginScreens,
  ) {}

  /** `POST /login/native` */
  async submit(form: LoginForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, username = '', password = '', ticket } = form;
    const presented = { challenge, ticket };
    if (challenge === '') return this.screens.broken('missing', presented, context);
    const missing = missingOf(username, password);
    const outcome = missing.length > 0 ? null : await this.#attempt(form, null, context);
    if (outcome && outcome !== 'busy') return outcome;
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return this.screens.broken(request, presented, context);
    // Its answer belongs to the browser of the session (S-15b), which is never shown this form.
    if (request.skip) return redirect(loginUrl(challenge));
    if (missing.length > 0) return this.screens.login(request, context, { form, problem: { error: null, missing }, status: 422 });
    const taken = this.screens.taken(await this.kept.open(request, context), presented, context);
    if (taken) return taken;
    // It has waited for its turn once, and does not wait again.
    const last = outcome ?? (await this.#attempt(form, request, context));
    if (last === 'busy') return this.screens.login(request, context, { form, ...problemOf({ kind: 'busy' }) });
    return last ?? this.screens.broken('used', presented, context);
  }

  /**
   * @param asked the request, if the OAuth server was asked for it; otherwise the record of the challenge has to keep it
   * @returns null if it does not: then nothing was checked; `busy` if too many wait for that to be known
   */
  async #attempt(form: LoginForm, asked: LoginRequest | null, context: RequestContext): Promise<Outcome | 'busy' | null> {
    const { login_challenge: challenge, username = '', password = '', ticket } = form;
    const { address, device, requestId } = context;
    const attempt = { username, password, address, device, requestId };
    const { record, verdict, ...found } = await this.passwords.attempt<LoginRequest>(attempt, {
      owner: loginOwner(challenge, context),
      asked,
      trusted: context.trusted,
      read: (kept) => this.kept.read(kept, challenge),
      begins: (request, proven) => this.firstFactor.sessionOf(request, this.#identity(form, proven), context),
    });
    const presented = { challenge, ticket };
    const taken = record && this.screens.taken(record, presented, context);
    if (taken) return taken;
    const request = found.request ?? asked;
    if (!request || !verdict) return verdict?.kind === 'busy' ? 'busy' : null;
    if (verdict.kind === 'source') {
      const { options } = this.screens.values(request, context);
      return loginSourcePage(verdict, request, { options, requestId: context.requestId });
    }
    if (verdict.kind !== 'proven') return this.screens.login(request, context, { form, ...problemOf(verdict) });
    const { factors, isTrusted, session } = verdict;
    const identity = { ...this.#identity(form, verdict), begun: session ?? undefined, isTrusted };
    const outcome = await this.firstFactor.proven(request, { identity, factors }, context).catch(challengeFault);
    if (typeof outcome === 'string') return this.screens.broken(outcome, presented, context);
    return outcome ?? this.screens.broken('used', presented, context);
  }

  #identity(form: LoginForm, proven: ProvenPassword): ProvenIdentity & { amr: readonly Amr[] } {
    const { account, passwordVersion, securityStamp, deviceRemembered: isKnownDevice, deviceOwned: isOwnedDevice } = proven;
    const remember = this.firstFactor.remembers(form.remember);
    const passkeyCreation = PASSKEY_CREATIONS.find((one) => one === form.passkey_creation);
    const of = { passwordVersion, securityStamp, passkeyCreation };
    return { account, amr: PASSWORD_ONLY.amr, remember, isKnownDevice, isOwnedDevice, ...of };
  }
}

function missingOf(username: string, password: string): ('username' | 'password')[] {
  return [...(username.trim() === '' ? ['username' as const] : []), ...(password === '' ? ['password' as const] : [])];
}

/** The problem to show and its status. */
function problemOf(verdict: Exclude<PasswordVerdict, { kind: 'proven' | 'source' }>): Omit<FailedTry, 'form'> {
  switch (verdict.kind) {
    case 'refused':
      return { problem: { error: 'credentials' }, status: 422 };
    case 'limited': {
      const { counter, retryAfterSeconds: retryAfter } = verdict;
      return { problem: { error: 'limited', limited: counter, retry_after: retryAfter }, status: 429, retryAfter };
    }
    case 'busy':
      return { problem: { error: 'busy' }, status: 503, retryAfter: BUSY_SECONDS };
  }
}
