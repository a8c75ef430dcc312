/**
 * Signing in with a code by mail (`CODE_SIGN_IN`): the form for the username, which requests the code, and the form for the code, which
 * proves who the person is. Both forms get the same answers for every username (S-25). The code proves less than a password: `Dispatch`
 * asks for more where more is required.
 */
import { Body, Controller, Get, Inject, Injectable, Post, Query } from '@nestjs/common';
import { PasswordProof } from '../../../accounts/password/proof.js';
import { RequestLimits } from '../../../accounts/limits/request-limits.js';
import { CodeAttempts, type CodeVerdict } from '../../../accounts/password/code-attempts.js';
import { SignInCodes, type CodeRules } from '../../../accounts/secrets/sign-in-codes.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import { FIELDS, MANAGE_QUERY } from '../../../contract/form-fields.js';
import type { MailedCodeState } from '../../../contract/page-state.js';
import { PATHS } from '../../../contract/paths.js';
import { Fault } from '../../../gateway/http/faults.js';
import { Challenge, OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, toPerson, type RequestContext } from '../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../gateway/page/outcome.js';
import { SameForms } from '../../../gateway/page/same-forms.js';
import { AcceptsOutdatedForm, Public } from '../../../gateway/security/access.guard.js';
import { KINDS_WITHOUT_PASSWORD, MAILED_FACTORS } from '../../../mfa/held-factors.js';
import { bindAnswer } from '../answers.js';
import { Dispatch } from '../dispatch.js';
import { LoginRequestFlow } from '../login-request.flow.js';
import { LoginScreens } from '../login-screens.js';
import { toCodeSignInUrl, toSecondStepUrl } from '../login-url.js';
import { offersCodes } from '../login.page.js';
import { MailedCodePages, type ShownProblem } from '../mailed-code.page.js';
import { RequestedMails } from '../requested-mails.js';
import { SignIns, type StepResult, type SignIn } from '../sign-in.js';

const BUSY_SECONDS = 2;

type CodeError = Extract<MailedCodeState, { status: 'code' }>['error'];

class CodeQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(20)
  [MANAGE_QUERY.status]?: string;
}

/** The form for the username, the form for the code, or, with neither field, the form that requests another code for the same username. */
class CodeForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(1024)
  [FIELDS.username]?: string;

  @OptionalText(100)
  [FIELDS.code]?: string;

  @OptionalText(10)
  [FIELDS.remember]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

