/**
 * Decides what comes next in a sign-in; no other class calls `nextStep`. A step proves who the person is, and `Dispatch` decides
 * whether to show the second factor or a task, accept the login, refuse it, or ask for another proof. After a second factor or a task,
 * account, factors and client are read again (decision 0011); after a first factor, the login request may have been read up to ten
 * minutes ago (decision 0041).
 */
import { Inject, Injectable } from '@nestjs/common';
import { OwnProofNeeded, ProofOutdated } from '../../accounts/account/account.errors.js';
import type { Account } from '../../accounts/account/accounts.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import type { BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import {
  findProvableFactors,
  mayTrustBrowser,
  nextStep,
  wantsHardware,
  wantsKey,
  type NextStep,
  type SignInProgress,
} from '../../mfa/next-step.js';
import { Accept, type AcceptableProof } from './accept.js';
import { writeAnswer } from './answers.js';
import { CarryOn } from './carry-on.js';
import { toSecondStepUrl, toTaskUrl } from './login-url.js';
import { SignIns, type IdentifiedSignIn, type Proof, type StepResult, type SignIn } from './sign-in.js';
import { isCredentialReplacement, Tasks, type Task, type TaskCase } from './tasks.js';
import { TrustChoice } from './trust-choice.js';
import { lacksNewProof, toChallengeFault, toWantedProof } from './waiting-request.js';

/**
 * Why a proof is not accepted. `new-proof`: the client requires a new authentication, and a provider only confirmed an earlier one.
 * `own-proof`: a password or factor is required, and only a provider or a mailed code has proven the person. `no-set-up`: a factor must be
 * set up, but for this account a provider alone is currently not enough for that. `ended`: the account was disabled or the credential
 * replaced meanwhile. All other refusals are faults of the challenge.
 */
export type Refusal = 'new-proof' | 'own-proof' | 'no-set-up' | 'ended' | ChallengeFault;

export type DispatchResult<Reason = Refusal> = { kind: 'answer'; answer: RedirectOutcome } | { kind: 'refused'; refusal: Reason };

/** What a sign-in with a proven first factor still requires, for the page of the second factor. */
export interface Requirement {
  step: NextStep;
  /** The factors of the account that may follow the methods that were proven. */
  factors: FactorCounts;
  /** Where the requirement comes from. */
  wantedBy: 'account' | 'client' | 'installation';
  /** Whether only a security key or a passkey is accepted, not a code. */
  onlyKey: boolean;
  /** Whether the key must also verify its user. */
  onlyVerifiedUser: boolean;
  /** Whether a mailed code is accepted; false after a sign-in with a mailed code. */
  acceptsMailedCode: boolean;
  /** Whether the page may offer to trust this browser. */
  mayTrustBrowser: boolean;
  /** Until when the set-up of a factor may be postponed; absent if it may not. */
  laterUntil?: Date;
}

/**
 * What a sign-in with a proven first factor waits for. `prove`: a second factor, or a new start of the sign-in; the page of the second
 * factor shows which.
 */
export type AwaitedStep = { kind: 'task'; task: Task } | { kind: 'prove' } | { kind: 'nothing' };

/** The values that decide which tasks a person has. `credential` is absent for a session, which does not store one. */
interface ProvenPerson extends Pick<Proof, 'account'> {
  amr: readonly string[];
  credential?: Proof['credential'];
  postponed?: TaskCase['postponed'] | undefined;
}

