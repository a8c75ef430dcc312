/**
 * The first two steps of a sign-up: the details, and the code that proves the address. Until the address is proven, the
 * answers do not depend on whether an account has it, and do not wait until an account is looked up (S-25).
 */
import { Injectable } from '@nestjs/common';
import { SignUp, type DetailFault, type SignUpDetails } from '../../../../accounts/changes/sign-up.js';
import { fingerprint } from '../../../../config/keys.js';
import { PATHS } from '../../../../contract/paths.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import type { LoginRequest } from '../../../../hydra/hydra.port.js';
import { IdentityProviders } from '../../../../providers/identity-providers.port.js';
import { toSignUpUrl } from '../../login-url.js';
import { addOpenedRequest } from '../../opened-requests.js';
import { findProviderUrl } from '../../provider-domains.js';
import { SignIns } from '../../sign-in.js';
import { CodeRequests, type SignUpCodeVerdict } from './code-requests.js';
import { SignUpProgress, type Progress } from './progress.js';
import { findDetailFaults, readDetails } from './sign-up.form.js';
import { SignUpPages } from './sign-up.pages.js';
import { readWork, type SentWork, type WorkRefusal } from './work.js';

type Body = Readonly<Record<string, unknown>>;

@Injectable()
export class SignUpFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly pages: SignUpPages,
    private readonly progress: SignUpProgress,
    private readonly signUp: SignUp,
    private readonly requests: CodeRequests,
    private readonly providers: IdentityProviders,
  ) {}

  /** `GET /register/details`: what this browser has entered before is filled in, also for a request that started again. */
  async show(challenge: string, context: RequestContext): Promise<Outcome> {
    return this.#withRequest(challenge, context, async (request) => {
      const currentProgress = this.progress.openFor(challenge, context);
      if (currentProgress?.isWaiting) return this.pages.showWaitingApplication(request, currentProgress.details.email, context);
      const earlierProgress = this.progress.open(context);
      const typedDetails = earlierProgress?.isWaiting ? undefined : earlierProgress?.details;
      const details = typedDetails ?? this.pages.initialDetails(request);
      const faults: DetailFault[] = currentProgress?.isUsernameTaken === true ? [{ field: 'username', code: 'taken' }] : [];
      // With `prompt=registration`, this is the first page of the request.
      const page = await this.pages.details(request, { details, faults, isGet: true }, context);
      return addOpenedRequest(page, 'login', { request, context });
    });
  }

  /** `POST /register/details` */
  async submit(challenge: string, body: Body, context: RequestContext): Promise<Outcome> {
    return this.#withRequest(challenge, context, async (request) => {
      const details = readDetails(this.pages.settings.fields, body);
      if (context.xsrf === null) return this.pages.details(request, { details, error: 'stale' }, context);
      return this.#sameForms.runOnce([challenge, context.xsrf, JSON.stringify(details)], () =>
        this.#submit(request, { details, work: readWork(body) }, context),
      );
    });
  }

  /** `GET /register/code` */
  async showCode(challenge: string, context: RequestContext): Promise<Outcome> {
    return this.#withCode(challenge, context, (request, progress) => this.pages.code({ request, progress }, {}, context));
  }

  /** `POST /register/code` */
  async enter(challenge: string, typedCode: string, context: RequestContext): Promise<Outcome> {
    return this.#withCode(challenge, context, async (request, progress) => {
      if (context.xsrf === null) return this.pages.code({ request, progress }, { error: 'stale' }, context);
      return this.#sameForms.runOnce([progress.code.id, typedCode], () => this.#enter(request, progress, { typedCode, context }));
    });
  }

  /** `POST /register/code/again` */
  async sendAgain(challenge: string, work: SentWork, context: RequestContext): Promise<Outcome> {
    return this.#withCode(challenge, context, async (request, progress) => {
      if (context.xsrf === null) return this.pages.code({ request, progress }, { error: 'stale' }, context);
      return this.#sameForms.runOnce([progress.code.id, 'again', context.xsrf], () =>
        this.#sendAgain(request, progress, { work, context }),
      );
    });
  }

  async #submit(
    request: LoginRequest,
    { details, work }: { details: SignUpDetails; work: SentWork },
    context: RequestContext,
  ): Promise<Outcome> {
    const { challenge, uiLocales } = request;
    const providerUrl = findProviderUrl(this.providers.list(), { challenge, username: details.email });
    if (providerUrl !== null) return redirect(providerUrl);
    const faults = findDetailFaults(details, this.pages.settings, this.signUp);
    if (faults.length > 0) return this.pages.details(request, { details, faults }, context);
    const currentProgress = this.progress.openFor(challenge, context);
    if (currentProgress?.isEmailProven === true && currentProgress.details.email === details.email)
      return this.#endCodeStep(request, { ...currentProgress, details }, context);
    if (await this.requests.isFull()) return this.pages.details(request, { details, error: 'full' }, context);
    const code = this.requests.create();
    const challengeHash = fingerprint(challenge);
    const signUp = this.progress.seal({ challengeHash, details, code, isEmailProven: false, isUsernameTaken: false });
    if (signUp === null) return this.#refuseLength(request, details, context);
    const refusal = await this.pages.work.use(work, challenge, context);
    if (refusal) return this.pages.details(request, { details, ...toShownRefusal(refusal, work) }, context);
    const retryAfter = await this.requests.send({ id: code.id, email: details.email, uiLocales }, context);
    if (retryAfter !== null) return this.pages.details(request, { details, error: 'limited', retryAfter }, context);
    return redirect(toSignUpUrl(challenge, PATHS.registerCode), { signUp });
  }

  async #enter(
    request: LoginRequest,
    progress: CodeProgress,
    { typedCode, context }: { typedCode: string; context: RequestContext },
  ): Promise<Outcome> {
    const { email } = progress.details;
    const verdict = await this.requests.enter(progress.code, { email, typedCode }, context);
    if (verdict.kind === 'right') return this.#endCodeStep(request, { ...progress, code: null, isEmailProven: true }, context);
    if (verdict.kind !== 'limited') return this.pages.code({ request, progress }, { error: ERRORS[verdict.kind] }, context);
    return this.pages.code({ request, progress }, { error: 'limited', retryAfter: verdict.retryAfter }, context);
  }

  /** Leads from the proven address to the password, or back to the details if the username is taken. */
  async #endCodeStep(request: LoginRequest, progress: Progress, context: RequestContext): Promise<Outcome> {
    const { challenge } = request;
    const { details } = progress;
    const retryAfter = await this.requests.countUsername(details.email, context);
    if (retryAfter !== null) return this.pages.details(request, { details, error: 'limited', retryAfter }, context);
    const isUsernameTaken = !(await this.signUp.isUsernameFree(details));
    const signUp = this.progress.seal({ ...progress, isUsernameTaken });
    if (signUp === null) return this.#refuseLength(request, details, context);
    return redirect(toSignUpUrl(challenge, isUsernameTaken ? PATHS.registerDetails : PATHS.registerPassword), { signUp });
  }

  async #sendAgain(
    request: LoginRequest,
    progress: CodeProgress,
    { work, context }: { work: SentWork; context: RequestContext },
  ): Promise<Outcome> {
    const { challenge, uiLocales } = request;
    const refusal = await this.pages.work.use(work, challenge, context);
    if (refusal) return this.pages.code({ request, progress }, toShownRefusal(refusal, work), context);
    const { details } = progress;
    const code = this.requests.create();
    const signUp = this.progress.seal({ ...progress, code });
    if (signUp === null) return this.#refuseLength(request, details, context);
    const { email } = details;
    const retryAfter = await this.requests.send({ id: code.id, email, uiLocales }, context);
    if (retryAfter !== null) return this.pages.code({ request, progress }, { error: 'limited', retryAfter }, context);
    return redirect(toSignUpUrl(challenge, PATHS.registerCode), { signUp });
  }

  /** What this browser has entered before remains in its cookie. */
  #refuseLength(request: LoginRequest, details: SignUpDetails, context: RequestContext): Promise<Outcome> {
    return this.pages.details(request, { details, faults: [toLengthFault(details)] }, context);
  }

  async #withRequest(
    challenge: string,
    context: RequestContext,
    answer: (request: LoginRequest) => Promise<Outcome>,
  ): Promise<Outcome> {
    this.pages.requireSignUp();
    const foundSignIn = await this.signIns.resume(challenge, context);
    return foundSignIn.kind === 'open'
      ? answer(foundSignIn.signIn.request)
      : this.pages.answerFoundSignIn(foundSignIn, challenge);
  }

  /** If this browser has not requested a code, or the address is proven already, the page before or after this step is shown. */
  async #withCode(
    challenge: string,
    context: RequestContext,
    answer: (request: LoginRequest, progress: CodeProgress) => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.#withRequest(challenge, context, async (request) => {
      const progress = this.progress.openFor(challenge, context);
      if (progress?.isEmailProven === true) return redirect(toSignUpUrl(challenge, PATHS.registerPassword));
      return progress?.code ? answer(request, { ...progress, code: progress.code }) : redirect(toSignUpUrl(challenge));
    });
  }
}

const ERRORS = { expired: 'expired', 'used-up': 'used-up', wrong: 'invalid verification code' } as const satisfies Record<
  Exclude<SignUpCodeVerdict['kind'], 'right' | 'limited'>,
  string
>;

type CodeProgress = Progress & { code: NonNullable<Progress['code']> };

/** If the wait of the form is not over, the page continues it. */
function toShownRefusal(
  refusal: WorkRefusal,
  work: SentWork,
): { error: 'work'; work?: SentWork } | { error: 'limited'; retryAfter: number } {
  if (refusal.kind === 'limited') return { error: 'limited', retryAfter: refusal.retryAfter };
  return refusal.kind === 'early' ? { error: 'work', work } : { error: 'work' };
}

/** @returns the fault of details that are too long for a cookie, at the longest attribute, or at the name if there are no attributes */
function toLengthFault({ attributes }: SignUpDetails): DetailFault {
  const [longestAttribute] = Object.entries(attributes).toSorted(([, one], [, other]) => other.length - one.length);
  return { field: longestAttribute?.[0] ?? 'display_name', code: 'too-long' };
}
