/**
 * The interface of a second factor for policy, pages, RPC calls, notices and operators. Each kind is one folder in `factors/`; only
 * `registry.ts` lists them. Passkeys, with which people sign in, are set up and proven through it too. Recovery codes, which replace a
 * factor, are only proven.
 */
import type { Provider, Type } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { AuditContext } from '../accounts/audit/audit-log.js';
import type { ChangingSession } from '../accounts/account/lock.js';
import type { OfferedWays } from '../accounts/identities/ways-in.js';
import type { FactorVerdict } from '../accounts/limits/factor-attempts.js';
import type { FactorNotice } from '../accounts/queue/outbox.js';
import type { FactorAmr } from '../accounts/sessions/sign-in-records.js';
import type { Config } from '../config/config.js';
import type { Amr } from '../contract/authentication.js';
import type { FactorEntryState, FactorSetupState } from '../contract/mfa-state.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import type { Schema } from '../database/schema.js';
import type { FactorSlot } from './factor-slot.js';

export type { FactorSlot } from './factor-slot.js';
export type { FactorVerdict } from '../accounts/limits/factor-attempts.js';

/** What is proven by somebody whose account is known, as data. */
export interface ProofKind {
  /** Name of its folder, and of its rows in the view `account_factor`. */
  readonly folder: string;
  /** Name in addresses, calls, page states, the audit log and metrics. */
  readonly name: string;
  /** English text for operators; `count` is the number of entries. */
  readonly label: (count: number) => string;
  readonly amr: FactorAmr;
  readonly provenBy: 'calls' | 'forms' | 'both';
  /** A proof needs a request to the server first, for example for a challenge or a code by mail. */
  readonly proofBegins: boolean;
  /** Names of its counters of failures: of proofs, then of set-ups. */
  readonly counters: readonly [string, ...string[]];
  /** Answers of calls: the proof is wrong, the account has none, and (for a set-up) it has one already. */
  readonly codes: { readonly refused: RpcErrorCode; readonly missing: RpcErrorCode; readonly registered: RpcErrorCode };
}

/** A kind that people set up. */
export interface FactorKind extends ProofKind {
  /** An account has at most one; otherwise each has an id and a name. */
  readonly isSingle: boolean;
  /** `forms`: by plain forms and by calls. */
  readonly setUpBy: 'calls' | 'forms';
  readonly notices: { readonly added: FactorNotice; readonly removed: FactorNotice };
  /** Why the kind cannot work in this configuration, as the end of a sentence, and the fix. Absent if it always works. */
  examine?(config: Config): Problem | null;
  /** Absent unless its codes are mailed; then it is not for accounts without an e-mail address. */
  readonly byMail?: {
    /** Words of the mails, by name: a kind of mail, or that and what the code is for. */
    readonly mails: readonly string[];
    /** What an operator who offers the kind should know. */
    readonly caution: Problem;
  };
}

/** For the doctor. */
export interface Problem {
  readonly problem: string;
  readonly fix: string;
}

/** The factor that a new one replaces: `true` for the only one, or an id. */
export type Replaced = true | string;

export interface SetUpSlot extends FactorSlot {
  replaces?: Replaced | undefined;
}

/** Refused if nobody is signed in to the account there any more, or if it has a factor now that was not proven. */
export interface SignedIn {
  browser: string;
}

/** The account that sets a factor up, and where. */
export interface SetUp extends SetUpSlot {
  /** Refused if the account has any factor. */
  onlyFirst: boolean;
  /** Refused if this session has ended, or needs a proof and has none any more. */
  manageSession?: ChangingSession | undefined;
  /** Right after a sign-in. */
  signedIn?: SignedIn | undefined;
  by: AuditContext;
}

/** Body of a call, an instance of one of the `bodies`, or the code of a form. */
export type FactorAnswer = Readonly<Record<string, unknown>>;

/** @member state data for the page or the call */
export type Begun =
  | { kind: 'begun'; state: FactorSetupState }
  | { kind: 'refused'; code: RpcErrorCode }
  | { kind: 'limited'; retryAfterSeconds: number };

/** @member recoveryCodes created with the first factor, shown once @member methods see `FactorVerdict` */
export type Added =
  | { kind: 'added'; recoveryCodes?: string[]; methods?: readonly Amr[] }
  | { kind: 'refused'; code: RpcErrorCode }
  | { kind: 'limited'; retryAfterSeconds: number };