@Injectable()
export class Dispatch {
  constructor(
    private readonly signIns: SignIns,
    private readonly acceptance: Accept,
    private readonly carryOn: CarryOn,
    private readonly trust: TrustChoice,
    private readonly tasks: Tasks,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Decides what follows when a step has proven who the person is. A refusal is recorded in the audit log. */
  async afterProof(signIn: SignIn, stepResult: StepResult, context: RequestContext): Promise<DispatchResult> {
    const result = await this.#decide(signIn, stepResult, context);
    if (result.kind === 'refused')
      await this.signIns.recordRefusal(result.refusal, { signIn, account: stepResult.proof.account }, context);
    return result;
  }

  async #decide(signIn: SignIn, stepResult: StepResult, context: RequestContext): Promise<DispatchResult> {
    const { request, challenge } = signIn;
    const { proof } = stepResult;
    const progress = this.#toProgress(request, proof);
    const isTrusted = await this.#isTrusted(progress, proof.account, context);
    switch (nextStep({ ...progress, isTrusted })) {
      case 'unmet':
        return this.#refuse(signIn, proof.account, context);
      case 'prove':
        return toRefused('own-proof');
      case 'verify':
        return this.#storeFirstFactor(signIn, { stepResult, url: toSecondStepUrl(challenge), enrols: false }, context);
      case 'enrol':
        // Setting up a factor is not a new authentication.
        if (lacksNewProof(proof, request, this.config.hydra)) return toRefused('new-proof');
        return this.#storeFirstFactor(signIn, { stepResult, url: toSecondStepUrl(challenge), enrols: true }, context);
      case 'accept':
        if (lacksNewProof(proof, request, this.config.hydra)) return toRefused('new-proof');
        if (this.#findTasks(request, proof).length > 0)
          return this.#storeFirstFactor(signIn, { stepResult, url: toTaskUrl(challenge), enrols: false }, context);
        return this.#acceptOrCarry(signIn, { ...stepResult, isTrusted }, context);
    }
  }

  /**
   * Decides what follows after the form of the second factor. The proof is read from the database, not from the form.
   * @param trustsBrowser whether the person wants to trust this browser; ignored where a rule forbids it
   * @returns `unproven` if the proof is not enough
   */
  async afterSecondFactor(
    { challenge }: SignIn,
    { trustsBrowser }: { trustsBrowser: boolean },
    context: RequestContext,
  ): Promise<DispatchResult | { kind: 'unproven' }> {
    const signIn = await this.signIns.findIdentified(challenge, context);
    // Another form may have been answered first.
    if (!signIn || signIn.isClosed) return toResult(await this.signIns.findAnswer(challenge, context), 'expired');
    // The rule of the client may have changed since the first factor, so the stored request is not used.
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return toRefused(request);
    const { stepResult } = signIn;
    const progress = this.#toProgress(request, stepResult.proof);
    const step = nextStep(progress);
    const currentSignIn = { ...signIn, request };
    if (step === 'unmet') return this.#refuse(currentSignIn, signIn.account, context);
    if (step !== 'accept' || lacksNewProof(stepResult.proof, request, this.config.hydra)) return { kind: 'unproven' };
    if (this.hasTask(currentSignIn)) return toTask(challenge, trustsBrowser ? this.trust.issueConfirmation(signIn) : undefined);
    const trusts = trustsBrowser ? this.#toTrust(progress, signIn) : undefined;
    return this.#acceptOrCarry(currentSignIn, { ...dropOffer(signIn), trusts }, context);
  }

  /**
   * Decides what follows after a task. Account, factors and request are read again, so the answer is correct whether the task was done
   * by this form, by another one, or not at all.
   * @param trust value of `TrustChoice` from the form
   */
  async afterTask({ challenge, trust }: { challenge: string; trust: string }, context: RequestContext): Promise<DispatchResult> {
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return toResult(await this.signIns.findAnswer(challenge, context), 'expired');
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return toRefused(request);
    const currentSignIn = { ...signIn, request };
    const awaitedStep = await this.findAwaitedStep(currentSignIn, context);
    if (awaitedStep.kind === 'prove') return { kind: 'answer', answer: redirect(toSecondStepUrl(challenge)) };
    if (awaitedStep.kind === 'task') return toTask(challenge, trust === '' ? undefined : trust);
    if (lacksNewProof(signIn.stepResult.proof, request, this.config.hydra)) return toRefused('new-proof');
    const progress = this.#toProgress(request, signIn.stepResult.proof);
    const trusts = this.trust.isConfirmed(signIn, trust) ? this.#toTrust(progress, signIn) : undefined;
    const isTrusted = await this.#isTrusted(progress, signIn.account, context);
    return this.#acceptOrCarry(currentSignIn, { ...dropOffer(signIn), trusts, isTrusted }, context);
  }

  /** Refuses the request, because the person does not accept the terms. */
  async decline(signIn: SignIn, account: Account, context: RequestContext): Promise<DispatchResult<ChallengeFault>> {
    try {
      return toResult(await this.acceptance.decline(signIn, account, context), 'used');
    } catch (error) {
      return toRefused(toChallengeFault(error));
    }
  }

  /** Whether a task is outstanding, even if a factor has to be proven first. */
  hasTask({ request, stepResult }: IdentifiedSignIn): boolean {
    return this.#findTasks(request, stepResult.proof).length > 0;
  }

  /**
   * Finds what the sign-in waits for, and writes nothing. As after a proof, a trusted browser replaces the second factor, except before a
   * task that replaces the password or the address.
   */
  async findAwaitedStep(
    { request, stepResult, isClosed }: IdentifiedSignIn,
    { trustedBrowserSecrets: trusted }: RequestContext,
  ): Promise<AwaitedStep> {
    if (isClosed) return { kind: 'prove' };
    const progress = this.#toProgress(request, stepResult.proof);
    const isTrusted = mayBeTrusted(progress) && (await this.trust.isTrusted(stepResult.proof.account.id, trusted));
    if (nextStep({ ...progress, isTrusted }) !== 'accept') return { kind: 'prove' };
    const [task] = this.#findTasks(request, stepResult.proof);
    return task ? { kind: 'task', task } : { kind: 'nothing' };
  }

  #toTrust(progress: SignInProgress, { trustStamp: stamp }: IdentifiedSignIn): AcceptableProof['trusts'] {
    const days = mayTrustBrowser(progress) ? this.config.mfa.trustedBrowserDays : 0;
    return days === 0 ? undefined : { lifetimeSeconds: days * 24 * 3600, stamp };
  }

