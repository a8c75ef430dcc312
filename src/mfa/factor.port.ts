/**
 * The interface of a second factor for policy, pages, RPC calls, notices and operators. Each kind is a folder in `factors/`; only
 * `registry.ts` lists them. Passkeys, with which people sign in, have the same interface. Recovery codes, which replace a factor,
 * can only be proven (`Provable`).
 */
import type { Provider, Type } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { AuditContext } from '../accounts/audit/audit-log.js';
import type { ChangingSession } from '../accounts/account/lock.js';
import type { OfferedMethods } from '../accounts/identities/sign-in-methods.js';
import type { FactorVerdict } from '../accounts/limits/factor-attempts.js';
import type { FactorNotice } from '../accounts/queue/mail-kinds.js';
import type { FactorAmr } from '../accounts/sessions/sign-in-records.js';
import type { Config } from '../config/config.js';
import type { Amr } from '../contract/authentication.js';
import type { FactorEntryState, FactorSetupState } from '../contract/mfa-state.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import type { Schema } from '../database/schema.js';
import type { FactorSlot } from './factor-slot.js';

export type { FactorSlot } from './factor-slot.js';
export type { FactorVerdict } from '../accounts/limits/factor-attempts.js';

/** Data of a kind that can be proven by a person whose account is known. */
export interface ProofKind {
  /** Name of the folder of the kind, and of its rows in the view `account_factor`. */
  readonly folder: string;
  /** Name in addresses, calls, page states, the audit log and metrics. */
  readonly name: string;
  /** English text for operators; `count` is the number of entries. */
  readonly label: (count: number) => string;
  readonly amr: FactorAmr;
  readonly provenBy: 'calls' | 'forms' | 'both';
  /** A proof needs a request to the server first, for example for a challenge or a code by mail. */
  readonly proofBegins: boolean;
  /** Names of the failure counters: the counter for proofs, then those for set-ups. */
  readonly counters: readonly [string, ...string[]];
  /** Error codes of calls: the proof is wrong, the account has no such factor, or the factor of a set-up is already registered. */
  readonly codes: { readonly refused: RpcErrorCode; readonly missing: RpcErrorCode; readonly registered: RpcErrorCode };
}

/** A kind that people set up. */
export interface FactorKind extends ProofKind {
  /** An account has at most one factor of the kind. Otherwise each factor has an id and a name. */
  readonly isSingle: boolean;
  /** `forms`: by plain forms and by calls. */
  readonly setUpBy: 'calls' | 'forms';
  readonly notices: { readonly added: FactorNotice; readonly removed: FactorNotice };
  /**
   * Absent if the kind works in every configuration.
   * @returns why it cannot work, as the end of a sentence, and the fix; null if it can work
   */
  examine?(config: Config): Problem | null;
  /** Present if the codes are mailed. Accounts without an e-mail address cannot use such a kind. */
  readonly byMail?: {
    /** Keys of the texts of the mails that only this kind sends: the kind of mail, or the kind and the purpose of the code. */
    readonly mails: readonly string[];
    /** The warning of the doctor to an operator who offers the kind. */
    readonly caution: Problem;
  };
}

/** A problem of a kind of factor, for the doctor. */
export interface Problem {
  readonly problem: string;
  readonly fix: string;
}

/** The factor that a new factor replaces: `true` for a kind with at most one factor, otherwise an id. */
export type ReplacedFactor = true | string;

export interface SetUpSlot extends FactorSlot {
  replaces?: ReplacedFactor | undefined;
}

/**
 * The browser that a set-up requires. The set-up is refused if the browser is no longer signed in to the account, or if the account
 * has a factor or passkey and the session has proven none.
 */
export interface SignedInBrowser {
  browser: string;
}

/** A request to finish a set-up. */
export interface SetUp extends SetUpSlot {
  /** If true, the set-up is refused if the account has any factor or passkey. */
  onlyFirst: boolean;
  /** The set-up is refused if this session has ended, or needs a fresh proof and no longer has one. */
  manageSession?: ChangingSession | undefined;
  /** Present for an offer right after a sign-in. */
  signedIn?: SignedInBrowser | undefined;
  auditContext: AuditContext;
}

/** The body of a call (an instance of one of the `bodies`), or the code of a form. */
export type FactorAnswer = Readonly<Record<string, unknown>>;

/** @member state data for the page or the call */
export type BeginResult =
  | { kind: 'begun'; state: FactorSetupState }
  | { kind: 'refused'; code: RpcErrorCode }
  | { kind: 'limited'; retryAfterSeconds: number };

