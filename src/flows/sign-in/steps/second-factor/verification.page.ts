/** Maps a sign-in that waits for its second factor to the state of the page (MFV-1 to MFV-3). */
import { Inject, Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../../../accounts/sessions/manage-sessions.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { defined } from '../../../../config/defined.js';
import { MANAGE_QUERY } from '../../../../contract/form-fields.js';
import { toSpecifiedFlags } from '../../../../contract/mfa-fields.js';
import type { MfaFactorState, MfaVerificationState } from '../../../../contract/mfa-state.js';
import type { ChallengeFault } from '../../../../contract/page-state.js';
import { PATHS } from '../../../../contract/paths.js';
import { page, type PageOutcome } from '../../../../gateway/page/outcome.js';
import { toRestartState, type PresentedChallenge } from '../../../../gateway/page/return-tickets.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { FactorKind, ProofKind } from '../../../../mfa/factor.port.js';
import { FactorRegistry, KINDS, PROOF_KINDS } from '../../../../mfa/registry.js';
import { toCount, isRecovery } from '../../../../mfa/held-factors.js';
import { toAccountState } from '../../../../accounts/account/account-state.js';
import type { Requirement } from '../../dispatch.js';
import { FlowPages } from '../../flow-pages.js';
import { toLoginUrl, toSecondStepUrl } from '../../login-url.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import { toClientState } from '../../waiting-request.js';
import { SecondFactor } from './second-factor.js';

/** Page state that depends on this request. */
export interface ShownState extends Partial<
  Pick<MfaVerificationState, 'error' | 'retry_after' | 'setup' | 'codes' | 'mfa_token' | 'view'>
> {
  /** The factor that the address or form names; ignored if the account does not have it. */
  method?: string | undefined;
  factorToSetUp?: string | undefined;
  /** Whether the person has checked "trust this browser" in the form. */
  trustsBrowser?: boolean;
  status?: number;
}

/** The sign-in that is shown, and its requirement. */
export interface ShownSignIn {
  signIn: IdentifiedSignIn;
  requirement: Requirement;
  context: RequestContext;
}

/** Prefix of a view that sets up a factor; the name of the factor follows. */
const ENROL_PREFIX = 'enrol-';
const FIRST_FACTOR = KINDS[0]?.name ?? '';

@Injectable()
export class VerificationPages {
  constructor(
    private readonly secondFactor: SecondFactor,
    private readonly enrolments: ManageSessionRecords,
    private readonly pages: FlowPages,
    private readonly registry: FactorRegistry,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  async show(shownSignIn: ShownSignIn, shownState: ShownState): Promise<PageOutcome> {
    const { signIn, requirement, context } = shownSignIn;
    const { challenge, enrolmentId } = signIn;
    const { method, factorToSetUp, trustsBrowser: _, status = 200, setup, ...result } = shownState;
    const frame = this.#buildFrame(shownSignIn);
    // This sign-in began without a set-up, because none was required at that time: a set-up needs a new sign-in, with its own checks.
    if (requirement.step === 'enrol' && enrolmentId === null) {
      return this.buildFaultPage('expired', { challenge, ticket: frame.ticket }, context);
    }
    const factors = this.#toFactors(requirement, signIn);
    const view = toView(requirement, factors, { method, factorToSetUp });
    const requestUrl = this.pages.authorizationRequest(signIn.request)?.href;
    const state: MfaVerificationState = {
      ...frame,
      token: this.secondFactor.buildCallToken(signIn),
      factors: await this.#addState(factors, view, signIn),
      ...toSpecifiedFlags(factors),
      view,
      ...this.#buildTrustOffer(requirement, view, shownState),
      ...defined({ cancel_url: requestUrl }),
      ...(view.startsWith('enrol') ? defined({ later_until: requirement.laterUntil?.toISOString() }) : {}),
      ...(requirement.step === 'enrol' && enrolmentId !== null
        ? { enrol_token: this.enrolments.createFirstToken(enrolmentId) }
        : {}),
      // If a factor was set up in the meantime, it must be proven instead.
      ...(setup && requirement.step === 'enrol' ? { setup } : {}),
      ...result,
    };
    return this.#buildPage(state, signIn, { status, self: toSelfUrl(challenge, view) });
  }

  /**
   * @returns nothing if this form cannot make the browser trusted, such as the form for a recovery code: the code replaces a lost
   * factor, and does not make a browser trusted
   */
  #buildTrustOffer({ step, mayTrustBrowser }: Requirement, view: string, { trustsBrowser = false }: ShownState) {
    const days = this.config.mfa.trustedBrowserDays;
    if (step !== 'verify' || !mayTrustBrowser || days === 0 || isRecovery(view)) return {};
    return { trust_days: days, ...(trustsBrowser ? { trust_checked: true as const } : {}) };
  }

  /** If only a key is accepted, nothing else is offered. */
  #toFactors({ step, factors, onlyKey }: Requirement, signIn: IdentifiedSignIn): MfaFactorState[] {
    const isUsable = (kind: ProofKind): boolean => (!onlyKey || kind.amr === 'hwk') && this.registry.isUsed(kind);
    const kinds = KINDS.filter((kind) => this.registry.isOfferedAtSignIn(kind) && isUsable(kind));
    const offeredKinds = step === 'enrol' ? this.#findPossibleKinds(signIn, kinds) : kinds;
    return PROOF_KINDS.filter((kind) => this.registry.isUsed(kind)).map((kind) => ({
      name: kind.name,
      registered: toCount(factors, kind) > 0 && isUsable(kind),
      offered: offeredKinds.some(({ name }) => name === kind.name),
    }));
  }

  /**
   * Leaves out codes by mail for an account without an address. If nothing else is offered, the codes remain, and their set-up states what
   * is missing.
   */
  #findPossibleKinds({ account }: IdentifiedSignIn, kinds: FactorKind[]): FactorKind[] {
    const possibleKinds = kinds.filter(({ byMail }) => !byMail);
    if (possibleKinds.length === 0 || possibleKinds.length === kinds.length) return kinds;
    return account.email === undefined ? possibleKinds : kinds;
  }

  async #addState(factors: MfaFactorState[], view: string, signIn: IdentifiedSignIn): Promise<MfaFactorState[]> {
    const state = await this.registry.find(view)?.findProofState(this.secondFactor.toSlot(signIn));
    return !state ? factors : factors.map((factor) => (factor.name === view ? { ...factor, state } : factor));
  }

  /** After too many failures, the page links to the login page of the same request. */
  buildClosedPage(shownSignIn: ShownSignIn): PageOutcome {
    const { challenge } = shownSignIn.signIn;
    const state: MfaVerificationState = {
      ...this.#buildFrame(shownSignIn),
      error: 'closed',
      restart_url: toLoginUrl(challenge),
    };
    return this.#buildPage(state, shownSignIn.signIn, { status: 403, self: toSecondStepUrl(challenge) });
  }

  /**
   * The page without forms: it states why the challenge cannot be used.
   * @param presentedChallenge `isRecorded`: the audit log has an event of this request
   */
  buildFaultPage(
    fault: ChallengeFault,
    { isRecorded = false, ...presentedChallenge }: PresentedChallenge & { isRecorded?: boolean },
    context: RequestContext,
  ): PageOutcome {
    const { challenge } = presentedChallenge;
    const restartUrl = this.pages.restartUrl(presentedChallenge, context);
    const state: MfaVerificationState = {
      ...createEmptyState(this.pages.xsrfToken(context)),
      error: 'challenge',
      challenge_fault: fault,
      ...toRestartState(restartUrl),
      ...(isRecorded ? { request_id: context.requestId } : {}),
    };
    const self = challenge === '' ? PATHS.mfaVerify : toSecondStepUrl(challenge);
    return page({ page: 'mfa_verification', mfa_verification: state }, { status: 400, self });
  }

  #buildFrame({ signIn: { challenge, account, request }, requirement, context }: ShownSignIn): MfaVerificationState {
    return {
      ...createEmptyState(this.pages.xsrfToken(context)),
      login_challenge: challenge,
      account: toAccountState(account),
      client: toClientState(request.client),
      wanted_by: requirement.wantedBy,
      ticket: this.pages.ticket(request),
    };
  }

  #buildPage(state: MfaVerificationState, { request }: IdentifiedSignIn, options: { status: number; self: string }): PageOutcome {
    const retry = state.retry_after === undefined ? {} : { retryAfterSeconds: state.retry_after };
    return page(
      { page: 'mfa_verification', mfa_verification: state },
      { ...options, ...this.pages.pageOptions(request), ...retry },
    );
  }
}

