/**
 * The table of sign-ins. A row is one login request of Hydra in the browser that opened it first. A challenge works for anybody who
 * sees its address, and more than once, so the row stores to which browser the request belongs and how it was answered
 * (docs/security.md D11). docs/architecture.md describes its states: open, identified, answered. A row without a challenge is a proof
 * that waits for its request to start again ("carried").
 *
 * A row is in effect until the cleanup deletes it: even an expired row prevents a second answer to its challenge.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { fingerprint, randomToken, Keys } from '../../config/keys.js';
import type { Amr } from '../../contract/authentication.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { OwnProofNeeded, ProofOutdated } from '../account/account.errors.js';
import { isAccountId, toAccount, type Account } from '../account/account.js';
import type { FactorCounts } from '../account/factor-counts.js';
import type { SessionCondition } from '../account/lock.js';
import type { ProvenValues } from '../account/password-version.js';
import { AuditLog, toEventValues, type AuditEvent } from '../audit/audit-log.js';
import { ManageSessionRecords } from './manage-sessions.js';
import {
  ANSWER,
  CARRY,
  CLAIM,
  CONSUME_FACTOR_TOKEN,
  EXTEND,
  FAIL,
  FIND,
  FIND_IDENTIFIED,
  FIND_IDENTIFIED_BY_ID,
  FINISH,
  GIVE_BACK,
  IDENTIFY,
  ISSUE_FACTOR_TOKEN,
  NEEDS_OWN_PROOF,
  PROVE,
  REPLACE_PROOF,
  REQUIRE_WAITING,
  RESERVE,
  TAKE_CARRIED_PROOF,
  type IdentifiedRow,
  type SignInRow,
} from './sign-in-statements.js';

/** A login challenge, and the id of the requesting browser. */
export interface SignInOwner {
  challenge: string;
  browser: string;
}

/**
 * `answer`: the answer that this browser received within the last ten seconds, for a double click; otherwise null. `formerBrowsers`: the
 * most recent ids that this browser has had since it opened the request.
 */
export type FoundSignIn =
  | { state: 'new' }
  /**
   * Open in this browser. `request`: the login request as `claim` stored it. `isIdentified`: the sign-in waits for a second
   * factor or a task.
   */
  | { state: 'open'; id: string; request: string | null; isIdentified: boolean; formerBrowsers: string[] }
  /** Open in another browser, or in this browser under a newer id than the presented one. */
  | { state: 'foreign'; answer: string | null; formerBrowsers: string[] }
  | { state: 'answered'; answer: string | null; formerBrowsers: string[] };

export type ClaimedSignIn = Exclude<FoundSignIn, { state: 'new' }>;

