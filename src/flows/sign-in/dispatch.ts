/**
 * Decides what comes next in a sign-in; nothing else calls `nextStep`. A step proves who somebody is, and `Dispatch` decides whether
 * to show the second factor or a task, accept the login, refuse it, or ask for another proof. After a second factor or a task, account,
 * factors and client are read again (decision 0011); after a first factor, the login request may have been read up to ten minutes ago
 * (decision 0041).
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
  findProvable,
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
import { SignIns, type IdentifiedSignIn, type Proof, type Proven, type SignIn } from './sign-in.js';
import { replacesCredential, Tasks, type Task, type TaskCase } from './tasks.js';
import { TrustChoice } from './trust-choice.js';
import { lacksNewProof, toChallengeFault, toWantedProof } from './waiting-request.js';

/**
 * Why a proof is not accepted. `new-proof`: the client requires a new authentication, and a provider only confirmed an earlier one.
 * `own-proof`: a password or factor is required, and only a provider or a mailed code has proven the person. `no-set-up`: a factor must be set up, but
 * for this account a provider alone is currently not enough for that. `ended`: the account was disabled or the credential replaced
 * meanwhile. All other refusals are faults of the challenge.
 */
export type Refusal = 'new-proof' | 'own-proof' | 'no-set-up' | 'ended' | ChallengeFault;

export type Next<Reason = Refusal> = { kind: 'answer'; answer: RedirectOutcome } | { kind: 'refused'; refusal: Reason };

/** The next requirement of the sign-in, for the page of the second factor. */
export interface Progress {
  step: NextStep;
  /** The factors that may follow what was proven. */
  factors: FactorCounts;
  /** Where the requirement comes from. */
  wantedBy: 'account' | 'client' | 'installation';
  /** Whether only a security key is accepted, not a code. */
  onlyKey: boolean;
  /** Whether the security key must also verify its user. */
  onlyVerifiedUser: boolean;
  /** Whether a code that is mailed is accepted; not after a mailed code. */
  acceptsMailedCode: boolean;
  /** Whether the page may offer to trust this browser. */
  mayTrustBrowser: boolean;
  /** Until when the set-up of a factor may be postponed; absent if it may not. */
  laterUntil?: Date;
}

/** What a sign-in with a proven first factor waits for. `prove`: a second factor, or a new start; the page of the second factor shows which. */
export type AwaitedStep = { kind: 'task'; task: Task } | { kind: 'prove' } | { kind: 'nothing' };

/** The values that decide which tasks a person has. `credential` is absent for a session. */
interface ProvenPerson extends Pick<Proof, 'account'> {
  amr: readonly string[];
  credential?: Proof['credential'];
  postponed?: TaskCase['postponed'] | undefined;
}