/** @member recoveryCodes created with the first second factor, shown once @member methods see `FactorVerdict` */
export type SetUpResult =
  | { kind: 'added'; recoveryCodes?: string[]; methods?: readonly Amr[] }
  | { kind: 'refused'; code: RpcErrorCode }
  | { kind: 'limited'; retryAfterSeconds: number };

/** One attempt to prove a factor. */
export interface Proof extends Pick<FactorSlot, 'boundTo'> {
  accountId: string;
  answer: FactorAnswer;
  auditContext: AuditContext;
}

/** The removal of a factor. */
export interface RemoveRequest {
  accountId: string;
  auditContext: AuditContext;
  /** False if a factor is required, so that the last factor or passkey cannot be removed. */
  mayBeLast: boolean;
  /** The removal is refused if this session has ended or needs a fresh proof; absent for an operator. */
  manageSession?: ChangingSession | undefined;
  /** After the removal of a passkey, one of these ways to sign in, or a password, has to remain. Absent if all may be removed. */
  offered?: OfferedMethods;
}

/** A kind that can be proven by a person whose account is known. */
export interface Provable {
  readonly kind: ProofKind;
  /** Class of the body of the call with the proof. A form contains only `code`. */
  readonly bodies: { readonly proof: Type<object> };
  /** @returns null if the account has no such factor, or if the proof needs no request first (`proofBegins`) */
  beginProof(slot: FactorSlot, auditContext: AuditContext): Promise<BeginResult | null>;
  /** Writes nothing. @returns the state for a page that asks for a proof; null if the page needs none */
  findProofState(slot: FactorSlot): Promise<FactorSetupState | null>;
  /** Verifies a proof with `FactorAttempts.judge`, which limits guessing: it counts the attempt before the check. */
  verify(proof: Proof): Promise<FactorVerdict>;
}

/** A kind of factor that people set up, replace and remove themselves. */
export interface Factor extends Provable {
  readonly kind: FactorKind;
  /** Classes of the bodies of the calls that begin, confirm and prove; absent for a call without a body. */
  readonly bodies: { readonly begin?: Type<object>; readonly confirm?: Type<object>; readonly proof: Type<object> };
  /** @returns the factors of this kind that the account has, oldest first */
  list(accountId: string): Promise<FactorEntryState[]>;
  /** Begins a set-up. Discards a pending set-up of the same slot. */
  begin(slot: SetUpSlot, auditContext: AuditContext, body?: FactorAnswer): Promise<BeginResult>;
  /** @returns the state of the pending set-up; null if there is none */
  resume(slot: SetUpSlot): Promise<FactorSetupState | null>;
  /**
   * Finishes a set-up with `Factors.add`, which locks the account, checks the freeze and `onlyFirst`, and writes notice, audit
   * event and recovery codes in one transaction. `remove` and `rename` use `Factors`, too.
   */
  confirm(setUp: SetUp, answer: FactorAnswer): Promise<SetUpResult>;
  /** @returns the factor that a page can replace; null if there is none or more than one, or if the kind cannot be replaced */
  findReplaceable(accountId: string): Promise<ReplacedFactor | null>;
  /** @returns false if there is no such factor, or if the kind has no names */
  rename(change: Pick<RemoveRequest, 'accountId' | 'auditContext'>, entry: { id: string; name: string }): Promise<boolean>;
  /**
   * @param entry id, for kinds with several factors
   * @returns false if there is no such factor
   * @throws the errors of `Factors.remove`
   */
  remove(request: RemoveRequest, entry: string): Promise<boolean>;
  /** Removes all factors of this kind from the account. Runs in the transaction of a reset. */
  removeAll(accountId: string, trx: Transaction<Schema>): Promise<void>;
  /** Import and export; null if the kind cannot be transferred. */
  readonly transfer: FactorTransfer | null;
}

/** How a factor is represented in a line of an import or export. */
export interface FactorTransfer {
  /** The secret, which is exported only on request. A kind without a secret is listed in `factors`. */
  readonly secret?: {
    readonly member: string;
    /** @returns the value to store @throws AccountFieldInvalid */
    check(secret: string): string;
  };
  /** Runs in the transaction of an import. @param secrets by account; empty strings for a kind without a secret */
  insert(secrets: ReadonlyMap<string, string>, trx: Transaction<Schema>): Promise<void>;
  /** @returns the secrets of the accounts that have the factor; empty strings for a kind without a secret */
  read(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A factor's class, as listed in the registry. */
export interface FactorClass {
  new (...parts: never[]): Factor;
  readonly kind: FactorKind;
  /** Providers that `FactorsModule` adds for the kind. */
  readonly providers: Provider[];
}

/** Token that injects the kinds that the installation uses. */
export const USED_KINDS = Symbol('UsedKinds');