/** The version of the proven credential, which must not have been replaced since. */
export interface CredentialVersion {
  /** See `account/password-version.ts`. */
  passwordVersion?: string | undefined;
  /** Stamp of the account if no password was proven; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
}

/** A sign-in whose first factor was proven. It lasts ten minutes from the last proof, or longer after `extend`. */
export interface IdentifiedRecord {
  id: string;
  account: Account;
  /** The current factors, which may be added or removed while the sign-in waits. */
  factors: FactorCounts;
  amr: Amr[];
  /** JSON stored by the code that identified the sign-in. */
  proof: string;
  /** Id of the proof of the first factor. A later proof of a second factor refers to it. */
  proofId: string;
  /** JSON of the login request, as `claim` stored it. */
  request: string | null;
  /** Whether too many codes were wrong, so that the first factor is required again. */
  isClosed: boolean;
  /** Id of the manage session that may set up a factor; null if this sign-in needs no set-up. */
  enrolmentId: string | null;
  /** See `trusted-browsers.ts`. */
  trustStamp: string;
}

export interface Identification extends CredentialVersion {
  id: string;
  /** The current id of the browser. */
  browser: string;
  /** The next id of the browser, so that an id that was planted or seen before is useless after the proof. */
  nextBrowser: string;
  /** The cookie of the account area that the browser presents. */
  manageSession: string | null;
  accountId: string;
  amr: readonly Amr[];
  /** JSON for the code that finds the sign-in later. */
  proof: string;
  /** The answer to the form, for a double click. */
  answer: string;
  /** Whether a factor has to be set up. */
  enrols: boolean;
}

/** An answer to a login request. */
export interface SignInAnswer {
  /** Id of the sign-in. */
  id: string;
  /** The id of the browser that sent the form. */
  browser: string;
  /** The same form receives this answer again within ten seconds. */
  answer: string;
}

/** A proof that waits for its request to start again. It waits for 60 seconds and can be taken once. */
export interface CarriedProof extends CredentialVersion {
  accountId: string;
  amr: readonly string[];
  /** JSON for the code that takes the proof. */
  proof: string;
}

/** A carried proof that has arrived, with the current account and its current factors. */
export type TakenProof = Pick<IdentifiedRecord, 'account' | 'factors' | 'amr' | 'proof'>;

/** The request for which a carried proof is valid. A request with another scope, client or `max_age` is another request. */
export interface CarryTarget {
  requestUrl: string;
  /** At least 128 random bits. */
  secret: string;
  browser: string;
}

/** The `amr` value of a kind of second factor. A proven factor may have more values. A recovery code has the value `otp`. */
export type FactorAmr = 'otp' | 'hwk';

/** A sign-in that waits for a second factor or a task. */
export interface WaitingSignIn {
  id: string;
  accountId: string;
  /** The proof of the first factor when the second factor was requested. If absent, any proof of the account is accepted. */
  proofId?: string;
}

export interface ProvenFactor {
  /** The method of this kind of factor. */
  amr: FactorAmr;
  /** The proven methods, if they are more than `amr`. */
  methods?: readonly Amr[] | undefined;
}

/** Longer than the time for which Hydra accepts a challenge. */
const LIFETIME_SECONDS = 24 * 3600;
/** Number of wrong codes that close a sign-in (MFV-8). */
const MAX_FAILURES = 5;

@Injectable()
export class SignInRecords {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly enrolments: ManageSessionRecords,
    private readonly audit: AuditLog,
  ) {}

  /** Finds the state of a login challenge without claiming it. */
  async find(owner: SignInOwner): Promise<FoundSignIn> {
    const [row] = await this.database.run(FIND, hashOwner(owner));
    return row ? this.#toFoundSignIn(row) : { state: 'new' };
  }

  /** A challenge belongs to the first browser that opens it. @param request JSON that is stored for the forms of this browser */
  async claim(owner: SignInOwner, request: string | null): Promise<ClaimedSignIn> {
    const sealedRequest = request === null ? null : this.keys.seal('sign-in', request);
    const [row] = await this.database.run(CLAIM, {
      ...hashOwner(owner),
      request: sealedRequest,
      lifetimeSeconds: LIFETIME_SECONDS,
    });
    if (!row) throw new Error('The claim of a sign-in returned no row.');
    return this.#toFoundSignIn(row);
  }

  /** Also finds a closed sign-in. */
  async findIdentified(owner: SignInOwner): Promise<IdentifiedRecord | null> {
    return this.#toIdentifiedRecord((await this.database.run(FIND_IDENTIFIED, hashOwner(owner)))[0]);
  }

  /** Also finds a closed sign-in. */
  async findIdentifiedById(id: string, browser: string): Promise<IdentifiedRecord | null> {
    if (!isAccountId(id)) return null;
    return this.#toIdentifiedRecord((await this.database.run(FIND_IDENTIFIED_BY_ID, { id, browser: fingerprint(browser) }))[0]);
  }