@Injectable()
export class Dispatch {
  constructor(
    private readonly signIns: SignIns,
    private readonly accepting: Accept,
    private readonly carryOn: CarryOn,
    private readonly trust: TrustChoice,
    private readonly tasks: Tasks,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Decides what follows when a step has proven who the person is. A refusal is recorded in the audit log. */
  async afterProof(signIn: SignIn, proven: Proven, context: RequestContext): Promise<Next> {
    const next = await this.#afterProof(signIn, proven, context);
    if (next.kind === 'refused')
      await this.signIns.recordRefusal(next.refusal, { signIn, account: proven.proof.account }, context);
    return next;
  }

  async #afterProof(signIn: SignIn, proven: Proven, context: RequestContext): Promise<Next> {
    const { request } = signIn;
    const progress = this.#toProgress(request, proven.proof);
    const isTrusted = await this.#isTrusted(progress, proven.proof.account, context);
    const step = nextStep({ ...progress, isTrusted });
    switch (step) {
      case 'unmet':
        await this.signIns.recordRefusal('unmet', { signIn, account: proven.proof.account }, context);
        return this.refuse(signIn, context);
      case 'prove':
        return toRefused('own-proof');
      case 'verify':
        return this.#goOn(signIn, { proven, url: toSecondStepUrl(signIn.challenge), enrols: false }, context);
      case 'enrol':
        // Setting up a factor is not a new authentication.
        if (lacksNewProof(proven.proof, request, this.config.hydra)) return toRefused('new-proof');
        return this.#goOn(signIn, { proven, url: toSecondStepUrl(signIn.challenge), enrols: true }, context);
      case 'accept':
        if (lacksNewProof(proven.proof, request, this.config.hydra)) return toRefused('new-proof');
        if (this.#findTasks(request, proven.proof).length > 0)
          return this.#goOn(signIn, { proven, url: toTaskUrl(signIn.challenge), enrols: false }, context);
        return this.#acceptOrCarry(signIn, { ...proven, isTrusted }, context);
    }
  }

  /**
   * Decides what follows when a form claims that a second factor was proven. What was proven is read from the database.
   * @param trustsBrowser whether the person wants no second factor in this browser for some time; ignored where a rule forbids that
   * @returns `unproven` if the proof is not enough
   */
  async afterSecondFactor(
    { challenge }: SignIn,
    { trustsBrowser }: { trustsBrowser: boolean },
    context: RequestContext,
  ): Promise<Next | { kind: 'unproven' }> {
    const signIn = await this.signIns.findIdentified(challenge, context);
    // Another form may have been answered first.
    if (!signIn || signIn.isClosed) return toNext(await this.signIns.findAnswer(challenge, context), 'expired');
    // The rule of the client may have changed since the first factor, so the stored request is not used.
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return toRefused(request);
    const { proven } = signIn;
    const progress = this.#toProgress(request, proven.proof);
    const step = nextStep(progress);
    const current = { ...signIn, request };
    if (step === 'unmet') {
      await this.signIns.recordRefusal('unmet', { signIn: current, account: signIn.account }, context);
      return this.refuse(current, context);
    }
    if (step !== 'accept' || lacksNewProof(proven.proof, request, this.config.hydra)) return { kind: 'unproven' };
    if (this.hasTask(current)) return toTask(challenge, trustsBrowser ? this.trust.confirm(signIn) : undefined);
    const trusts = trustsBrowser ? this.#toTrust(progress, signIn) : undefined;
    return this.#acceptOrCarry(current, { ...withoutOffer(signIn), trusts }, context);
  }

  /**
   * Decides what follows after a task. Account, factors and request are read again, so the answer is the same whether the task was done
   * by this form, by another one, or not at all.
   * @param trust value of `TrustChoice` from the form
   */
  async afterTask({ challenge, trust }: { challenge: string; trust: string }, context: RequestContext): Promise<Next> {
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return toNext(await this.signIns.findAnswer(challenge, context), 'expired');
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return toRefused(request);
    const current = { ...signIn, request };
    const awaitedStep = await this.findAwaited(current, context);
    if (awaitedStep.kind === 'prove') return { kind: 'answer', answer: redirect(toSecondStepUrl(challenge)) };
    if (awaitedStep.kind === 'task') return toTask(challenge, trust === '' ? undefined : trust);
    if (lacksNewProof(signIn.proven.proof, request, this.config.hydra)) return toRefused('new-proof');
    const progress = this.#toProgress(request, signIn.proven.proof);
    const trusts = this.trust.isConfirmed(signIn, trust) ? this.#toTrust(progress, signIn) : undefined;
    const isTrusted = await this.#isTrusted(progress, signIn.account, context);
    return this.#acceptOrCarry(current, { ...withoutOffer(signIn), trusts, isTrusted }, context);
  }

  /** Refuses the request, because the person does not accept the terms. */
  async decline(signIn: SignIn, account: Account, context: RequestContext): Promise<Next<ChallengeFault>> {
    try {
      return toNext(await this.accepting.decline(signIn, account, context), 'used');
    } catch (error) {
      return toRefused(toChallengeFault(error));
    }
  }

  /** Whether the sign-in has an outstanding task, whatever else it has to prove. */
  hasTask({ request, proven }: IdentifiedSignIn): boolean {
    return this.#findTasks(request, proven.proof).length > 0;
  }

  /** A trusted browser counts as it did after the proof: not before a task that replaces a credential (`nextStep`). Writes nothing. */
  async findAwaited({ request, proven, isClosed }: IdentifiedSignIn, { trusted }: RequestContext): Promise<AwaitedStep> {
    if (isClosed) return { kind: 'prove' };
    const progress = this.#toProgress(request, proven.proof);
    const isTrusted = mayBeTrusted(progress) && (await this.trust.isTrusted(proven.proof.account.id, trusted));
    if (nextStep({ ...progress, isTrusted }) !== 'accept') return { kind: 'prove' };
    const [task] = this.#findTasks(request, proven.proof);
    return task ? { kind: 'task', task } : { kind: 'nothing' };
  }

  #toTrust(progress: SignInProgress, { trustStamp: stamp }: IdentifiedSignIn): AcceptableProof['trusts'] {
    const days = mayTrustBrowser(progress) ? this.config.mfa.trustedBrowserDays : 0;
    return days === 0 ? undefined : { lifetimeSeconds: days * 24 * 3600, stamp };
  }