function createEmptyState(xsrfToken: string): MfaVerificationState {
  return {
    token: '',
    factors: [],
    totp_registered: false,
    fido2_registered: false,
    login_challenge: '',
    xsrf_token: xsrfToken,
    view: FIRST_FACTOR,
    error: null,
    recovery_codes_left: false,
    wanted_by: 'installation',
    ticket: '',
  };
}

function toView(
  { step }: Requirement,
  factors: readonly MfaFactorState[],
  { method, factorToSetUp }: Pick<ShownState, 'method' | 'factorToSetUp'>,
): string {
  if (step === 'enrol') {
    return factors.some(({ name, offered }) => offered && name === factorToSetUp)
      ? `${ENROL_PREFIX}${factorToSetUp ?? ''}`
      : 'enrol';
  }
  const registeredFactors = factors.filter((factor) => factor.registered);
  if (method !== undefined && registeredFactors.some(({ name }) => name === method)) return method;
  const [firstFactor, secondFactor] = registeredFactors.filter(({ name }) => !isRecovery(name));
  if (secondFactor) return 'choose';
  return firstFactor?.name ?? FIRST_FACTOR;
}

function toSelfUrl(challenge: string, view: string): string {
  const query = view.startsWith(ENROL_PREFIX)
    ? { [MANAGE_QUERY.setup]: view.slice(ENROL_PREFIX.length) }
    : PROOF_KINDS.some(({ name }) => name === view)
      ? { [MANAGE_QUERY.method]: view }
      : {};
  return toSecondStepUrl(challenge, query);
}