  /**
   * open → identified: replaces an earlier proof, and moves everything of the browser to its new id. With `enrols`, also begins the
   * session of the set-up; a sign-in without such a session cannot set up a factor.
   * @returns false if another form was answered first
   * @throws ProofOutdated, OwnProofNeeded
   */
  async identify(identification: Identification): Promise<boolean> {
    const { id, accountId, amr, nextBrowser: browser, enrols } = identification;
    if (!enrols) return this.#identify(identification);
    return this.database.transaction(async (trx) => {
      if (!(await this.#identify(identification, trx))) return false;
      await this.#beginEnrolment({ id, accountId, amr, browser }, trx);
      return true;
    });
  }

  async #identify({ id, amr, ...rest }: Identification, trx?: Transaction<Schema>): Promise<boolean> {
    const values = {
      ...toProvenValues(rest.accountId, rest),
      id,
      browser: fingerprint(rest.browser),
      newId: fingerprint(rest.nextBrowser),
      formerId: this.keys.seal('sign-in', rest.browser),
      session: rest.manageSession === null ? null : fingerprint(rest.manageSession),
      amr: [...amr],
      proof: this.keys.seal('sign-in', rest.proof),
      answer: this.#sealAnswer(rest.answer),
    };
    const [row] = await this.database.run(IDENTIFY, values, trx);
    if (!row?.proven) throw new ProofOutdated();
    return row.identified;
  }

  /**
   * A proof by a provider alone must not set up a factor for an account with a password or with frozen credentials, because that could lock
   * the owner out.
   */
  async #beginEnrolment(
    { id, accountId, amr, browser }: { id: string; accountId: string; amr: readonly Amr[]; browser: string },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const isFederated = amr.includes('fed');
    if (isFederated && (await this.database.run(NEEDS_OWN_PROOF, { account: accountId }, trx)).length > 0) {
      throw new OwnProofNeeded();
    }
    await this.enrolments.beginEnrolment({ accountId, signInId: id, browser }, trx);
  }

