/** The pages of the sign-up. */
import { Inject, Injectable } from '@nestjs/common';
import type { DetailFault, SignUpDetails } from '../../../../accounts/changes/sign-up.js';
import { PasswordRules } from '../../../../accounts/password/password-rules.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config, SignUpSettings } from '../../../../config/config.js';
import { defined } from '../../../../config/defined.js';
import { PATHS } from '../../../../contract/paths.js';
import { toDetailField, type RegistrationStepState } from '../../../../contract/registration-state.js';
import { Fault } from '../../../../gateway/http/faults.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { page, redirect, type Outcome, type PageOptions } from '../../../../gateway/page/outcome.js';
import type { LoginRequest } from '../../../../hydra/hydra.port.js';
import { SignUpPasskeys } from '../../../../passkeys/sign-up-passkeys.js';
import { FlowPages } from '../../flow-pages.js';
import { LoginScreens } from '../../login-screens.js';
import { toLoginUrl, toSignUpUrl } from '../../login-url.js';
import { readRequestHints } from '../../registration-hints.js';
import type { FoundSignIn } from '../../sign-in.js';
import { toClientState } from '../../waiting-request.js';
import type { Progress } from './progress.js';
import { readDetails, toFieldStates } from './sign-up.form.js';
import { SignUpWork, type SentWork } from './work.js';

type StateOf<Status extends RegistrationStepState['status']> = Extract<RegistrationStepState, { status: Status }>;

/** The work of the submitted form, whose wait continues. */
interface ShownWork {
  work?: SentWork;
}

interface ShownDetails extends ShownWork {
  details: SignUpDetails;
  faults?: readonly DetailFault[];
  error?: 'limited' | 'work' | 'stale' | 'full';
  retryAfter?: number | undefined;
  /** The page answers a GET, so its status is 200 even with an error. */
  isGet?: true;
}

interface ShownCode extends ShownWork {
  error?: StateOf<'code'>['error'];
  retryAfter?: number;
}

interface ProgressOfRequest {
  request: LoginRequest;
  progress: Progress;
}

type ShownPassword = Partial<Pick<StateOf<'password'>, 'error' | 'reasons'>>;

const STATUS: Readonly<Record<string, number>> = { limited: 429, stale: 403, busy: 503, full: 503 };
const BUSY_SECONDS = 2;

@Injectable()
export class SignUpPages {
  constructor(
    private readonly screens: LoginScreens,
    private readonly flowPages: FlowPages,
    private readonly rules: PasswordRules,
    private readonly passkeys: SignUpPasskeys,
    readonly work: SignUpWork,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration' | 'password'>,
  ) {}

  /** @throws Fault unless people create their accounts here */
  get settings(): SignUpSettings {
    const { signUp } = this.config.registration;
    if (!signUp) throw new Fault('page_not_found', 'Creating accounts on these pages is turned off (REGISTRATION)');
    return signUp;
  }

  /** @throws Fault unless people create their accounts here */
  requireSignUp(): void {
    void this.settings;
  }

  /** What the app knows about the person: hints with the names of fields, and the hinted username or address. None of this is proven. */
  initialDetails(request: LoginRequest): SignUpDetails {
    const { fields } = this.settings;
    const hints = readRequestHints(this.flowPages.authorizationRequest(request), this.config.registration.hintNames);
    const { loginHint = '' } = request;
    const hintedFields = { [loginHint.includes('@') ? 'email' : 'username']: loginHint, ...hints };
    const body = Object.entries(hintedFields).map(([name, value]) => [toDetailField(name), value] as const);
    return readDetails(fields, Object.fromEntries(body));
  }

  /**
   * Answers a request whose sign-in is not open in this browser. A double click gets the first answer again; any other request is handled
   * by the login page.
   */
  answerFoundSignIn(foundSignIn: Exclude<FoundSignIn, { kind: 'open' }>, challenge: string): Outcome {
    return foundSignIn.kind === 'repeated' ? foundSignIn.answer : redirect(toLoginUrl(challenge));
  }