  /**
   * Accepts a request that started again with a proof from an older tab.
   * @returns null if the proof is not enough, a task is due, or another form has been answered first: the request is then answered like any
   * other
   * @throws ProofOutdated
   */
  async afterRestart(signIn: SignIn, acceptableProof: AcceptableProof, context: RequestContext): Promise<RedirectOutcome | null> {
    const progress = this.#toProgress(signIn.request, acceptableProof.proof);
    const isTrusted = await this.#isTrusted(progress, acceptableProof.proof.account, context);
    // A task that may be postponed does not keep the older tab from continuing.
    const tasks = this.#findTasks(signIn.request, { ...acceptableProof.proof, postponed: 'everything' });
    if (nextStep({ ...progress, isTrusted }) !== 'accept' || tasks.length > 0) return null;
    return this.acceptance.accept(signIn, { ...acceptableProof, isTrusted }, context);
  }

  /** Continues a session that the person has confirmed. */
  async afterConfirmation(
    signIn: SignIn,
    session: BrowserSession,
    context: RequestContext,
  ): Promise<DispatchResult<'ended' | ChallengeFault>> {
    try {
      const restart = await this.carryOn.carrySession(signIn, session, context);
      if (restart) return toResult(await this.signIns.answer(signIn, { outcome: restart, event: null }, context), 'used');
      return toResult(await this.acceptance.continueOnce(signIn, session, context), 'used');
    } catch (error) {
      return toRefused(error instanceof ProofOutdated ? 'ended' : toChallengeFault(error));
    }
  }

  /** Refuses the request, because no proof that the person can give is enough. Records nothing: the refused proof was recorded. */
  refuse(signIn: SignIn, context: RequestContext): Promise<DispatchResult<ChallengeFault>> {
    return this.#refuse(signIn, null, context);
  }

