/**
 * What a kind of second factor is to everything around it: policy, screens, calls, notices, operators. A kind lives in one
 * folder below `factors/`, and `registry.ts` alone knows all of them.
 */
import type { Provider, Type } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { Account } from '../accounts/account/account.js';
import type { AuditContext } from '../accounts/audit/audit-log.js';
import type { FactorVerdict } from '../accounts/limits/factor-attempts.js';
import type { FactorNotice } from '../accounts/queue/outbox.js';
import type { FactorAmr } from '../accounts/sessions/pending-authentications.js';
import type { Config } from '../config/config.js';
import type { FactorEntryState, FactorSetupState } from '../contract/mfa-state.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import type { Schema } from '../database/schema.js';

export type { FactorVerdict } from '../accounts/limits/factor-attempts.js';

/** What is known of a kind without an account: plain data. */
export interface FactorKind {
  /** Its folder, and its rows in the view `account_factor`. */
  readonly kind: string;
  /** As addresses, calls, page states, the audit log and metrics name it. */
  readonly name: string;
  /** English, for operators: that there is one, or how many. */
  readonly label: (count: number) => string;
  readonly amr: FactorAmr;
  /** Comes with the first factor and goes with the last one; nobody sets it up by itself, and it is no factor alone. */
  readonly standsIn?: true;
  /** An account has one at most; otherwise each has an id and a name. */
  readonly isSingle: boolean;
  /** How it is set up: by calls, by plain forms too, or, with `standsIn`, not at all. */
  readonly setUpBy: 'calls' | 'forms' | null;
  /** How it is proven: by calls, by plain forms, or by both. */
  readonly provenBy: 'calls' | 'forms' | 'both';
  /** A proof needs something of the server first: a challenge, a code by mail. */
  readonly proofBegins: boolean;
  /** Names of its counters of wrong answers: of proofs, then of set-ups. */
  readonly counters: readonly [string, ...string[]];
  readonly codes: { readonly refused: RpcErrorCode; readonly missing: RpcErrorCode; readonly registered: RpcErrorCode };
  /** Absent where nobody adds or removes it by itself. */
  readonly notices?: { readonly added: FactorNotice; readonly removed: FactorNotice };
  /** What is wrong with how the installation is set up for it, and how to fix it; for the doctor. */
  examine?(config: Config): { problem: string; fix: string } | null;
}

/** Where a set-up or a proof happens: what was begun elsewhere is not finished here. */
export interface FactorSlot {
  account: Account;
  /** `area:<session id>` or `pending:<pending id>` */
  boundTo: string;
}

/** Where a new factor takes the place of another one: `true` for the only one, or its id. */
export type Replaced = true | string;

export interface SetUpSlot extends FactorSlot {
  replaces?: Replaced | undefined;
}

/** Who sets a factor up, and where. */
export interface SetUp extends SetUpSlot {
  /** Refused once the account has any factor. */
  onlyFirst: boolean;
  /** Nothing is added once it has ended. */
  manageSession?: string | undefined;
  by: AuditContext;
}

/** What a call brings, an instance of one of the `bodies`, or the code of a form. */
export type FactorAnswer = Readonly<Record<string, unknown>>;

/** @member state what the page or the call is given */
export type Begun =
  | { kind: 'begun'; state: FactorSetupState }
  | { kind: 'refused'; code: RpcErrorCode }
  | { kind: 'limited'; retryAfterSeconds: number };

/** @member recoveryCodes made with the first factor, shown once */
export type Added =
  | { kind: 'added'; recoveryCodes?: string[] }
  | { kind: 'refused'; code: RpcErrorCode }
  | { kind: 'limited'; retryAfterSeconds: number };

/** Somebody proves a factor. */
export interface Proof extends Pick<FactorSlot, 'boundTo'> {
  accountId: string;
  answer: FactorAnswer;
  by: AuditContext;
}

