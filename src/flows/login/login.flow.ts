/**
 * Signing in with a user name and a password: what the login address shows, and what its form does. It proves an identity;
 * accepting the login is `SignOn`'s alone.
 */
import { Inject, Injectable } from '@nestjs/common';
import { PasswordSignIn } from '../../accounts/password-sign-in.js';
import type { PasswordVerdict } from '../../accounts/password-sign-in.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PASSWORD_ONLY } from '../../contract/authentication.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { redirect } from '../../gateway/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/outcome.js';
import type { Visit } from '../../gateway/visit.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { FlowEdge } from '../sign-on/flow-edge.js';
import type { PostedChallenge } from '../sign-on/flow-edge.js';
import { RememberedLogin } from '../sign-on/remembered-login.js';
import { SignOn } from '../sign-on/sign-on.js';
import { challengeFault } from '../sign-on/waiting-request.js';
import type { LoginForm } from './login.form.js';
import { brokenLoginPage, loginPage } from './login.page.js';
import type { LoginProblem } from './login.page.js';

const BUSY_SECONDS = 2;

@Injectable()
export class LoginFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signOn: SignOn,
    private readonly remembered: RememberedLogin,
    private readonly passwords: PasswordSignIn,
    private readonly edge: FlowEdge,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** `GET /login`: the screen, or straight on where the upstream remembers (LOG-10) or wants no screen (LOG-11). */
  async start(challenge: string, visit: Visit): Promise<Outcome> {
    const request = await this.#request(challenge);
    if (typeof request === 'string') return this.#broken(request, { challenge }, visit);
    const record = await this.signOn.peek(challenge, visit);
    if (record.state === 'done') return this.#broken('used', { challenge, ticket: this.edge.ticket(request) }, visit);
    if (record.state === 'foreign') return this.#broken('foreign', { challenge, ticket: this.edge.ticket(request) }, visit);
    if (request.skip) return this.remembered.answer(request, visit);
    const asked = this.edge.asked(request);
    if (asked?.hasPrompt('none')) {
      return redirect(await this.hydra.rejectLogin(challenge, { code: 'login_required', description: 'Nobody is signed in.' }));
    }
    if (asked?.hasPrompt('select_account')) return redirect(asked.askingForLogin());
    return this.#page(request, visit);
  }

  /** `POST /login/native` */
  async submit(form: LoginForm, visit: Visit): Promise<Outcome> {
    const { login_challenge: challenge, username = '', password = '', ticket } = form;
    const posted = { challenge, ticket };
    const request = await this.#request(challenge);
    if (typeof request === 'string') return this.#broken(request, posted, visit);
    const missing = [...(username.trim() === '' ? ['username' as const] : []), ...(password === '' ? ['password' as const] : [])];
    if (missing.length > 0) return this.#page(request, visit, { form, problem: { error: null, missing }, status: 422 });
    const claim = await this.signOn.claim(challenge, visit);
    if (claim.state === 'foreign') return this.#broken('foreign', posted, visit);
    if (claim.state === 'done') {
      return this.signOn.repeat(claim.result, visit) ?? this.#broken('used', posted, visit);
    }
    const { address, device, requestId } = visit;
    const verdict = await this.passwords.attempt({ username, password, address, device, requestId });
    if (verdict.kind !== 'proven') return this.#page(request, visit, { form, ...this.#problemOf(verdict) });
    const remember = this.config.login.remember === 'ask' ? form.remember === 'true' : this.config.login.remember === 'on';
    const { account, deviceRemembered: isKnownDevice } = verdict;
    const identity = { account, ...PASSWORD_ONLY, remember, isKnownDevice };
    return (await this.signOn.complete(request, identity, visit)) ?? this.#broken('used', posted, visit);
  }

  async #request(challenge: string): Promise<LoginRequest | ChallengeFault> {
    if (challenge === '') return 'missing';
    return this.hydra.getLogin(challenge).catch(challengeFault);
  }

  /** What is wrong with the try, and the status that says so. */
  #problemOf(verdict: Exclude<PasswordVerdict, { kind: 'proven' }>): Omit<FailedTry, 'form'> {
    switch (verdict.kind) {
      case 'refused':
        return { problem: { error: 'credentials' }, status: 422 };
      case 'limited': {
        const retryAfter = verdict.retryAfterSeconds;
        return { problem: { error: 'limited', retry_after: retryAfter }, status: 429, retryAfter };
      }
      case 'busy':
        return { problem: { error: 'busy' }, status: 503, retryAfter: BUSY_SECONDS };
    }
  }

  #page(request: LoginRequest, visit: Visit, failed?: FailedTry): PageOutcome {
    const ticket = this.edge.ticket(request);
    return loginPage({
      request,
      ticket,
      xsrfToken: this.edge.xsrfToken(visit),
      config: this.config,
      ...(failed
        ? { typed: { username: failed.form.username ?? '', remember: failed.form.remember === 'true' }, problem: failed.problem }
        : {}),
      options: {
        ...this.edge.pageOptions(request),
        cookies: { resume: ticket },
        ...(failed ? { status: failed.status } : {}),
        ...(failed?.retryAfter === undefined ? {} : { retryAfterSeconds: failed.retryAfter }),
      },
    });
  }

  #broken(fault: ChallengeFault, posted: PostedChallenge, visit: Visit): PageOutcome {
    const restartUrl = this.edge.restartUrl(posted, visit);
    return brokenLoginPage({
      fault,
      challenge: posted.challenge,
      restartUrl,
      xsrfToken: this.edge.xsrfToken(visit),
      remember: this.config.login.remember,
    });
  }
}

interface FailedTry {
  form: LoginForm;
  problem: LoginProblem;
  status: number;
  retryAfter?: number;
}
