/**
 * One sign-in: a login request of Hydra in the browser that opened it. The browser gets a new id when a second factor is required or a
 * task is outstanding, and when the login is accepted, and the sign-in moves to the new id. A sign-in is in one of these states:
 *
 *   open        the page is shown; steps may prove who the person is (`steps/`)
 *   identified  a first factor was proven, and a second one is required or a task is outstanding (`Dispatch`)
 *   answered    accepted, refused, continued in a session that was confirmed (`Accept`), or started again (`CarryOn`)
 *
 * `accounts/sessions/sign-in-records.ts` stores the sign-ins.
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { AuditLog, type AuditEvent } from '../../accounts/audit/audit-log.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import {
  SignInRecords,
  type ClaimedSignIn,
  type CredentialVersion,
  type Identification,
  type IdentifiedRecord,
} from '../../accounts/sessions/sign-in-records.js';
import { Clock } from '../../config/clock.js';
import { defined } from '../../config/defined.js';
import type { Amr } from '../../contract/authentication.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import type { PasskeyCreation } from '../../contract/passkey-state.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { CookieChange, RedirectOutcome } from '../../gateway/page/outcome.js';
import { Xsrf } from '../../gateway/security/xsrf.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { hasSessionCookie, readAnswer, writeAnswer } from './answers.js';
import type { PostponableTask } from './tasks.js';
import { toChallengeFault, toShownFault } from './waiting-request.js';

/** A sign-in that is open in this browser. */
export interface SignIn {
  id: string;
  challenge: string;
  request: LoginRequest;
  /** Whether the sign-in waits for a second factor or a task. A step may still prove a person again, which replaces the first factor. */
  isIdentified: boolean;
}

/** The statement of a provider about a person whom it has authenticated. */
export interface ProviderStatement {
  id: string;
  /** When the provider authenticated the person; null if the provider does not state it. */
  authTime: Date | null;
  /**
   * Whether the provider may only have confirmed a session that the person already had there: the time is earlier than the request or
   * unknown.
   */
  isEarlierSession: boolean;
}

/** How a person was proven. */
export interface Proof {
  account: Account;
  /** The second factors of the account. */
  factors: FactorCounts;
  /** All methods proven for this request; `acr` follows from them. */
  amr: readonly Amr[];
  /** The version of the credential that was proven; it must not have been replaced since. */
  credential: CredentialVersion;
  /** Absent unless a provider proved the person; a registration service makes no such statement. */
  provider?: ProviderStatement | undefined;
  /** The tasks that the person has postponed in this sign-in. */
  postponed?: readonly PostponableTask[] | undefined;
}

/** The facts that the form and the browser sent with the proof, and what is stored about the device. */
export interface BrowserFacts {
  /** "Stay signed in". */
  remember: boolean;
  /**
   * Whether the device of this browser must not be stored for the account: it is stored already and not due for renewal, or the proof
   * makes no device known (`ProvenCode`).
   */
  isDeviceStored: boolean;
  /** Whether the device is stored for this account or another one; absent if that was not looked up. */
  isOwnedDevice?: boolean | undefined;
  /** How the browser can create a passkey; absent if no passkey may be offered (`passkey-offer.ts`). */
  passkeyCreation?: PasskeyCreation | undefined;
  /** Secret of an offer to connect an identity with the proven account. */
  connectOffer?: string | undefined;
}

/** What a step hands to `Dispatch` when it has proven who the person is. */
export interface StepResult {
  proof: Proof;
  browser: BrowserFacts;
}

/** A sign-in whose first factor was proven. */
export interface IdentifiedSignIn extends SignIn, Omit<IdentifiedRecord, 'proof' | 'request'> {
  stepResult: StepResult;
}

/** The result of claiming a request for a browser. */
export type ClaimResult =
  | { kind: 'open'; signIn: SignIn }
  /** The same form was answered a moment ago (double click). */
  | { kind: 'repeated'; answer: RedirectOutcome }
  | { kind: 'fault'; fault: ChallengeFault };

/**
 * The sign-in that is found for a form. `session`: Hydra has a session for this request (`skip`), so the form is not evaluated. Whether
 * the session belongs to this browser was not checked.
 */
export type FoundSignIn = ClaimResult | { kind: 'session' };

/** Hydra is asked again after this time: the client may change, and the challenge may expire. */
const REQUEST_LIFETIME_MS = 10 * 60 * 1000;
/** A longer request is not stored, because anybody may send an authorization request with a very long address. */
const MAX_REQUEST_LENGTH = 8 * 1024;
/**
 * Has to be raised with each change of the members of `LoginRequest`: during an upgrade, gateways of two versions read each other's stored
 * requests.
 */
const REQUEST_VERSION = 6;

interface StoredRequest {
  version: number;
  /** In ms since the epoch. */
  expires: number;
  request: LoginRequest;
}

/** A proof as the table stores it. Account, factors and methods are not included, because they are read again. */
interface StoredProof {
  /** Absent in a carried proof, which belongs to no challenge yet. */
  challenge?: string | undefined;
  credential: CredentialVersion;
  provider?: { id: string; authTime: string | null; isEarlierSession: boolean };
  postponed?: readonly PostponableTask[];
  browser: BrowserFacts;
}