/** Requests a code: shows the forms and queues the mail. Proves nothing. */
@Injectable()
export class MailedCodeRequest {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly codes: SignInCodes,
    private readonly limits: RequestLimits,
    private readonly mails: RequestedMails,
    private readonly pages: MailedCodePages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mail' | 'passkeys'>,
  ) {}

  get rules(): CodeRules {
    // Stored passkeys do not count while passkeys are turned off.
    return { mailedFactors: MAILED_FACTORS, strongerKinds: this.config.passkeys.mode === 'off' ? [] : KINDS_WITHOUT_PASSWORD };
  }

  requireCodeSignIn(): void {
    if (!offersCodes(this.config))
      throw new Fault(
        'page_not_found',
        'Signing in with a code by mail is turned off (CODE_SIGN_IN), or no mail server is set (SMTP_URL)',
      );
  }

  /** Whether the sign-in waits for its next step after a code that was right. */
  async isProvenByCode(challenge: string, context: RequestContext): Promise<boolean> {
    const signIn = await this.signIns.findIdentified(challenge, context);
    return signIn?.stepResult.proof.amr.includes('mail') ?? false;
  }

  /** @param asksName whether the form for the username is shown although a code was requested */
  async show({ id, request }: SignIn, asksName: boolean, context: RequestContext): Promise<Outcome> {
    const isWaiting = !asksName && (await this.codes.find(id)) !== null;
    return isWaiting ? this.pages.buildCodeForm(request, context) : this.pages.buildNameForm(request, context);
  }

  /** Shows a form with an outdated anti-forgery value again (`AcceptsOutdatedForm`). */
  async showStaleForm(signIn: SignIn, form: CodeForm, context: RequestContext): Promise<Outcome> {
    const staleProblem = { error: 'stale', status: 403 } as const;
    const { username, remember } = form;
    if (username === undefined && (await this.codes.find(signIn.id)) !== null) {
      return this.pages.buildCodeForm(signIn.request, context, { remember: remember === 'true', problem: staleProblem });
    }
    return this.pages.buildNameForm(signIn.request, context, { username, problem: staleProblem });
  }

  /** Does not wait until the account is looked up. */
  submit(signIn: SignIn, form: CodeForm, context: RequestContext): Promise<Outcome> {
    return this.#sameForms.runOnce([context.browser, context.xsrf ?? '', form.username ?? ''], () =>
      this.#submit(signIn, form, context),
    );
  }

  async #submit({ id, request, challenge }: SignIn, form: CodeForm, context: RequestContext): Promise<Outcome> {
    const username = form.username ?? (await this.codes.find(id))?.username;
    if (username === undefined) return this.pages.buildNameForm(request, context, { problem: { error: 'ended', status: 422 } });
    if (username.trim() === '') {
      return this.pages.buildNameForm(request, context, { username, problem: { error: 'empty-username', status: 422 } });
    }
    const retryAfter = await this.limits.count('sign-in-code', context);
    if (retryAfter !== null) {
      return this.pages.buildNameForm(request, context, { username, problem: { error: 'limited', status: 429, retryAfter } });
    }
    const auditContext = toPerson(context, request.uiLocales);
    const codeRequest = await this.codes.begin(id, username);
    const { byEmail } = this.config.login;
    const mail = { ...codeRequest, signIn: id, device: context.device, byEmail, rules: this.rules, auditContext };
    this.mails.add({ requestId: auditContext.requestId, queue: () => this.codes.mail(mail) });
    return redirect(toCodeSignInUrl(challenge));
  }
}

@Injectable()
export class MailedCodeStep {
  /** A code is accepted once, and both clicks of a double click get the same answer. */
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly request: MailedCodeRequest,
    private readonly attempts: CodeAttempts,
    private readonly passwords: PasswordProof,
    private readonly dispatch: Dispatch,
    private readonly screens: LoginScreens,
    private readonly pages: MailedCodePages,
  ) {}

  /** `POST /login/code` with a code. */
  submit(signIn: SignIn, form: CodeForm, context: RequestContext): Promise<Outcome> {
    return this.#sameForms.runOnce([context.browser, context.xsrf ?? '', form.code ?? ''], () =>
      this.#submit(signIn, form, context),
    );
  }

  async #submit(signIn: SignIn, form: CodeForm, context: RequestContext): Promise<Outcome> {
    const { code = '', login_challenge: challenge, ticket } = form;
    if (code.trim() === '') return this.#showProblem({ signIn, form, verdict: { kind: 'refused' } }, context);
    const { address, device, requestId } = context;
    const verdict = await this.attempts.attempt({
      signIn: signIn.id,
      code,
      rules: this.request.rules,
      address,
      device,
      requestId,
    });
    if (verdict.kind === 'source') return this.screens.buildSourceProblemPage(verdict, signIn.request, context);
    // An earlier click of the same form may have used the code; the sign-in waits for the next step.
    if (verdict.kind === 'ended' && (await this.request.isProvenByCode(challenge, context)))
      return redirect(toSecondStepUrl(challenge));
    if (verdict.kind !== 'proven') return this.#showProblem({ signIn, form, verdict }, context);

    const result = await this.dispatch.afterProof(signIn, this.#toStepResult(verdict, form), context);
    if (result.kind === 'answer') return result.answer;
    if (result.refusal === 'own-proof') return this.#askPassword(signIn, verdict, context);
    if (result.refusal === 'ended') return this.#showProblem({ signIn, form, verdict: { kind: 'ended' } }, context);
    return this.screens.buildRefusalPage(result.refusal, { challenge, ticket }, context);
  }

  /** No passkey is offered after a mailed code, so that whoever reads a mailbox cannot add one. */
  #toStepResult(verdict: Extract<CodeVerdict, { kind: 'proven' }>, form: CodeForm): StepResult {
    const { account, factors, securityStamp, isDeviceStored, isOwnedDevice } = verdict;
    return {
      proof: { account, factors, amr: ['mail'], credential: { securityStamp } },
      browser: { remember: this.dispatch.remembers(form.remember), isDeviceStored, isOwnedDevice },
    };
  }

  #showProblem(
    {
      signIn: { request },
      form,
      verdict,
    }: { signIn: SignIn; form: CodeForm; verdict: Exclude<CodeVerdict, { kind: 'proven' | 'source' }> },
    context: RequestContext,
  ): Outcome {
    if (verdict.kind === 'ended') return this.pages.buildNameForm(request, context, { problem: { error: 'ended', status: 422 } });
    return this.pages.buildCodeForm(request, context, { remember: form.remember === 'true', problem: toProblem(verdict) });
  }

  /** Asks for the password, because the code is not enough. If the account has none, the request is refused. */
  async #askPassword(
    signIn: SignIn,
    { account: { id } }: Extract<CodeVerdict, { kind: 'proven' }>,
    context: RequestContext,
  ): Promise<Outcome> {
    if (await this.passwords.isSet(id)) return this.pages.buildWeakProofPage(signIn.request, context);
    const result = await this.dispatch.refuse(signIn, context);
    if (result.kind === 'answer') return result.answer;
    return this.screens.buildRefusalPage(result.refusal, { challenge: signIn.challenge }, context);
  }
}