  async details(request: LoginRequest, shownDetails: ShownDetails, context: RequestContext): Promise<Outcome> {
    const { details, faults = [], retryAfter } = shownDetails;
    const work = await this.work.create(request.challenge, context, shownDetails.work);
    const error = shownDetails.error ?? (faults.length > 0 ? 'fields' : null);
    const registration: StateOf<'details'> = {
      status: 'details',
      error,
      ...this.#stepMembers(request, context),
      client: toClientState(request.client),
      fields: toFieldStates(this.settings.fields, details, faults),
      login_url: toLoginUrl(request.challenge),
      ...this.#approval,
      ...defined({ retry_after: retryAfter, work: work ?? undefined }),
    };
    return this.#page(
      request,
      { registration, path: PATHS.registerDetails, error, retryAfter, isGet: shownDetails.isGet },
      context,
    );
  }

  async code(
    { request, progress: { details } }: ProgressOfRequest,
    { error = null, retryAfter, work: sentWork }: ShownCode,
    context: RequestContext,
  ): Promise<Outcome> {
    const work = await this.work.create(request.challenge, context, sentWork);
    const registration: StateOf<'code'> = {
      status: 'code',
      error,
      ...this.#stepMembers(request, context),
      sent_to: details.email,
      details_url: toSignUpUrl(request.challenge),
      ...defined({ retry_after: retryAfter, work: work ?? undefined }),
    };
    return this.#page(request, { registration, path: PATHS.registerCode, error, retryAfter }, context);
  }

  async password(
    { request, progress: { details } }: ProgressOfRequest,
    shownPassword: ShownPassword,
    context: RequestContext,
  ): Promise<Outcome> {
    const { requireLower, requireUpper, requireDigit } = this.config.password;
    const { error = null } = shownPassword;
    const username = details.username ?? details.email;
    const slot = { challenge: request.challenge, browser: context.browser, email: details.email };
    const shownName = { username, displayName: details.displayName ?? username };
    const passkey = this.settings.approval ? null : await this.passkeys.buildOptions(slot, shownName);
    const registration: StateOf<'password'> = {
      status: 'password',
      ...this.#stepMembers(request, context),
      ...shownPassword,
      error,
      username,
      ...(passkey === null ? {} : { passkey }),
      ...this.#approval,
      rules: {
        min_length: this.rules.findMinLength(this.rules.usesSecondFactor({})),
        require_lower: requireLower,
        require_upper: requireUpper,
        require_digit: requireDigit,
      },
    };
    const retryAfter = error === 'busy' ? BUSY_SECONDS : undefined;
    return this.#page(request, { registration, path: PATHS.registerPassword, error, retryAfter }, context);
  }

  /** Shown only after the address is proven. */
  showExistingAccount(request: LoginRequest, context: RequestContext): Outcome {
    const registration: StateOf<'exists'> = { status: 'exists', login_url: toLoginUrl(request.challenge) };
    const options = this.screens.buildCommonValues(request, context).options;
    return page(
      { page: 'registration', registration },
      { ...options, status: 422, cookies: { ...options.cookies, signUp: null } },
    );
  }

  /** The application waits for an operator's decision. */
  showWaitingApplication(request: LoginRequest, email: string, context: RequestContext): Outcome {
    const registration: StateOf<'waits'> = { status: 'waits', sent_to: email, login_url: toLoginUrl(request.challenge) };
    const shownStep = { registration, path: PATHS.registerDetails, error: null, retryAfter: undefined };
    return this.#page(request, shownStep, context);
  }

  get #approval(): { approval?: true } {
    return this.settings.approval ? { approval: true } : {};
  }

  #stepMembers({ challenge }: LoginRequest, context: RequestContext) {
    return { xsrf_token: this.flowPages.xsrfToken(context), login_challenge: challenge };
  }

  #page(
    request: LoginRequest,
    shownStep: {
      registration: RegistrationStepState;
      path: string;
      error: string | null;
      retryAfter: number | undefined;
      isGet?: true | undefined;
    },
    context: RequestContext,
  ): Outcome {
    const { registration, path, error, retryAfter, isGet = false } = shownStep;
    const options: PageOptions = {
      ...this.screens.buildCommonValues(request, context).options,
      self: toSignUpUrl(request.challenge, path),
      ...(error === null || isGet ? {} : { status: STATUS[error] ?? 422 }),
      ...defined({ retryAfterSeconds: retryAfter }),
    };
    return page({ page: 'registration', registration }, options);
  }
}