  /**
   * Accepts a request that started again with a proof from an older tab. @returns null if the proof is not enough: the request is then
   * answered like any other
   * @throws ProofOutdated
   */
  async afterRestart(signIn: SignIn, acceptable: AcceptableProof, context: RequestContext): Promise<RedirectOutcome | null> {
    const progress = this.#toProgress(signIn.request, acceptable.proof);
    const isTrusted = await this.#isTrusted(progress, acceptable.proof.account, context);
    // A task that may be postponed does not keep the older tab from continuing.
    const tasks = this.#findTasks(signIn.request, { ...acceptable.proof, postponed: 'everything' });
    if (nextStep({ ...progress, isTrusted }) !== 'accept' || tasks.length > 0) return null;
    return this.accepting.accept(signIn, { ...acceptable, isTrusted }, context);
  }

  /** Continues a session that the person has confirmed. */
  async afterConfirmation(
    signIn: SignIn,
    session: BrowserSession,
    context: RequestContext,
  ): Promise<Next<'ended' | ChallengeFault>> {
    try {
      const restart = await this.carryOn.carrySession(signIn, session, context);
      if (restart) return toNext(await this.signIns.answer(signIn, { outcome: restart, event: null }, context), 'used');
      return toNext(await this.accepting.continueOnce(signIn, session, context), 'used');
    } catch (error) {
      return toRefused(error instanceof ProofOutdated ? 'ended' : toChallengeFault(error));
    }
  }

  /** Refuses the request, because no proof that the person can give is enough. */
  async refuse(signIn: SignIn, context: RequestContext): Promise<Next<ChallengeFault>> {
    try {
      return toNext(await this.accepting.refuse(signIn, context), 'used');
    } catch (error) {
      return toRefused(toChallengeFault(error));
    }
  }

  /** Whether the person stays signed in. @param checkbox value of the checkbox in the form or the link */
  remembers(checkbox: string | undefined): boolean {
    const { remember } = this.config.login;
    return remember === 'ask' ? checkbox === 'true' : remember === 'on';
  }

  /** Whether a session was proven as strongly as request, client and account require now (S-58), and its person has no task. */
  isEnough(
    request: LoginRequest,
    { account, session, factors }: { account: Account; session: BrowserSession; factors: FactorCounts },
  ): boolean {
    const progress = this.#toProgress(request, { account, factors, amr: session.amr });
    const { amr } = session;
    const tasks = this.#findTasks(request, { account, amr, postponed: 'everything' }, amr.includes('pwd'));
    return tasks.length === 0 && nextStep({ ...progress, isTrusted: session.isTrusted }) === 'accept';
  }

  /** @returns the next requirement of a sign-in that waits for its second factor */
  progress(signIn: IdentifiedSignIn): Progress {
    const progress = this.#toProgress(signIn.request, signIn.proven.proof);
    const step = nextStep(progress);
    const isPostponable = step === 'enrol' && nextStep({ ...progress, isPostponed: true }) === 'accept';
    return {
      step,
      ...(isPostponable ? defined({ laterUntil: progress.wantedProof.factorFrom }) : {}),
      factors: findProvable(signIn.amr, signIn.factors),
      wantedBy: progress.wantedProof.requiredBy,
      onlyKey: wantsKey(progress),
      onlyVerifiedUser: wantsHardware(progress),
      acceptsMailedCode: !signIn.amr.includes('mail'),
      mayTrustBrowser: mayTrustBrowser(progress),
    };
  }