  /**
   * Any state → answered, without a new login: a refusal, a session that continues, or a request that starts again.
   * @param event recorded with the first answer @returns false if another form was answered first
   */
  async answer({ id, browser, answer }: SignInAnswer, event: AuditEvent | null): Promise<boolean> {
    const values = { ...toEventValues(event), id, browser: fingerprint(browser), answer: this.#sealAnswer(answer) };
    const isFirst = (await this.database.run(ANSWER, values)).length > 0;
    if (isFirst && event) this.audit.count(event);
    return isFirst;
  }

  /**
   * Any state → answered, by an accepted login. Moves everything of the browser to its new id.
   * @returns null if nothing was changed, because another form was answered first. `hasAccount`: false if the account was deleted
   */
  async finish(
    { id, browser, answer, newBrowser, manageSession }: SignInAnswer & { newBrowser: string; manageSession: string | null },
    event: AuditEvent,
    trx?: Transaction<Schema>,
  ): Promise<{ hasAccount: boolean } | null> {
    const values = {
      ...toEventValues(event),
      id,
      browser: fingerprint(browser),
      newId: fingerprint(newBrowser),
      formerId: this.keys.seal('sign-in', browser),
      answer: this.#sealAnswer(answer),
      session: manageSession === null ? null : fingerprint(manageSession),
    };
    const [row] = await this.database.run(FINISH, values, trx);
    if (row) this.audit.count(event);
    return row ? { hasAccount: row.has_account } : null;
  }

  /** Reserves the check of a code. @returns false after too many wrong codes, or if the sign-in no longer waits */
  async reserveTry(id: string): Promise<boolean> {
    return (await this.database.run(RESERVE, { id, max: MAX_FAILURES })).length > 0;
  }

  /** Takes back the reservation of a code that was not checked. */
  async giveBackTry(id: string): Promise<void> {
    await this.database.run(GIVE_BACK, { id });
  }

  /** Records that the code was wrong. @returns whether the sign-in is closed now, or no longer waits */
  async failTry(id: string): Promise<boolean> {
    const [row] = await this.database.run(FAIL, { id, max: MAX_FAILURES });
    return row?.closed ?? true;
  }

  /** Only the newest token works. @returns a token that the form submits once; null if the sign-in no longer waits with this proof */
  async issueFactorToken(waitingSignIn: WaitingSignIn, { amr, methods = [amr] }: ProvenFactor): Promise<string | null> {
    const token = randomToken();
    const rows = await this.database.run(ISSUE_FACTOR_TOKEN, {
      ...toWaitingValues(waitingSignIn),
      token: fingerprint(token),
      methods: [...methods],
    });
    return rows.length > 0 ? token : null;
  }

  /** @returns whether the token was correct, unused and not expired, and the sign-in still waits */
  async consumeFactorToken(id: string, token: string): Promise<boolean> {
    return (await this.database.run(CONSUME_FACTOR_TOKEN, { id, token: fingerprint(token) })).length > 0;
  }

  /**
   * Records a second factor that a form has proven, so that no token is needed.
   * @returns false if the sign-in no longer waits with this proof
   */
  async prove(waitingSignIn: WaitingSignIn, { amr, methods = [amr] }: ProvenFactor): Promise<boolean> {
    return (await this.database.run(PROVE, { ...toWaitingValues(waitingSignIn), methods: [...methods] })).length > 0;
  }

  /**
   * Replaces the proof of the first factor by another proof of the same person, in the transaction that replaces the credential, if there is
   * one. @returns false if the sign-in no longer waits with this proof
   */
  async replaceProof(waitingSignIn: WaitingSignIn, proof: string, trx?: Transaction<Schema>): Promise<boolean> {
    const values = { ...toWaitingValues(waitingSignIn), text: this.keys.seal('sign-in', proof) };
    return (await this.database.run(REPLACE_PROOF, values, trx)).length > 0;
  }

  /**
   * The condition of a change that the proof of a sign-in allows. `require` throws ProofOutdated if the sign-in no longer waits with this
   * proof.
   */
  toSessionCondition(waitingSignIn: WaitingSignIn): SessionCondition {
    return {
      require: async (trx) => {
        if ((await this.database.run(REQUIRE_WAITING, toWaitingValues(waitingSignIn), trx)).length === 0)
          throw new ProofOutdated();
      },
    };
  }

  /** Extends the wait for something that was just mailed. The code that sends the mail limits how often this happens. */
  async extend(id: string, seconds: number): Promise<void> {
    if (isAccountId(id)) await this.database.run(EXTEND, { id, seconds });
  }

  /** @throws ProofOutdated */
  async carry(target: CarryTarget, { accountId, amr, proof, ...versions }: CarriedProof): Promise<void> {
    const values = { ...hashCarryTarget(target), ...toProvenValues(accountId, versions), amr: [...amr] };
    const rows = await this.database.run(CARRY, { ...values, proof: this.keys.seal('sign-in', proof) });
    if (rows.length === 0) throw new ProofOutdated();
  }

  /**
   * @returns the proof, once; null if it is unknown, taken or expired, belongs to another browser or request, or its account is
   * not active
   */
  async takeCarriedProof(target: CarryTarget): Promise<TakenProof | null> {
    const [row] = await this.database.run(TAKE_CARRIED_PROOF, hashCarryTarget(target));
    const proof = row ? this.keys.open('sign-in', row.proof) : null;
    if (!row || proof === null) return null;
    // `carry` has written this value, with methods that were proven.
    return { account: toAccount(row), factors: row.factors, amr: row.amr as Amr[], proof };
  }

  #sealAnswer(answer: string): string {
    return this.keys.seal('sign-in-answer', answer);
  }