  async #refuse(signIn: SignIn, account: Account | null, context: RequestContext): Promise<DispatchResult<ChallengeFault>> {
    try {
      return toResult(await this.acceptance.refuse(signIn, account, context), 'used');
    } catch (error) {
      return toRefused(toChallengeFault(error));
    }
  }

  /** Whether the person stays signed in. @param checkbox value of the checkbox in the form or the link */
  remembers(checkbox: string | undefined): boolean {
    const { remember } = this.config.login;
    return remember === 'ask' ? checkbox === 'true' : remember === 'on';
  }

  /** Whether a session was proven as strongly as request, client and account require now (S-58), and no task is due. */
  isEnough(
    request: LoginRequest,
    { account, session, factors }: { account: Account; session: BrowserSession; factors: FactorCounts },
  ): boolean {
    const { amr, isTrusted } = session;
    const progress = this.#toProgress(request, { account, factors, amr });
    const tasks = this.#findTasks(request, { account, amr, postponed: 'everything' });
    return tasks.length === 0 && nextStep({ ...progress, isTrusted }) === 'accept';
  }

  /** @param signIn waits for its second factor */
  toRequirement(signIn: IdentifiedSignIn): Requirement {
    const progress = this.#toProgress(signIn.request, signIn.stepResult.proof);
    const step = nextStep(progress);
    const isPostponable = step === 'enrol' && nextStep({ ...progress, isPostponed: true }) === 'accept';
    return {
      step,
      ...(isPostponable ? defined({ laterUntil: progress.wantedProof.factorFrom }) : {}),
      factors: findProvableFactors(signIn.amr, signIn.factors),
      wantedBy: progress.wantedProof.requiredBy,
      onlyKey: wantsKey(progress),
      onlyVerifiedUser: wantsHardware(progress),
      acceptsMailedCode: !signIn.amr.includes('mail'),
      mayTrustBrowser: mayTrustBrowser(progress),
    };
  }

  /**
   * Collects what `nextStep` needs: the methods that were proven, the factors of the account, and the proof that is required.
   * @param proof `credential` is absent for a session: no task replaces a credential then, and the set-up of a factor counts as postponed
   */
  #toProgress(
    request: LoginRequest,
    proof: Pick<Proof, 'account' | 'factors' | 'postponed'> & { amr: readonly string[]; credential?: Proof['credential'] },
  ): SignInProgress {
    const { account, factors, amr, credential } = proof;
    const replacesCredential =
      credential !== undefined && this.#findTasks(request, { ...proof, credential }).some(isCredentialReplacement);
    const wantedProof = toWantedProof(request, account, { config: this.config, now: this.tasks.now() });
    const isPostponed = credential === undefined || proof.postponed?.includes('factor') === true;
    return { provenMethods: amr, factors, wantedProof, replacesCredential, isPostponed };
  }

  /** In a sign-in, a password that a source has verified has no version, so no new password is required. */
  #findTasks({ client }: LoginRequest, { account, amr, credential, postponed = [] }: ProvenPerson): Task[] {
    const provesPassword = credential ? credential.passwordVersion !== undefined : amr.includes('pwd');
    return this.tasks.find({ account, clientId: client.id, provesPassword, amr, postponed });
  }

  /**
   * Whether the person trusts this browser in place of a second factor, and no rule forbids that. Records the use of the trusted browser.
   */
  async #isTrusted(
    progress: SignInProgress,
    account: Account,
    { trustedBrowserSecrets: trusted }: RequestContext,
  ): Promise<boolean> {
    return mayBeTrusted(progress) && this.trust.use(account.id, trusted);
  }

  /** Accepts, or carries the proof to a new request if Hydra cannot finish this one any more. */
  async #acceptOrCarry(signIn: SignIn, acceptableProof: AcceptableProof, context: RequestContext): Promise<DispatchResult> {
    try {
      const restart = await this.carryOn.carryProof(signIn, acceptableProof, context);
      if (restart) return toResult(await this.signIns.answer(signIn, { outcome: restart, event: null }, context), 'used');
      return toResult(await this.acceptance.accept(signIn, acceptableProof, context), 'used');
    } catch (error) {
      return toRefused(toRefusal(error));
    }
  }

  /**
   * Stores what the first factor has proven, and redirects to the page of the next step. The browser gets a new id, so that an id that was
   * planted or seen before is worthless after the first factor.
   */
  async #storeFirstFactor(
    signIn: SignIn,
    { stepResult, url, enrols }: { stepResult: StepResult; url: string; enrols: boolean },
    context: RequestContext,
  ): Promise<DispatchResult> {
    const browser = await this.acceptance.createBrowserId(context);
    const answer = redirect(url, { browser });
    try {
      const identification = {
        browser: context.browser,
        nextBrowser: browser.id,
        manageSession: context.manageSession,
        answer: writeAnswer(answer, context),
        enrols,
      };
      if (await this.signIns.identify(signIn, stepResult, identification)) return { kind: 'answer', answer };
    } catch (error) {
      return toRefused(toRefusal(error));
    }
    return toResult(await this.signIns.findAnswer(signIn.challenge, context), 'used');
  }
}

/** Whether a trusted browser would be enough. */
function mayBeTrusted(progress: SignInProgress): boolean {
  return progress.replacesCredential !== true && nextStep(progress) === 'verify' && mayTrustBrowser(progress);
}

function toTask(challenge: string, trust: string | undefined): DispatchResult {
  return { kind: 'answer', answer: redirect(toTaskUrl(challenge, trust)) };
}

/** A person who was asked to set up a factor in this sign-in is not offered a passkey as well. */
function dropOffer({ stepResult, enrolmentId }: IdentifiedSignIn): StepResult {
  if (enrolmentId === null) return stepResult;
  return { ...stepResult, browser: { ...stepResult.browser, passkeyCreation: undefined } };
}

/**
 * @returns what a page after the first factor shows: a person whose proof is not enough or no longer valid has to sign in from the start
 */
export function toShownRefusal(refusal: Refusal): ChallengeFault {
  switch (refusal) {
    case 'ended':
    case 'own-proof':
    case 'new-proof':
    case 'no-set-up':
      return 'expired';
    default:
      return refusal;
  }
}

function toRefused<Reason extends Refusal>(refusal: Reason): DispatchResult<Reason> {
  return { kind: 'refused', refusal };
}

/** @param refusal the reason if there is no answer */
function toResult<Reason extends Refusal>(answer: RedirectOutcome | null, refusal: Reason): DispatchResult<Reason> {
  return answer ? { kind: 'answer', answer } : toRefused(refusal);
}

/** Rethrows errors that are not refusals. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof ProofOutdated) return 'ended';
  if (error instanceof OwnProofNeeded) return 'no-set-up';
  return toChallengeFault(error);
}