  /**
   * Collects the methods that were proven, the factors of the account, and the proof that is required.
   * @param proof without a credential for a session, in which no credential is replaced and a set-up of a factor counts as postponed
   */
  #toProgress(
    request: LoginRequest,
    proof: Pick<Proof, 'account' | 'factors' | 'postponed'> & { amr: readonly string[]; credential?: Proof['credential'] },
  ): SignInProgress {
    const { account, factors, amr, credential } = proof;
    const replacesPassword =
      credential !== undefined && this.#findTasks(request, { ...proof, credential }).some(replacesCredential);
    const wantedProof = toWantedProof(request, account, { config: this.config, now: this.tasks.now() });
    const isPostponed = credential === undefined || proof.postponed?.includes('factor') === true;
    return { provenMethods: amr, factors, wantedProof, replacesPassword, isPostponed };
  }

  /** @param provesPassword a password that a source has verified has no version here */
  #findTasks(
    { client }: LoginRequest,
    { account, amr, credential, postponed = [] }: ProvenPerson,
    provesPassword = credential?.passwordVersion !== undefined,
  ): Task[] {
    return this.tasks.find({ account, clientId: client.id, provesPassword, amr, postponed });
  }

  /** Whether the person trusts this browser in place of a second factor, and no rule forbids that. */
  async #isTrusted(progress: SignInProgress, account: Account, { trusted }: RequestContext): Promise<boolean> {
    return mayBeTrusted(progress) && this.trust.use(account.id, trusted);
  }

  /** Accepts, or carries the proof to a new request if Hydra cannot finish this one any more. */
  async #acceptOrCarry(signIn: SignIn, acceptable: AcceptableProof, context: RequestContext): Promise<Next> {
    try {
      const restart = await this.carryOn.carryProof(signIn, acceptable, context);
      if (restart) return toNext(await this.signIns.answer(signIn, { outcome: restart, event: null }, context), 'used');
      return toNext(await this.accepting.accept(signIn, acceptable, context), 'used');
    } catch (error) {
      return toRefused(toRefusal(error));
    }
  }

  /** The browser gets a new id, so that an id that was planted or seen before is worthless after the first factor. */
  async #goOn(
    signIn: SignIn,
    { proven, url, enrols }: { proven: Proven; url: string; enrols: boolean },
    context: RequestContext,
  ): Promise<Next> {
    const browser = await this.accepting.createBrowserId(context);
    const answer = redirect(url, { browser });
    try {
      const identification = {
        browser: context.browser,
        nextBrowser: browser.id,
        manageSession: context.manageSession,
        answer: writeAnswer(answer, context),
        enrols,
      };
      if (await this.signIns.identify(signIn, proven, identification)) return { kind: 'answer', answer };
    } catch (error) {
      return toRefused(toRefusal(error));
    }
    return toNext(await this.signIns.findAnswer(signIn.challenge, context), 'used');
  }
}

/** Whether a trusted browser would be enough. */
function mayBeTrusted(progress: SignInProgress): boolean {
  return progress.replacesPassword !== true && nextStep(progress) === 'verify' && mayTrustBrowser(progress);
}

function toTask(challenge: string, trust: string | undefined): Next {
  return { kind: 'answer', answer: redirect(toTaskUrl(challenge, trust)) };
}

/** A person who has just set up a factor is not offered a passkey as well. */
function withoutOffer({ proven, enrolmentId }: IdentifiedSignIn): Proven {
  if (enrolmentId === null) return proven;
  return { ...proven, browser: { ...proven.browser, passkeyCreation: undefined } };
}

/** @returns what a page after the first factor shows: a person whose proof is no longer valid has to sign in from the start */
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

function toRefused<Reason extends Refusal>(refusal: Reason): Next<Reason> {
  return { kind: 'refused', refusal };
}

/** @param refusal the reason if there is no answer */
function toNext<Reason extends Refusal>(answer: RedirectOutcome | null, refusal: Reason): Next<Reason> {
  return answer ? { kind: 'answer', answer } : toRefused(refusal);
}

/** Rethrows errors that are not refusals. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof ProofOutdated) return 'ended';
  if (error instanceof OwnProofNeeded) return 'no-set-up';
  return toChallengeFault(error);
}
