/**
 * The form with the assertion of a passkey, which proves both factors at once, and the addresses at which browsers look up related
 * origins, and password managers the pages on which passkeys are set up and managed. `Dispatch` decides what comes next, as after a
 * password.
 */
import { Body, Controller, Get, Header, Inject, Injectable, Post } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import { FACTOR_PATHS } from '../../../contract/factor-paths.js';
import { FIELDS } from '../../../contract/form-fields.js';
import { PATHS, SERVER_PATHS } from '../../../contract/paths.js';
import { Fault } from '../../../gateway/http/faults.js';
import { Challenge, OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, type RequestContext } from '../../../gateway/http/request-context.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { SameForms } from '../../../gateway/page/same-forms.js';
import { Public, AcceptsOutdatedForm } from '../../../gateway/security/access.guard.js';
import { parseClientData } from '../../../webauthn/client-data.js';
import { parseAssertion } from '../../../webauthn/credential-json.js';
import { PasskeySignIn, type PasskeyVerdict, type ProvenPasskey } from '../../../passkeys/passkey-sign-in.js';
import { SignInChallenges } from '../../../passkeys/sign-in-challenge.js';
import { bindAnswer } from '../answers.js';
import { Dispatch } from '../dispatch.js';
import { LoginRequestFlow } from '../login-request.flow.js';
import { LoginScreens, readConnectOffer, type FailedAttempt } from '../login-screens.js';
import { SignIns, type StepResult } from '../sign-in.js';

/** The assertion does not answer a current challenge of this page; the person may try again. */
const STALE_ASSERTION: Omit<FailedAttempt, 'form'> = { problem: { error: 'passkey-stale' }, status: 422 };

export class PasskeyForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  /** `AuthenticationResponseJSON` (WebAuthn Level 3, section 5.1). */
  @OptionalText(16_384)
  [FIELDS.passkey]?: string;

  /** The username that was typed before, for the page that is shown again. */
  @OptionalText(1024)
  [FIELDS.username]?: string;

  @OptionalText(10)
  [FIELDS.remember]?: string;

  /** See `LoginState.connect`. */
  @OptionalText(200)
  [FIELDS.connectOffer]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

@Injectable()
export class PasskeyStep {
  /** An assertion is accepted once, and both clicks of a double click get the same answer. */
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly passkeys: PasskeySignIn,
    private readonly challenges: SignInChallenges,
    private readonly dispatch: Dispatch,
    private readonly screens: LoginScreens,
  ) {}

  /** `POST /login/passkey` */
  submit(form: PasskeyForm, requestContext: RequestContext): Promise<Outcome> {
    const context = bindAnswer(requestContext, form.passkey ?? '');
    return this.#sameForms.runOnce([context.browser, context.xsrf ?? '', form.passkey ?? ''], () => this.#submit(form, context));
  }

  async #submit(form: PasskeyForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, ticket } = form;
    const foundSignIn = await this.signIns.resume(challenge, context);
    if (foundSignIn.kind !== 'open') return this.screens.answerFoundSignIn(foundSignIn, { challenge, ticket }, context);
    const { signIn } = foundSignIn;

    const response = this.#readResponse(form, context);
    if (!response) return this.screens.buildLoginScreen(signIn.request, context, { form, ...STALE_ASSERTION });
    const { address, device, requestId } = context;
    const verdict = await this.passkeys.attempt({ response, challenge, address, device, requestId });
    if (verdict.kind === 'source') return this.screens.buildSourceProblemPage(verdict, signIn.request, context);
    if (verdict.kind !== 'proven') {
      return this.screens.buildLoginScreen(signIn.request, context, { form, ...toProblem(verdict, response.id) });
    }
    const result = await this.dispatch.afterProof(signIn, this.#toStepResult(verdict, form), context);
    if (result.kind === 'answer') return result.answer;
    if (result.refusal === 'ended')
      return this.screens.buildLoginScreen(signIn.request, context, { form, ...toProblem({ kind: 'refused' }, '') });
    return this.screens.buildRefusalPage(result.refusal, { challenge, ticket }, context);
  }

  /** @returns null unless the assertion answers a challenge of this request in this browser */
  #readResponse(
    { passkey = '', login_challenge: challenge }: PasskeyForm,
    { formBrowser: browser }: RequestContext,
  ): AuthenticationResponseJSON | null {
    const response = parseAssertion(passkey);
    const signedChallenge = response && parseClientData(response.response.clientDataJSON)?.challenge;
    return signedChallenge && this.challenges.verify(signedChallenge, { challenge, browser }) ? response : null;
  }

  /** A passkey requires no second factor, so the factors of the account do not matter. */
  #toStepResult(
    { account, methods: amr, securityStamp, isDeviceStored, isOwnedDevice }: ProvenPasskey,
    form: PasskeyForm,
  ): StepResult {
    return {
      proof: { account, factors: {}, amr, credential: { securityStamp } },
      browser: { remember: this.dispatch.remembers(form.remember), isDeviceStored, isOwnedDevice, ...readConnectOffer(form) },
    };
  }
}

@Public()
@Controller()
export class PasskeyController {
  constructor(
    private readonly signIns: SignIns,
    private readonly loginRequest: LoginRequestFlow,
    private readonly step: PasskeyStep,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys' | 'publicUrl'>,
  ) {}

  @Post(PATHS.loginPasskey)
  @AcceptsOutdatedForm()
  async submit(@Body() form: PasskeyForm, @CurrentRequestContext() requestContext: RequestContext): Promise<Outcome> {
    this.#requirePasskeys();
    const context = await this.signIns.restoreForm(form.login_challenge, requestContext);
    return context.xsrf === null ? this.loginRequest.showAgain(form, context) : this.step.submit(form, context);
  }

  /** Browsers on pages of related origins load this list without credentials (WebAuthn Level 3, section 5.11.1). */
  @Get(SERVER_PATHS.relatedOrigins)
  @Header('Content-Type', 'application/json')
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  listRelatedOrigins(): { origins: string[] } {
    this.#requirePasskeys();
    const { publicUrl, passkeys } = this.config;
    if (passkeys.origins.length === 0) throw new Fault('page_not_found', 'No related origins are configured (PASSKEY_ORIGINS)');
    return { origins: [new URL(publicUrl).origin, ...passkeys.origins] };
  }

  @Get(SERVER_PATHS.passkeyEndpoints)
  @Header('Content-Type', 'application/json')
  @Header('Cache-Control', 'public, max-age=300')
  listEndpoints(): { enroll: string; manage: string } {
    this.#requirePasskeys();
    const { publicUrl } = this.config;
    return {
      enroll: new URL(FACTOR_PATHS.register('passkey'), publicUrl).href,
      manage: new URL(PATHS.manageMfa, publicUrl).href,
    };
  }

  #requirePasskeys(): void {
    if (this.config.passkeys.mode === 'off')
      throw new Fault('page_not_found', 'Signing in with passkeys is turned off (PASSKEYS)');
  }
}

/** @returns the problem to show, with the status of the page */
function toProblem(
  verdict: Exclude<PasskeyVerdict, { kind: 'proven' | 'source' }>,
  credentialId: string,
): Omit<FailedAttempt, 'form'> {
  switch (verdict.kind) {
    case 'refused':
      return { problem: { error: 'passkey' }, status: 422 };
    case 'unknown':
      return { problem: { error: 'passkey-unknown' }, status: 422, unknownPasskey: credentialId };
    case 'limited': {
      const retryAfter = verdict.retryAfterSeconds;
      return { problem: { error: 'limited', retry_after: retryAfter }, status: 429, retryAfter };
    }
  }
}