function toProblem(verdict: Exclude<CodeVerdict, { kind: 'proven' | 'source' | 'ended' }>): ShownProblem<CodeError> {
  switch (verdict.kind) {
    case 'refused':
      return { error: 'invalid verification code', status: 422 };
    case 'limited':
      return { error: 'limited', status: 429, retryAfter: verdict.retryAfterSeconds };
    case 'busy':
      return { error: 'busy', status: 503, retryAfter: BUSY_SECONDS };
  }
}

@Public()
@Controller()
export class MailedCodeController {
  constructor(
    private readonly signIns: SignIns,
    private readonly loginRequest: LoginRequestFlow,
    private readonly screens: LoginScreens,
    private readonly request: MailedCodeRequest,
    private readonly step: MailedCodeStep,
  ) {}

  @Get(PATHS.loginCode)
  async show(@Query() query: CodeQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    this.request.requireCodeSignIn();
    // The code replaces a first factor that was already proven, as a sign-in at a provider does.
    const openRequest = await this.loginRequest.open(query.login_challenge, context, { replacesProof: true });
    if ('outcome' in openRequest) return openRequest.outcome;
    return this.request.show(openRequest.signIn, query.status === 'ask', context);
  }

  @Post(PATHS.loginCode)
  @AcceptsOutdatedForm()
  async submit(@Body() form: CodeForm, @CurrentRequestContext() requestContext: RequestContext): Promise<Outcome> {
    this.request.requireCodeSignIn();
    const { login_challenge: challenge, ticket, username, code } = form;
    const context = bindAnswer(await this.signIns.restoreForm(challenge, requestContext), code ?? username ?? '');
    const foundSignIn = await this.signIns.resume(challenge, context);
    if (foundSignIn.kind !== 'open') return this.screens.answerFoundSignIn(foundSignIn, { challenge, ticket }, context);
    const { signIn } = foundSignIn;
    if (context.xsrf === null) return this.request.showStaleForm(signIn, form, context);
    return code === undefined ? this.request.submit(signIn, form, context) : this.step.submit(signIn, form, context);
  }
}
