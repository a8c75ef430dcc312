/**
 * Pending authentications: sign-ins whose first factor was proven and that wait for a second one. One for each challenge, ten
 * minutes, bound to one browser. Counts wrong codes and stores what was proven; `src/mfa` decides what is still required.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Brand } from '../../config/look-settings.js';
import { fingerprint, randomToken, Keys } from '../../config/keys.js';
import { FACTOR_METHODS, type Amr } from '../../contract/authentication.js';
import type { PasskeyCreation } from '../../contract/passkey-state.js';
import type { AccountState, ClientState } from '../../contract/request-state.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { AccountDisabled, OwnProofNeeded } from '../account/account.errors.js';
import { isAccountId, toAccount, type Account } from '../account/account.js';
import type { FactorCounts } from '../account/factor-counts.js';
import { ChallengeRecords } from './challenge-records.js';
import { ManageSessionRecords } from './manage-sessions.js';
import {
  BEGIN,
  CONSUME_PROOF,
  EXTEND,
  FAIL,
  FIND,
  FIND_BY_ID,
  GIVE_BACK,
  ISSUE_PROOF,
  OWN_PROOF,
  PROVE,
  RESERVE,
  type BegunValues,
  type PendingRow,
} from './pending-statements.js';

/**
 * `any`: also a provider alone; `own`: a password or factor; `key`: phishing-resistant; `hardware`: with a key that cannot leave
 * its device and that verifies its user.
 */
export type ProofLevel = 'any' | 'own' | 'factor' | 'key' | 'hardware';

/** The required strength of a sign-in and where the requirement comes from. */
export interface WantedProof {
  /** For gateways of version 0.1. */
  level: 'password' | 'factor' | 'key';
  /** In order of preference. Absent in sign-ins that version 0.1 began, as is `offersKey`. */
  levels?: readonly ProofLevel[];
  /** People may set up a key here. */
  offersKey?: boolean;
  /** False: passkeys are turned off here. */
  usesPasskeys?: boolean;
  by: 'account' | 'client' | 'installation';
}

/** Data for the pages of the second step and the end of the sign-in; not used for decisions. */
export interface PendingContext {
  remember: boolean;
  isKnownDevice: boolean;
  wanted: WantedProof;
  account: AccountState;
  client: ClientState;
  /** Address of the waiting authorization request, if it can be trusted. */
  requestUrl: string | null;
  uiLocales: readonly string[];
  returnTo: { url: string; name: string } | null;
  /** Of the client, where the installation uses it. */
  look?: Brand | undefined;
  /** Of the proven password, if one was proven. */
  passwordVersion?: string | undefined;
  /** Of the account, if another proof was used; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The provider that identified the person. */
  provider?: string | undefined;
  /** When it authenticated the person, if it says so: ISO 8601. */
  providerAuthTime?: string | undefined;
  /** It only confirmed an earlier session of its own. */
  isEarlierProof?: boolean | undefined;
  /** What the browser can do: a passkey may be offered at the end. */
  passkeyCreation?: PasskeyCreation | undefined;
}

export interface PendingAuthentication {
  id: string;
  account: Account;
  /** Factors can be added or removed while it waits. */
  factors: FactorCounts;
  amr: Amr[];
  context: PendingContext;
  /** Too many wrong codes: the password is required again. */
  isClosed: boolean;
  /** Session of the account area that may set up a first factor; null if the sign-in did not begin with a set-up. */
  enrolmentId: string | null;
  /** See `trusted-browsers.ts`. */
  trustStamp: string;
}

export interface NewPending {
  /** The sign-in includes the set-up of a first factor. */
  enrols: boolean;
  challenge: string;
  /** The current browser id and the new one. */
  browser: string;
  nextBrowser: string;
  accountId: string;
  amr: readonly Amr[];
  context: PendingContext;
  /** The answer of this step, repeated for a double click. */
  answer: string;
}

/** Amr of a kind of second factor; a proof may say more. A recovery code counts as `otp`. */
export type FactorAmr = 'otp' | 'hwk';

export interface IssuedProof {
  /** Of the kind of factor. */
  amr: FactorAmr;
  /** What was proven, if it is more than that. */
  methods?: readonly Amr[] | undefined;
}

/** Number of wrong codes that close an attempt (MFV-8). */
const MOST_FAILURES = 5;