/** A factor that is taken away. */
export interface Removed {
  accountId: string;
  by: AuditContext;
  /** False where a factor is required: the last one stays. */
  mayBeLast: boolean;
}

/** How many were sealed anew, and how many no listed secret opens. */
export interface Resealed {
  resealed: number;
  lost: number;
}

/** What every kind does. */
export interface Factor {
  readonly kind: FactorKind;
  /** Of the calls that begin and end a set-up, and that prove. A form brings `code` alone. */
  readonly bodies: { readonly begin?: Type<object>; readonly confirm?: Type<object>; readonly proof: Type<object> };
  /** Judges a proof through `FactorAttempts.judge`, which counts it before it is looked at and limits guessing. */
  verify(proof: Proof): Promise<FactorVerdict>;
  /** Where `proofBegins`. Null when the account has none */
  beginProof?(slot: FactorSlot, by: AuditContext): Promise<Begun | null>;
  /** What a page that asks for it shows; writes nothing. */
  proofState?(slot: FactorSlot): Promise<FactorSetupState>;
  /** What the account has of it, the oldest first. */
  list(accountId: string): Promise<FactorEntryState[]>;
  /** Seals what an older secret sealed with the newest one. */
  reseal?(): Promise<Resealed>;
  /** All of the account's. Part of the transaction of a reset */
  removeAll(accountId: string, trx: Transaction<Schema>): Promise<void>;
}

/** A kind that people set up themselves. */
export interface EnrollableFactor extends Factor {
  /** What waited at the same slot is gone. */
  begin(slot: SetUpSlot, by: AuditContext, asked?: FactorAnswer): Promise<Begun>;
  /** What waits, shown again; null where nothing does. */
  resume(slot: SetUpSlot): Promise<FactorSetupState | null>;
  /**
   * Finishes a set-up through `Factors.add`, which locks the account, checks the freeze and `onlyFirst`, and writes notice,
   * audit event and recovery codes in one transaction. `remove` and `rename` go through `Factors` for the same reasons.
   */
  confirm(setUp: SetUp, answer: FactorAnswer): Promise<Added>;
  /** What a page puts another one in the place of; null where there is none, or more than one. */
  replaceable(accountId: string): Promise<Replaced | null>;
  /** @param entry id of one of several. @returns false when there is none. Throws LastFactor */
  remove(removed: Removed, entry: string): Promise<boolean>;
  /** @returns false when there is none. */
  rename?(change: Pick<Removed, 'accountId' | 'by'>, entry: { id: string; name: string }): Promise<boolean>;
  /** How it moves between installations; absent where it cannot. */
  readonly transfer?: FactorTransfer;
}

/** How a factor stands in a line of an import and an export. */
export interface FactorTransfer {
  /** Its secret, which an export has only when it is asked for; absent for a kind that needs none and is named in `factors`. */
  readonly secret?: {
    readonly member: string;
    /** @returns as it is kept. Throws AccountFieldInvalid */
    check(given: string): string;
  };
  /** @param secrets by account; empty texts of a kind without one. Part of the transaction of an import */
  insert(secrets: ReadonlyMap<string, string>, trx: Transaction<Schema>): Promise<void>;
  /** @returns secrets by account, of those that have the factor; empty texts of a kind without one */
  read(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A factor's class, as the registry lists it. */
export interface FactorClass {
  new (...parts: never[]): Factor;
  readonly kind: FactorKind;
  /** What the class needs beside the services of `accounts`. */
  readonly providers: Provider[];
}

/** For what the factors themselves have to know of all kinds. */
export const FACTOR_KINDS = Symbol('FactorKinds');

/** What replaces a lost factor: made with the first one, taken away with the last one. */
export abstract class StandIns {
  /** @returns what is shown once. Those of before are gone */
  abstract make(accountId: string, trx: Transaction<Schema>): Promise<string[]>;
  abstract remove(accountId: string, trx: Transaction<Schema>): Promise<void>;
}