@Injectable()
export class SignIns {
  constructor(
    private readonly records: SignInRecords,
    private readonly hydra: HydraPort,
    private readonly clock: Clock,
    private readonly xsrf: Xsrf,
    private readonly audit: AuditLog,
  ) {}

  /** Finds the sign-in of a form in this browser. If the request is not stored, Hydra is asked and the sign-in is claimed. */
  async resume(challenge: string, context: RequestContext): Promise<FoundSignIn> {
    if (challenge === '') return { kind: 'fault', fault: 'missing' };
    const record = await this.records.find({ challenge, browser: context.browser });
    if (record.state === 'foreign' || record.state === 'answered') return toFound(record, context);
    const request = record.state === 'open' ? this.#readRequest(record.request, challenge) : null;
    if (record.state === 'open' && request) {
      return { kind: 'open', signIn: { id: record.id, challenge, request, isIdentified: record.isIdentified } };
    }
    return this.resumeAtHydra(challenge, context);
  }

  /** Like `resume`, for a step that changes something before the sign-in ends: Hydra is always asked whether the request still waits. */
  async resumeAtHydra(challenge: string, context: RequestContext): Promise<FoundSignIn> {
    const request = await this.askHydra(challenge);
    if (typeof request === 'string') return { kind: 'fault', fault: request };
    return request.skip ? { kind: 'session' } : this.claim(request, context);
  }

  /** Claims a request for this browser: the first browser that opens a request owns it. @param request as Hydra has just described it */
  async claim(request: LoginRequest, context: RequestContext): Promise<ClaimResult> {
    const { challenge } = request;
    const record = await this.records.claim({ challenge, browser: context.browser }, this.#writeRequest(request));
    if (record.state === 'foreign' || record.state === 'answered') return toFound(record, context);
    return { kind: 'open', signIn: { id: record.id, challenge, request, isIdentified: record.isIdentified } };
  }

  /** Does not claim the request. @returns why the request cannot be answered in this browser; null if it can */
  async findFault(challenge: string, context: RequestContext): Promise<ChallengeFault | null> {
    const record = await this.records.find({ challenge, browser: context.browser });
    if (record.state === 'answered') return 'used';
    return record.state === 'foreign' ? 'foreign' : null;
  }

  /** @returns the answer that the same form got a moment ago; null if there is none */
  async findAnswer(challenge: string, context: RequestContext): Promise<RedirectOutcome | null> {
    return (await this.findFirstAnswer(challenge, undefined, context)).answer;
  }

  /**
   * Like `findAnswer`.
   * @returns `isSameSession`: whether the first answer, to whichever form, signed the same person in to the session of this cookie
   */
  async findFirstAnswer(
    challenge: string,
    session: CookieChange['browserSession'],
    context: RequestContext,
  ): Promise<{ answer: RedirectOutcome | null; isSameSession: boolean }> {
    const record = await this.records.find({ challenge, browser: context.browser });
    const storedAnswer = 'answer' in record ? record.answer : null;
    return { answer: readAnswer(storedAnswer, context), isSameSession: hasSessionCookie(storedAnswer, session) };
  }

  /**
   * Also finds a sign-in that is closed after too many wrong codes.
   * @returns null if no first factor is proven, or if the request can no longer be answered; `explainMissing` returns the reason
   */
  async findIdentified(challenge: string, context: RequestContext): Promise<IdentifiedSignIn | null> {
    if (challenge === '') return null;
    return this.#toIdentified(await this.records.findIdentified({ challenge, browser: context.browser }));
  }

  /** Like `findIdentified`, by the id of the sign-in. */
  async findIdentifiedById(id: string, context: RequestContext): Promise<IdentifiedSignIn | null> {
    return this.#toIdentified(await this.records.findIdentifiedById(id, context.browser));
  }

  /**
   * Accepts a form that was made for a former id of this browser: a sign-in in another tab gives the browser a new id. The form is accepted
   * if this request was open in this browser under the former id.
   * @returns the context with the form; unchanged for any other outdated form
   */
  async restoreForm(challenge: string, context: RequestContext): Promise<RequestContext> {
    const { outdatedXsrf, browser } = context;
    if (outdatedXsrf === null || challenge === '') return context;
    const record = await this.records.find({ challenge, browser });
    if (record.state === 'new') return context;
    const formBrowser = record.formerBrowsers.find((formerBrowser) => this.xsrf.verify(formerBrowser, outdatedXsrf));
    if (formBrowser === undefined) return context;
    return { ...context, xsrf: outdatedXsrf, formBrowser, submission: outdatedXsrf };
  }

  /** @returns why `findIdentified` finds nothing */
  async explainMissing(challenge: string, context: RequestContext): Promise<ChallengeFault> {
    const request = await this.askHydra(challenge);
    if (typeof request === 'string') return request;
    const fault = await this.findFault(challenge, context);
    return fault === null ? 'expired' : toShownFault(fault, context);
  }

  /**
   * Ends the sign-in without a new login; see `SignInRecords.answer`.
   * @returns the first answer to the same form; null if another form has been answered first
   */
  async answer(
    { id, challenge }: SignIn,
    { outcome, event }: { outcome: RedirectOutcome; event: AuditEvent | null },
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const answerRecord = { id, browser: context.browser, answer: writeAnswer(outcome, context) };
    return (await this.records.answer(answerRecord, event)) ? outcome : this.findAnswer(challenge, context);
  }

  /**
   * Stores a proven first factor.
   * @param identification `nextBrowser`: the new id of the browser; `answer`: from `writeAnswer`; `enrols`: the next step is to set up a
   * factor
   * @returns false if another form has been answered first
   * @throws ProofOutdated, OwnProofNeeded
   */
  async identify(
    { id, challenge }: SignIn,
    stepResult: StepResult,
    identification: Pick<Identification, 'browser' | 'nextBrowser' | 'manageSession' | 'answer' | 'enrols'>,
  ): Promise<boolean> {
    const { account, amr, credential } = stepResult.proof;
    return this.records.identify({
      id,
      accountId: account.id,
      amr,
      ...credential,
      ...identification,
      proof: writeProof(stepResult, challenge),
    });
  }

  /**
   * Postpones a task until the next sign-in; a task that is due stays outstanding (`findTasks`). The choice is stored with the proof, so it
   * ends with the sign-in. Has no effect if the sign-in is over.
   */
  async postpone({ id, challenge, account, proofId, stepResult }: IdentifiedSignIn, task: PostponableTask): Promise<void> {
    const postponedTasks = [...new Set([...(stepResult.proof.postponed ?? []), task])];
    const proof = writeProof({ ...stepResult, proof: { ...stepResult.proof, postponed: postponedTasks } }, challenge);
    await this.records.replaceProof({ id, accountId: account.id, proofId }, proof);
  }

  /** @returns the current state of the request at Hydra, or why it cannot be used */
  async askHydra(challenge: string): Promise<LoginRequest | ChallengeFault> {
    return challenge === '' ? 'missing' : this.hydra.getLogin(challenge).catch(toChallengeFault);
  }

  /** Records in the audit log that the person was proven, but the sign-in does not continue. */
  async recordRefusal(
    reason: string,
    { signIn, account }: { signIn: Pick<SignIn, 'request'>; account: Pick<Account, 'id'> },
    { address, requestId }: RequestContext,
  ): Promise<void> {
    const detail = { client: signIn.request.client.id, reason };
    await this.audit.record({ kind: 'sign-in.refused', actor: 'person', accountId: account.id, address, requestId, detail });
  }

  async #toIdentified(record: IdentifiedRecord | null): Promise<IdentifiedSignIn | null> {
    if (!record) return null;
    const { proof, request: storedRequest, ...rest } = record;
    const { challenge = '' } = JSON.parse(proof) as StoredProof;
    const request = this.#readRequest(storedRequest, challenge) ?? (await this.askHydra(challenge));
    if (typeof request === 'string') return null;
    return { ...rest, challenge, request, isIdentified: true, stepResult: readProof(proof, record) };
  }