@Injectable()
export class PendingAuthentications {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly records: ChallengeRecords,
    private readonly enrolments: ManageSessionRecords,
  ) {}

  /**
   * Replaces an earlier attempt at the same challenge and everything proven for it; the browser goes on under its new id. With
   * `enrols` it also begins the session of the set-up: a sign-in without one never sets a factor up.
   * @returns null if the challenge does not belong to this browser
   * @throws AccountDisabled, also if the password was replaced; OwnProofNeeded
   */
  async begin({ challenge, browser, nextBrowser, accountId, amr, context, answer, enrols }: NewPending): Promise<string | null> {
    if (!isAccountId(accountId)) throw new AccountDisabled();
    const { passwordVersion: version = null, securityStamp = null } = context;
    const values = {
      challenge: fingerprint(challenge),
      old: fingerprint(browser),
      browser: fingerprint(nextBrowser),
      answer: this.records.sealed(answer),
      account: accountId,
      context: this.keys.seal('pending-context', JSON.stringify(context)),
      amr: [...amr],
      version,
      securityStamp,
    };
    if (!enrols) return this.#begun(values);
    return this.database.transaction(async (trx) => {
      const pendingId = await this.#begun(values, trx);
      if (pendingId === null) return null;
      const needsOwnProof = amr.includes('fed') && (await this.database.run(OWN_PROOF, { account: accountId }, trx)).length > 0;
      if (needsOwnProof) throw new OwnProofNeeded();
      await this.enrolments.beginEnrolment({ accountId, pendingId, browser: nextBrowser }, trx);
      return pendingId;
    });
  }

  async #begun(values: BegunValues, trx?: Transaction<Schema>): Promise<string | null> {
    const [row] = await this.database.run(BEGIN, values, trx);
    if (!row?.proven) throw new AccountDisabled();
    return row.id;
  }

  /** Also finds a closed one. */
  async find(challenge: string, browser: string): Promise<PendingAuthentication | null> {
    const values = { challenge: fingerprint(challenge), browser: fingerprint(browser) };
    return this.#read((await this.database.run(FIND, values))[0]);
  }

  /** Also finds a closed one. */
  async findById(id: string, browser: string): Promise<PendingAuthentication | null> {
    if (!isAccountId(id)) return null;
    return this.#read((await this.database.run(FIND_BY_ID, { id, browser: fingerprint(browser) }))[0]);
  }

  /** Reserves the check of a code. @returns false after too many wrong codes */
  async reserveTry(id: string): Promise<boolean> {
    return (await this.database.run(RESERVE, { id, most: MOST_FAILURES })).length > 0;
  }

  /** The code was not checked. */
  async giveBackTry(id: string): Promise<void> {
    await this.database.run(GIVE_BACK, { id });
  }

  /** The code was wrong. @returns whether the attempt is closed now */
  async failTry(id: string): Promise<boolean> {
    const [row] = await this.database.run(FAIL, { id, most: MOST_FAILURES });
    return row?.closed ?? true;
  }

  /** @returns a value that the form submits once; null if the attempt is over. Only the newest works */
  async issueProof(id: string, { amr, methods = [amr] }: IssuedProof): Promise<string | null> {
    const proof = randomToken();
    const hash = fingerprint(proof);
    const issued = await this.database.run(ISSUE_PROOF, { id, proof: hash, amr, methods: [hash, ...methods] });
    return issued.length > 0 ? proof : null;
  }

  /** A proof that needs no form of its own. @returns false if the attempt is over */
  async prove(id: string, { amr, methods = [amr] }: IssuedProof): Promise<boolean> {
    return (await this.database.run(PROVE, { id, methods: [...methods] })).length > 0;
  }

  /** @returns whether the value was correct and unused */
  async consumeProof(id: string, proof: string): Promise<boolean> {
    return (await this.database.run(CONSUME_PROOF, { id, proof: fingerprint(proof) })).length > 0;
  }

  /** It waits for something that was mailed just now. Whoever mails limits how often. */
  async extend(id: string, seconds: number): Promise<void> {
    if (isAccountId(id)) await this.database.run(EXTEND, { id, seconds });
  }

  #read(row: PendingRow | undefined): PendingAuthentication | null {
    const context = row && this.keys.open('pending-context', row.context);
    if (!row || context === null || context === undefined) return null;
    return {
      id: row.pending_id,
      account: toAccount(row),
      factors: row.factors,
      // Only this class writes the column, with these values; a second proof adds `mfa` again.
      amr: [...new Set(row.amr as Amr[])],
      context: JSON.parse(context) as PendingContext,
      isClosed: row.closed,
      enrolmentId: row.enrolment_id,
      trustStamp: row.trust_stamp,
    };
  }
}

/** Runs in transactions that end sign-ins. @returns number of pending sign-ins that ended */
export async function endPendingOf(accountId: string, trx: Transaction<Schema>): Promise<number> {
  const end = trx.deleteFrom('pending_authentication').where('account_id', '=', accountId);
  return Number((await end.executeTakeFirst()).numDeletedRows);
}

/** Runs in transactions that sign browsers out. @param x fingerprints: of these browsers, or of those that go on */
export async function endPendingInBrowsers(
  x: { accountId: string } & ({ only: readonly string[] } | { except: readonly string[] }),
  trx: Transaction<Schema>,
): Promise<void> {
  const end = trx.deleteFrom('pending_authentication').where('account_id', '=', x.accountId);
  const isEnded = 'only' in x ? sql<boolean>`browser_hash = any(${x.only})` : sql<boolean>`browser_hash <> all(${x.except})`;
  await end.where(isEnded).execute();
}

/** Runs in transactions that remove a factor: whoever has proven it and has not come to the end of the sign-in proves anew. */
export async function endFactorProofsOf(accountId: string, trx: Transaction<Schema>): Promise<void> {
  await trx
    .deleteFrom('pending_authentication')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(amr && ${[...FACTOR_METHODS]}::text[] or proof_hash is not null)`)
    .execute();
}
