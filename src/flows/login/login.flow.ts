/**
 * The form for username and password. It proves an identity; `FirstFactor` continues with it, and only `SignIn` accepts
 * the login.
 */
import { Inject, Injectable } from '@nestjs/common';
import { PasswordSignIn } from '../../accounts/password/sign-in.js';
import type { PasswordVerdict } from '../../accounts/password/sign-in.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PASSWORD_ONLY } from '../../contract/authentication.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { SignIn } from '../sign-in/sign-in.js';
import { challengeFault } from '../sign-in/waiting-request.js';
import { FirstFactor } from '../sign-in/first-factor.js';
import type { LoginForm } from './login.form.js';
import { LoginScreens } from '../sign-in/login-screens.js';
import type { FailedTry } from '../sign-in/login-screens.js';
import { loginUrl } from '../sign-in/login-url.js';

const BUSY_SECONDS = 2;

@Injectable()
export class LoginFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signIn: SignIn,
    private readonly passwords: PasswordSignIn,
    private readonly firstFactor: FirstFactor,
    private readonly screens: LoginScreens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** `POST /login/native` */
  async submit(form: LoginForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, username = '', password = '', ticket } = form;
    const presented = { challenge, ticket };
    if (challenge === '') return this.screens.broken('missing', presented, context);
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return this.screens.broken(request, presented, context);
    // Its answer belongs to the browser of the session (S-15b), which is never shown this form.
    if (request.skip) return redirect(loginUrl(challenge));
    const missing = missingOf(username, password);
    if (missing.length > 0) return this.screens.login(request, context, { form, problem: { error: null, missing }, status: 422 });
    const claim = await this.signIn.claim(challenge, context);
    if (claim.state === 'foreign') return this.screens.broken('foreign', presented, context);
    if (claim.state === 'done' || claim.state === 'stepped') {
      const fault = claim.state === 'done' ? 'used' : 'foreign';
      return this.signIn.repeat(claim.result, context) ?? this.screens.broken(fault, presented, context);
    }
    const { address, device, requestId } = context;
    const verdict = await this.passwords.attempt({ username, password, address, device, requestId });
    if (verdict.kind !== 'proven') return this.screens.login(request, context, { form, ...problemOf(verdict) });
    const remember = this.config.login.remember === 'ask' ? form.remember === 'true' : this.config.login.remember === 'on';
    const { account, factors, passwordVersion, deviceRemembered: isKnownDevice } = verdict;
    const identity = { account, amr: PASSWORD_ONLY.amr, remember, isKnownDevice, passwordVersion };
    return (
      (await this.firstFactor.proven(request, { identity, factors }, context)) ?? this.screens.broken('used', presented, context)
    );
  }
}

function missingOf(username: string, password: string): ('username' | 'password')[] {
  return [...(username.trim() === '' ? ['username' as const] : []), ...(password === '' ? ['password' as const] : [])];
}

/** The problem to show and its status. */
function problemOf(verdict: Exclude<PasswordVerdict, { kind: 'proven' }>): Omit<FailedTry, 'form'> {
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