/** One attempt to prove a factor. */
export interface Proof extends Pick<FactorSlot, 'boundTo'> {
  accountId: string;
  answer: FactorAnswer;
  by: AuditContext;
}

/** The removal of a factor. */
export interface RemoveRequest {
  accountId: string;
  by: AuditContext;
  /** False if a factor is required: the last one cannot be removed. */
  mayBeLast: boolean;
  /** As for a set-up; absent for an operator. */
  manageSession?: ChangingSession | undefined;
  /** One of these ways to sign in has to stay; absent: every kind that people sign in with may go. */
  offered?: OfferedWays;
}

/** What is proven by somebody whose account is known. */
export interface Provable {
  readonly kind: ProofKind;
  /** Body of the call that proves. A form contains only `code`. */
  readonly bodies: { readonly proof: Type<object> };
  /** @returns null if the account has none, or if the proof needs no request first (`proofBegins`) */
  beginProof(slot: FactorSlot, by: AuditContext): Promise<Begun | null>;
  /** State of a page that asks for a proof; null if it needs none. Writes nothing. */
  proofState(slot: FactorSlot): Promise<FactorSetupState | null>;
  /** Verifies a proof through `FactorAttempts.judge`, which counts it before the check and limits guessing. */
  verify(proof: Proof): Promise<FactorVerdict>;
}

/** What people set up, replace and remove themselves. */
export interface Factor extends Provable {
  readonly kind: FactorKind;
  /** Bodies of the calls that begin and confirm a set-up, where they have one, and of the call that proves. */
  readonly bodies: { readonly begin?: Type<object>; readonly confirm?: Type<object>; readonly proof: Type<object> };
  /** The account's factors of this kind, oldest first. */
  list(accountId: string): Promise<FactorEntryState[]>;
  /** Discards a pending set-up of the same slot. */
  begin(slot: SetUpSlot, by: AuditContext, asked?: FactorAnswer): Promise<Begun>;
  /** The pending set-up; null if there is none. */
  resume(slot: SetUpSlot): Promise<FactorSetupState | null>;
  /**
   * Finishes a set-up through `Factors.add`, which locks the account, checks the freeze and `onlyFirst`, and writes notice,
   * audit event and recovery codes in one transaction. `remove` and `rename` go through `Factors` for the same reasons.
   */
  confirm(setUp: SetUp, answer: FactorAnswer): Promise<Added>;
  /** The factor that a page can replace; null if there is none or more than one. */
  replaceable(accountId: string): Promise<Replaced | null>;
  /** @returns false if there is none, or if it has no name */
  rename(change: Pick<RemoveRequest, 'accountId' | 'by'>, entry: { id: string; name: string }): Promise<boolean>;
  /** @param entry id, for kinds with several. @returns false if there is none. Throws LastFactor */
  remove(request: RemoveRequest, entry: string): Promise<boolean>;
  /** Removes all of the account's. Runs in the transaction of a reset. */
  removeAll(accountId: string, trx: Transaction<Schema>): Promise<void>;
  /** Import and export; null if it cannot be transferred. */
  readonly transfer: FactorTransfer | null;
}

/** How a factor is represented in a line of an import or export. */
export interface FactorTransfer {
  /** Its secret, exported only on request. Absent for a kind without a secret, which is listed in `factors`. */
  readonly secret?: {
    readonly member: string;
    /** @returns the value to store. Throws AccountFieldInvalid */
    check(given: string): string;
  };
  /** @param secrets by account; an empty string for a kind without one. Runs in the transaction of an import */
  insert(secrets: ReadonlyMap<string, string>, trx: Transaction<Schema>): Promise<void>;
  /** @returns secrets by account, for those with the factor; an empty string for a kind without one */
  read(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A factor's class, as listed in the registry. */
export interface FactorClass {
  new (...parts: never[]): Factor;
  readonly kind: FactorKind;
  /** Providers that the class needs besides the services of `accounts`. */
  readonly providers: Provider[];
}

/** Injects the kinds that the installation uses into the factors themselves. */
export const USED_KINDS = Symbol('UsedKinds');
