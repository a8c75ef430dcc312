/**
 * Verifies a username and a password. An unknown name, a disabled account, an account without a password and a wrong
 * password run the same statements, hash, calls to the sources and counting and get the same answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import type { FactorCounts } from '../account/factor-counts.js';
import { Attempts, type Admission, type Reservation, type Wait } from '../limits/attempts.js';
import { GIVE_BACK, type ReserveRow, type ReserveValues, type SucceedValues } from '../limits/attempt-statements.js';
import { beginValues, begunOf, type BegunSession, type NewBrowserSession } from '../sessions/browser-sessions.js';
import { ChallengeRecords, hashed, type ChallengeOwner, type ClaimState } from '../sessions/challenge-records.js';
import { trustedValues } from '../sessions/trusted-browsers.js';
import { HasherBusy } from './hasher.js';
import { usernameKey } from '../account/username.js';
import { typedEmailKey } from '../account/verified-addresses.js';
import {
  LOOK_UP,
  NO_CHALLENGE,
  NO_SESSION,
  NOTHING_RESERVED,
  SETTLE,
  SETTLE_OF_SOURCE,
  type Candidate,
  type LookUpRow,
  type LookUpValues,
  type SettledRow,
} from './sign-in-statements.js';
import type { SourceProblem } from './source-sign-in.js';
import {
  VerifyPassword,
  type Failure,
  type PasswordAttempt,
  type ProvenPassword,
  type TypedPassword,
} from './verify-password.js';

export type { PasswordAttempt, ProvenPassword } from './verify-password.js';

export type PasswordVerdict =
  | (ProvenPassword & {
      kind: 'proven';
      /** Second factors that are set up. */
      factors: FactorCounts;
      /** The browser may go without them. */
      isTrusted: boolean;
      /** Has begun with the proof, if one was asked for and the account has no factor or trusts the browser. */
      session: (BegunSession & Pick<NewBrowserSession, 'browser'>) | null;
    })
  | { kind: 'refused' }
  | Wait
  | { kind: 'busy' }
  | SourceProblem;

/** An attempt in a waiting request. */
export interface RequestAttempt<Request> {
  owner: ChallengeOwner;
  /** The request, if the OAuth server was asked for it; null: the record of the challenge has to keep it. */
  asked: Request | null;
  /** @param kept by the record @returns null if it says too little: then nothing is checked */
  read(kept: string): Request | null;
  /** Secrets of the browser that may stand for a second factor. */
  trusted: readonly string[];
  /** @returns the session to begin if the account has no second factor; null if something else comes first */
  begins(request: Request, proven: ProvenPassword): NewBrowserSession | null;
}

export interface RequestVerdict<Request> {
  /** Null if not even that was read, because too many wait. */
  record: ClaimState | null;
  request: Request | null;
  /** Null if nothing was checked: the challenge is not open in this browser, or its request is not known. */
  verdict: PasswordVerdict | null;
}

interface LookedUp<Request> extends Omit<RequestVerdict<Request>, 'verdict'> {
  row: LookUpRow;
  /** The password is to be checked. */
  isOpen: boolean;
}

interface Judged extends TypedPassword {
  /** The name for which the attempt was counted. */
  counted: string;
  trusted: readonly string[];
  begins(proven: ProvenPassword): NewBrowserSession | null;
}

const NOT_LOOKED_UP = { row: null, record: null, request: null };

const REHASH = new Statement<{ account: string; old: string; new: string }, never>(
  'sign-in.rehash',
  ({ param }) => sql`
    update password_credential set hash = ${param('new')} where account_id = ${param('account')} and hash = ${param('old')}`,
);

