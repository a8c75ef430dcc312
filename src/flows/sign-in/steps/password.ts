/**
 * The form for username and password. The path of a password, from the form to the redirect:
 *
 *   `PasswordStep.submit`        reads the form, and shows it again after a wrong password (this file)
 *   `SignIns.resume`             finds the login request that is open in this browser (`sign-in.ts`)
 *   `PasswordAttempts.attempt`   checks the password, within the limits on guessing (`accounts/password/password-attempts.ts`)
 *   `Dispatch.afterProof`        leads to a second factor or a task, refuses, or lets the login be accepted (`dispatch.ts`)
 *   `Accept.accept`              begins the session, accepts the login at Hydra, and stores the answer (`accept.ts`)
 */
import { Body, Controller, Injectable, Post } from '@nestjs/common';
import { PasswordAttempts, type PasswordVerdict } from '../../../accounts/password/password-attempts.js';
import { RequiredPasswords } from '../../../accounts/password/required-password.js';
import { PASSWORD_ONLY } from '../../../contract/authentication.js';
import { FIELDS } from '../../../contract/form-fields.js';
import { PASSKEY_CREATIONS } from '../../../contract/passkey-state.js';
import { PATHS } from '../../../contract/paths.js';
import { Challenge, OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, type RequestContext } from '../../../gateway/http/request-context.js';
import { redirect, type Outcome, type RedirectOutcome } from '../../../gateway/page/outcome.js';
import { Public, AcceptsOutdatedForm } from '../../../gateway/security/access.guard.js';
import { IdentityProviders } from '../../../providers/identity-providers.port.js';
import { bindAnswer } from '../answers.js';
import { Dispatch } from '../dispatch.js';
import { LoginRequestFlow } from '../login-request.flow.js';
import { LoginScreens, readConnectOffer, type FailedAttempt } from '../login-screens.js';
import { findProviderUrl } from '../provider-domains.js';
import { SignIns, type StepResult } from '../sign-in.js';

const BUSY_SECONDS = 2;

export class LoginForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(1024)
  [FIELDS.username]?: string;

  /** Limits only the work: a password that is stored here has a smaller limit (VAL-1). */
  @OptionalText(4096)
  [FIELDS.password]?: string;

  @OptionalText(10)
  [FIELDS.passwordHere]?: string;

  /** See `LoginState.connect`. */
  @OptionalText(200)
  [FIELDS.connectOffer]?: string;

  @OptionalText(10)
  [FIELDS.remember]?: string;

  /** How the browser can create a passkey; an unknown value is ignored. */
  @OptionalText(20)
  [FIELDS.passkeyCreation]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

@Injectable()
export class PasswordStep {
  constructor(
    private readonly signIns: SignIns,
    private readonly passwords: PasswordAttempts,
    private readonly requiredPasswords: RequiredPasswords,
    private readonly dispatch: Dispatch,
    private readonly screens: LoginScreens,
    private readonly providers: IdentityProviders,
  ) {}

  /** `POST /login/native` */
  async submit(form: LoginForm, requestContext: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, username = '', password = '', ticket } = form;
    const context = bindAnswer(requestContext, username);
    const foundSignIn = await this.signIns.resume(challenge, context);
    if (foundSignIn.kind !== 'open') return this.screens.answerFoundSignIn(foundSignIn, { challenge, ticket }, context);
    const { signIn } = foundSignIn;

    const providerRedirect = this.#findProviderRedirect(form);
    if (providerRedirect) return providerRedirect;
    const missingFields = findMissingFields(username, password);
    if (missingFields.length > 0) {
      return this.screens.buildLoginScreen(signIn.request, context, {
        form,
        problem: { error: null, missing: missingFields },
        status: 422,
      });
    }
    const { address, device, requestId } = context;
    const verdict = await this.passwords.attempt({ username, password, address, device, requestId });
    if (verdict.kind === 'source') return this.screens.buildSourceProblemPage(verdict, signIn.request, context);
    if (verdict.kind !== 'proven') return this.screens.buildLoginScreen(signIn.request, context, { form, ...toProblem(verdict) });

    // `Dispatch` finds the requirement of a new password in the returned account.
    const provenPassword = { password, version: verdict.passwordVersion };
    const account = await this.requiredPasswords.requireIfBreached(verdict.account, provenPassword, {
      actor: 'system',
      address,
      requestId,
    });
    const result = await this.dispatch.afterProof(signIn, this.#toStepResult({ ...verdict, account }, form), context);
    if (result.kind === 'answer') return result.answer;
    // A password that was replaced meanwhile, and an account that was disabled, look like a wrong password.
    if (result.refusal === 'ended')
      return this.screens.buildLoginScreen(signIn.request, context, { form, ...toProblem({ kind: 'refused' }) });
    return this.screens.buildRefusalPage(result.refusal, { challenge, ticket }, context);
  }

  /** Leads to the provider of the address that was typed; the password that was typed is not used. */
  #findProviderRedirect({
    login_challenge: challenge,
    username = '',
    remember,
    password_here,
  }: LoginForm): RedirectOutcome | null {
    const typedForm = { challenge, username, remember };
    const url = password_here === 'true' ? null : findProviderUrl(this.providers.list(), typedForm);
    return url === null ? null : redirect(url);
  }

  #toStepResult(verdict: Extract<PasswordVerdict, { kind: 'proven' }>, form: LoginForm): StepResult {
    const { account, factors, passwordVersion, securityStamp, isDeviceStored, isOwnedDevice } = verdict;
    const passkeyCreation = PASSKEY_CREATIONS.find((creation) => creation === form.passkey_creation);
    return {
      proof: { account, factors, amr: PASSWORD_ONLY.amr, credential: { passwordVersion, securityStamp } },
      browser: {
        remember: this.dispatch.remembers(form.remember),
        isDeviceStored,
        isOwnedDevice,
        passkeyCreation,
        ...readConnectOffer(form),
      },
    };
  }
}

@Public()
@Controller()
export class PasswordController {
  constructor(
    private readonly signIns: SignIns,
    private readonly loginRequest: LoginRequestFlow,
    private readonly step: PasswordStep,
  ) {}

  @Post(PATHS.loginNative)
  @AcceptsOutdatedForm()
  async submit(@Body() form: LoginForm, @CurrentRequestContext() requestContext: RequestContext): Promise<Outcome> {
    const context = await this.signIns.restoreForm(form.login_challenge, requestContext);
    return context.xsrf === null ? this.loginRequest.showAgain(form, context) : this.step.submit(form, context);
  }
}

function findMissingFields(username: string, password: string): ('username' | 'password')[] {
  return [...(username.trim() === '' ? ['username' as const] : []), ...(password === '' ? ['password' as const] : [])];
}

/** @returns the problem to show, with the status of the page */
function toProblem(verdict: Exclude<PasswordVerdict, { kind: 'proven' | 'source' }>): Omit<FailedAttempt, 'form'> {
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