  #readRequest(text: string | null, challenge: string): LoginRequest | null {
    if (text === null) return null;
    const { version, expires, request } = JSON.parse(text) as StoredRequest;
    const isCurrent = version === REQUEST_VERSION && expires > this.clock.now().getTime();
    return isCurrent && request.challenge === challenge ? request : null;
  }

  /**
   * @returns null for a request that is not stored: Hydra is asked each time about a request with a session (`skip`) and about a long one
   */
  #writeRequest(request: LoginRequest): string | null {
    if (request.skip) return null;
    const expires = this.clock.now().getTime() + REQUEST_LIFETIME_MS;
    const text = JSON.stringify({ version: REQUEST_VERSION, expires, request } satisfies StoredRequest);
    return text.length > MAX_REQUEST_LENGTH ? null : text;
  }
}

function toFound(record: Exclude<ClaimedSignIn, { state: 'open' }>, context: RequestContext): ClaimResult {
  const answer = readAnswer(record.answer, context);
  if (answer) return { kind: 'repeated', answer };
  return { kind: 'fault', fault: record.state === 'answered' ? 'used' : 'foreign' };
}

/** Writes a proof as text for the table. */
export function writeProof({ proof: { credential, provider, postponed }, browser }: StepResult, challenge?: string): string {
  const statement = provider && { ...provider, authTime: provider.authTime?.toISOString() ?? null };
  const storedProof = {
    challenge,
    credential,
    browser,
    ...(statement ? { provider: statement } : {}),
    ...defined({ postponed }),
  };
  return JSON.stringify(storedProof satisfies StoredProof);
}

/** @param person account, factors and methods as they are now */
export function readProof(text: string, person: Pick<Proof, 'account' | 'factors' | 'amr'>): StepResult {
  const { credential, provider, browser, postponed } = JSON.parse(text) as StoredProof;
  const statement = provider && { ...provider, authTime: provider.authTime === null ? null : new Date(provider.authTime) };
  const { account, factors, amr } = person;
  return { proof: { account, factors, amr, credential, provider: statement, postponed }, browser };
}