@Injectable()
export class PasswordSignIn {
  constructor(
    private readonly database: Database,
    private readonly verifier: VerifyPassword,
    private readonly attempts: Attempts,
    private readonly records: ChallengeRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mfa'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  /** A sign-in. */
  async attempt<Request>(attempt: PasswordAttempt, of: RequestAttempt<Request>): Promise<RequestVerdict<Request>> {
    const result = await this.#attempt(attempt, of);
    if (result.verdict) {
      const method = { 'foyer.login.method': 'password' } as const;
      this.telemetry.count('foyer.login.attempts', { ...method, 'foyer.login.result': result.verdict.kind });
    }
    return result;
  }

  /** The password alone, of a signed-in person. */
  async prove(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = (await this.#attempt(attempt, null)).verdict ?? { kind: 'busy' };
    this.telemetry.count('foyer.proof.attempts', { 'foyer.proof.result': verdict.kind });
    return verdict;
  }

  async #attempt<Request>(typed: PasswordAttempt, of: RequestAttempt<Request> | null): Promise<RequestVerdict<Request>> {
    const { username, device, address, requestId } = typed;
    const challenge = of ? { ...hashed(of.owner), asked: of.asked !== null } : NO_CHALLENGE;
    const values = { ...challenge, ...keysOf({ username, device }, this.config.login) };
    // Which counter counts depends on the account if the browser brings a device, or the name may be an address: then the
    // failures of both names are counted together.
    const needsAccount = device !== null || values.email !== null;
    const before = needsAccount ? await this.#lookUp({ ...values, ...NOTHING_RESERVED }, of) : null;
    if (before && !before.isOpen) return { record: before.record, request: before.request, verdict: null };
    const accountId = before?.row.device_known ? before.row.account : null;
    const known = device !== null && accountId !== null ? { secret: device, accountId } : null;
    // An attempt that has to wait for others looks up again.
    let last = before;
    const counted = await this.#countedName(username, before);
    const admission = await this.attempts.admit(
      { username: counted, accountId, device: known, address, requestId },
      async (reserve) => {
        last = await this.#lookUp({ ...values, ...reserve }, of);
        return last.isOpen ? last.row : this.#withdraw(last.row, reserve);
      },
    );
    const { row, record, request } = last ?? NOT_LOOKED_UP;
    const candidate = candidateOf(row);
    // An attempt that was admitted has been looked up.
    const lookedUpAt = row?.looked_up_at ?? new Date(0);
    const begins = (proven: ProvenPassword): NewBrowserSession | null => (of && request ? of.begins(request, proven) : null);
    return {
      record,
      request,
      verdict: await this.#verdict(admission, {
        candidate,
        counted,
        attempt: typed,
        isOwn: of === null,
        lookedUpAt,
        trusted: of?.trusted ?? [],
        begins,
      }),
    };
  }

  /** A name with an account of another name is counted for that. */
  async #countedName(username: string, before: { row: LookUpRow } | null): Promise<string> {
    const atSource = await this.verifier.countedName(username);
    return before?.row.username ?? atSource ?? username;
  }

  async #lookUp<Request>(values: LookUpValues & ReserveValues, of: RequestAttempt<Request> | null): Promise<LookedUp<Request>> {
    const [row] = await this.database.run(LOOK_UP, values);
    if (!row) throw new Error('A look-up always answers.');
    if (!of) return { row, record: null, request: null, isOpen: true };
    const record = this.records.stateOf(row.own === null ? null : row);
    const kept = record.state === 'open' ? record.request : undefined;
    const request = of.asked ?? (kept === undefined ? null : of.read(kept));
    return { row, record, request, isOpen: !row.withdrawn && request !== null };
  }

  /** The statement reserves if the record keeps something, also if that says too little. */
  async #withdraw(row: LookUpRow, { subject }: ReserveValues): Promise<ReserveRow> {
    if (row.admitted && subject !== null) await this.database.run(GIVE_BACK, { subject });
    return { ...row, admitted: false, withdrawn: true };
  }

  async #verdict(admission: Admission, judged: Judged): Promise<PasswordVerdict | null> {
    switch (admission.kind) {
      case 'admitted':
        return this.#judge(judged, admission.reservation);
      case 'stopped':
        return this.#refuse(judged.attempt, admission.refuse);
      case 'withdrawn':
        return null;
      default:
        return admission;
    }
  }

  async #judge(judged: Judged, reservation: Reservation): Promise<PasswordVerdict> {
    const { candidate, attempt, begins } = judged;
    let proof: ProvenPassword | Failure;
    let session: NewBrowserSession | null = null;
    try {
      proof = await this.verifier.verify(judged);
      session = 'account' in proof ? begins(proof) : null;
    } catch (error) {
      await reservation.giveBack();
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
    if ('verdict' in proof) {
      await (proof.counts ? reservation.fail() : reservation.giveBack());
      return proof.verdict;
    }
    const proven = proof;
    const settled = await reservation.succeed(
      (values) => this.#settle(values, proven, { session, trusted: judged.trusted }),
      isCountedFor(proven.account, judged),
    );
    if (!settled) return { kind: 'refused' };
    if (candidate && proven.passwordVersion !== undefined) await this.#renewHash(candidate, attempt.password);
    const begun = session && settled.account_id !== null ? { ...begunOf(settled), browser: session.browser } : null;
    return { kind: 'proven', ...proven, factors: settled.factors, isTrusted: settled.is_trusted, session: begun };
  }

  /** A factor or a new password may have been set while the attempt waited. */
  async #settle(
    values: SucceedValues,
    { account, passwordVersion, securityStamp, link }: ProvenPassword,
    { session, trusted }: { session: NewBrowserSession | null; trusted: readonly string[] },
  ): Promise<SettledRow | null> {
    const proof = { version: passwordVersion ?? null, securityStamp: securityStamp ?? null };
    const of = { account: account.id, ...proof, source: link?.source ?? null, person: link?.subject ?? null };
    const begun = session ? beginValues(session) : NO_SESSION;
    const [row] = await this.database.run(link ? SETTLE_OF_SOURCE : SETTLE, {
      ...begun,
      ...values,
      ...of,
      ...trustedValues(trusted, this.config),
    });
    return row ?? null;
  }

  async #refuse(attempt: PasswordAttempt, refuse: () => Promise<void>): Promise<PasswordVerdict> {
    let problem: SourceProblem | null;
    try {
      problem = await this.verifier.standIn(attempt);
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
    await refuse();
    return problem ?? { kind: 'refused' };
  }

  /** The password is known only here. If the hasher is busy, the next sign-in does it. */
  async #renewHash({ id, hash }: Candidate, password: string): Promise<void> {
    if (hash === null) return;
    try {
      const renewed = await this.verifier.renewedHash(hash, password);
      if (renewed !== null) await this.database.run(REHASH, { account: id, old: hash, new: renewed });
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
  }
}

/** @returns the name as a username, as an address where that counts, and the device */
function keysOf({ username, device }: Pick<PasswordAttempt, 'username' | 'device'>, { byEmail }: Config['login']) {
  const email = byEmail ? typedEmailKey(username) : null;
  return { key: usernameKey(username), email, device: device === null ? null : fingerprint(device) };
}

/**
 * A source may prove another person than the one whose account has the name that was typed. Whoever could forgive failures at
 * the password of somebody else would have as many guesses as they like.
 */
function isCountedFor({ id, username }: ProvenPassword['account'], { candidate, counted, attempt }: Judged): boolean {
  const isOfNobody = candidate === null && counted === attempt.username;
  return isOfNobody || candidate?.id === id || usernameKey(counted) === usernameKey(username);
}

function candidateOf(row: LookUpRow | null): Candidate | null {
  return row && row.account !== null ? row : null;
}