  #toFoundSignIn({
    id,
    state,
    own,
    repeated,
    answer: sealedAnswer,
    request,
    former_browsers: sealedBrowsers,
  }: SignInRow): ClaimedSignIn {
    const answer = repeated && sealedAnswer !== null ? this.keys.open('sign-in-answer', sealedAnswer) : null;
    const formerBrowsers = sealedBrowsers.flatMap((browser) => this.keys.open('sign-in', browser) ?? []);
    if (state === 'answered') return { state, answer, formerBrowsers };
    if (!own) return { state: 'foreign', answer, formerBrowsers };
    return { state: 'open', id, request: this.#openRequest(request), isIdentified: state === 'identified', formerBrowsers };
  }

  #toIdentifiedRecord(row: IdentifiedRow | undefined): IdentifiedRecord | null {
    const proof = row ? this.keys.open('sign-in', row.proof) : null;
    if (!row || proof === null) return null;
    return {
      id: row.sign_in_id,
      account: toAccount(row),
      factors: row.factors,
      // The column contains only values of `Amr`. Each second factor adds `mfa` again.
      amr: [...new Set(row.amr as Amr[])],
      proof,
      proofId: row.proof_id,
      request: this.#openRequest(row.request),
      isClosed: row.closed,
      enrolmentId: row.enrolment_id,
      trustStamp: row.trust_stamp,
    };
  }

  #openRequest(sealedRequest: string | null): string | null {
    return sealedRequest === null ? null : this.keys.open('sign-in', sealedRequest);
  }
}

function hashOwner({ challenge, browser }: SignInOwner): { challenge: string; browser: string } {
  return { challenge: fingerprint(challenge), browser: fingerprint(browser) };
}

function hashCarryTarget({ requestUrl, secret, browser }: CarryTarget): { carriedHash: string; browser: string } {
  return { carriedHash: fingerprint(`${secret} ${requestUrl}`), browser: fingerprint(browser) };
}

/** @throws ProofOutdated for an id that no account can have */
function toProvenValues(accountId: string, { passwordVersion, securityStamp }: CredentialVersion): ProvenValues {
  if (!isAccountId(accountId)) throw new ProofOutdated();
  return { account: accountId, version: passwordVersion ?? null, securityStamp: securityStamp ?? null };
}

function toWaitingValues({ id, accountId: account, proofId }: WaitingSignIn): {
  id: string;
  account: string;
  proof: string | null;
} {
  return { id, account, proof: proofId ?? null };
}

/** Values of a row whose proof is forgotten: the request is open again, and a carried proof is void. */
const FORGOTTEN_PROOF = { state: 'open' as const, account_id: null, amr: [], proof: null, token_hash: null, carried_hash: null };

/**
 * Forgets the proofs of an account, in a transaction that ends sign-ins or removes a factor.
 * @param exceptId id of a sign-in that continues
 */
export async function forgetSignIns(accountId: string, trx: Transaction<Schema>, exceptId?: string): Promise<void> {
  const forget = trx
    .updateTable('sign_in')
    .set(FORGOTTEN_PROOF)
    .where('account_id', '=', accountId)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''));
  await forget.where('state', '=', 'identified').execute();
}

/**
 * Forgets the proofs of an account in a transaction that signs browsers out.
 * @param selection Fingerprints. `browsers`: the browsers whose sign-ins end; `exceptBrowsers`: the browsers whose sign-ins continue
 */
export async function forgetSignInsInBrowsers(
  selection: { accountId: string } & ({ browsers: readonly string[] } | { exceptBrowsers: readonly string[] }),
  trx: Transaction<Schema>,
): Promise<void> {
  const isEnded =
    'browsers' in selection
      ? sql<boolean>`browser_hash = any(${selection.browsers})`
      : sql<boolean>`browser_hash <> all(${selection.exceptBrowsers})`;
  const forget = trx.updateTable('sign_in').set(FORGOTTEN_PROOF).where('account_id', '=', selection.accountId);
  await forget.where('state', '=', 'identified').where(isEnded).execute();
}

/** Forgets the proofs of an account that came from providers, in the transaction that disconnects a provider. */
export async function forgetFederatedSignIns(accountId: string, trx: Transaction<Schema>): Promise<void> {
  const forget = trx.updateTable('sign_in').set(FORGOTTEN_PROOF).where('account_id', '=', accountId);
  await forget
    .where('state', '=', 'identified')
    .where(sql<boolean>`'fed' = any(amr)`)
    .execute();
}
