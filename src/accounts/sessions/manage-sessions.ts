/**
 * Stores the manage sessions of the account area and of factor set-ups during a sign-in, with account, browser, expiry and time of the
 * last proof. Also admits RPC calls, each of which uses up its token (RPC-8). Cookies and access tokens are stored as hashes; the tokens of
 * RPC calls are not stored.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint, randomToken, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { AccountDisabled, ChangeRefused } from '../account/account.errors.js';
import { isAccountId } from '../account/account.js';
import type { ChangingSession } from '../account/lock.js';
import {
  ADMIT,
  BEGIN_ENROLMENT,
  FIND_BY_COOKIE,
  FIND_BY_ID,
  OPEN,
  RECORD_REFUSAL,
  isFreshSql,
  type SessionRow,
} from './manage-session-statements.js';
import { AuditLog } from '../audit/audit-log.js';
import { RpcTokens } from './rpc-tokens.js';

export interface ManageSessionRecord {
  sessionId: string;
  accountId: string;
  scope: 'manage' | 'enrol';
  /** The sign-in of a factor set-up; null in the account area. */
  signInId: string | null;
  returnTo: { url: string; name: string } | null;
  /**
   * Whether the last proof is fresh enough for a sensitive change (MAN-14). A password is not sufficient if the account has a second factor
   * or, where the installation uses passkeys, a passkey.
   */
  isFresh: boolean;
  /** Whether the account has a second factor and something other than a password was proven; see `isFactorProvenSql`. */
  hasProvenFactor: boolean;
  /** Whether anything was proven in this session, or the person is signed in in its browser. */
  isSignedIn: boolean;
}

export interface ManageEntry {
  /** Access token that opens the account area. It belongs to the first browser that presents it. */
  token: string;
  tokenIssuedAt: Date | null;
  tokenExpiresAt: Date | null;
  accountId: string;
  clientId: string;
  /** Cookie of the account area and browser id from the request. */
  manageBrowser: ManageBrowser;
  /** Whether a browser sent the request, rather than another kind of client. */
  byBrowser: boolean;
  returnTo: { url: string; name: string } | null;
  /** When the person last proved their identity in this browser. */
  provenAt: Date | null;
  /** When the person last proved their identity in this browser with anything other than a password. */
  factorProvenAt: Date | null;
}

interface ProofLimits {
  maxAgeSeconds: number;
  passkeys: boolean;
}

export interface ManageBrowser {
  browser: string;
  manageSession: string | null;
}

@Injectable()
export class ManageSessionRecords {
  readonly #tokens: RpcTokens;

  constructor(
    private readonly database: Database,
    keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage' | 'passkeys'>,
    private readonly audit: AuditLog,
  ) {
    this.#tokens = new RpcTokens(keys);
  }

  /**
   * Opens the account area. If the same browser presents the token again, its session continues under a new cookie.
   * @returns the secret of the cookie; null if the token belongs to another browser, its session has ended, the token was issued before the
   * access of the account last ended, or the account is not active
   */
  async open(entry: ManageEntry): Promise<string | null> {
    const { token, tokenIssuedAt, tokenExpiresAt, accountId, clientId, manageBrowser, returnTo, provenAt, factorProvenAt } =
      entry;
    if (!isAccountId(accountId)) return null;
    const secret = randomToken();
    const [row] = await this.database.run(OPEN, {
      account: accountId,
      secret: fingerprint(secret),
      token: fingerprint(token),
      session: manageBrowser.manageSession === null ? null : fingerprint(manageBrowser.manageSession),
      browser: fingerprint(manageBrowser.browser),
      client: clientId,
      returnUrl: returnTo?.url ?? null,
      returnName: returnTo?.name ?? null,
      provenAt,
      factorProvenAt,
      byBrowser: entry.byBrowser,
      tokenIssuedAt,
      tokenExpiresAt,
      lifetimeSeconds: this.config.manage.lifetimeSeconds,
    });
    return row ? secret : null;
  }

  /** Whether the token cannot open the account area in this browser, because it belongs to another browser or its session has ended. */
  async isElsewhere(token: string, { browser, manageSession }: ManageBrowser): Promise<boolean> {
    const session = await this.database.db
      .selectFrom('manage_session')
      .select(['browser_hash', 'entry_browser_hash', 'ended_at'])
      .where('access_token_hash', '=', fingerprint(token))
      .executeTakeFirst();
    if (!session) return false;
    const isOwn =
      session.entry_browser_hash === fingerprint(browser) ||
      (manageSession !== null && session.browser_hash === fingerprint(manageSession));
    return session.ended_at !== null || !isOwn;
  }

  /**
   * Begins the session in which a person without a factor sets one up during a sign-in. The session lasts at most as long as the sign-in
   * waits. Part of the transaction that stores the proof of the password or other credential.
   * @returns id of the session
   * @throws AccountDisabled if the account is not active or the sign-in is over
   */
  async beginEnrolment(
    enrolment: { accountId: string; signInId: string; browser: string },
    trx?: Transaction<Schema>,
  ): Promise<string> {
    if (!isAccountId(enrolment.accountId) || !isAccountId(enrolment.signInId)) throw new AccountDisabled();
    const values = { account: enrolment.accountId, signIn: enrolment.signInId, browser: fingerprint(enrolment.browser) };
    const [row] = await this.database.run(BEGIN_ENROLMENT, values, trx);
    if (!row) throw new AccountDisabled();
    return row.id;
  }

  /** Creates the token for the first call of a page. Writes nothing: the family is stored when the token is used. */
  createFirstToken(sessionId: string): string {
    return this.#tokens.createFirst(sessionId);
  }

  /** @param secret value of the cookie of the account area */
  async findByCookie(secret: string): Promise<ManageSessionRecord | null> {
    const [row] = await this.database.run(FIND_BY_COOKIE, { secret: fingerprint(secret), ...this.#limits() });
    return row ? toSession(row) : null;
  }

  /**
   * Uses up the token of one call.
   * @returns null if the token is not authentic, its family or session has ended, it is used again too late, or the required cookie of its
   * session is missing
   */
  async admitCall(
    token: string,
    tokenUse: ManageBrowser & { address: string; requestId: string; byBrowser: boolean },
  ): Promise<{ session: ManageSessionRecord; nextToken: string } | null> {
    const presentedToken = this.#tokens.read(token);
    if (!presentedToken) return null;
    const { sessionId, family, step } = presentedToken;
    const { address, requestId: request, byBrowser } = tokenUse;
    const cookies = {
      cookie: tokenUse.manageSession === null ? null : fingerprint(tokenUse.manageSession),
      browser: fingerprint(tokenUse.browser),
      byBrowser,
    };
    const values = { session: sessionId, family, step, address, request, ...cookies, ...this.#limits() };
    const [row] = await this.database.run(ADMIT, values);
    if (row?.reused) this.audit.count({ kind: 'token.reused', actor: 'person' });
    if (!row) await this.#recordRefusal(values);
    if (!row || row.ended || step > row.step) return null;
    return { session: toSession(row), nextToken: this.#tokens.write({ sessionId, family, step: row.step + 1 }) };
  }

  async #recordRefusal(values: Parameters<typeof RECORD_REFUSAL.fill>[0]): Promise<void> {
    const { session, cookie, browser, address, request, idleSeconds, proofSeconds, passkeys } = values;
    const events = await this.database.run(RECORD_REFUSAL, {
      session,
      cookie,
      browser,
      address,
      request,
      idleSeconds,
      proofSeconds,
      passkeys,
    });
    if (events.length > 0) this.audit.count({ kind: 'token.refused', actor: 'person' });
  }

  /** Checks the session of an admitted call again after its body has arrived. Writes nothing. */
  async findAdmitted(sessionId: string): Promise<ManageSessionRecord | null> {
    const [row] = await this.database.run(FIND_BY_ID, { session: sessionId, ...this.#limits() });
    return row ? toSession(row) : null;
  }

  /** Records a proof of the person at this moment. Any proof other than a password counts as a factor. */
  async prove(sessionId: string, method: 'password' | 'factor', trx?: Transaction<Schema>): Promise<void> {
    const now = this.database.now();
    const times = { proven_at: now, ...(method === 'factor' ? { factor_proven_at: now } : {}) };
    const session = (trx ?? this.database.db).updateTable('manage_session').set(times).where('id', '=', sessionId);
    await session.where('ended_at', 'is', null).execute();
  }

  /** @param graceSeconds how much older the proof may be than the setting allows, because it was required when the change began */
  toChangingSession(sessionId: string, graceSeconds = 0): ChangingSession {
    const { proofSeconds, passkeys } = this.#limits();
    return this.#buildChangingSession(sessionId, { maxAgeSeconds: proofSeconds + graceSeconds, passkeys });
  }

  /** For a set-up during a sign-in, whose first factor is the proof. */
  toEnrollingSession(sessionId: string): ChangingSession {
    return this.#buildChangingSession(sessionId, null);
  }

  #buildChangingSession(sessionId: string, proof: ProofLimits | null): ChangingSession {
    return {
      require: (trx) => requireChangingSession({ sessionId, proof, now: this.database.now() }, trx),
      prove: (trx) => this.prove(sessionId, 'factor', trx),
    };
  }

  /** Ends the sessions of a browser. @param exceptAccountId account whose sessions continue @returns number of ended sessions */
  async endForBrowser({ browser, manageSession }: ManageBrowser, exceptAccountId?: string): Promise<number> {
    const end = this.database.db
      .updateTable('manage_session')
      .set({ ended_at: this.database.now() })
      .where('ended_at', 'is', null)
      .where(({ eb, or }) =>
        or([
          eb('entry_browser_hash', '=', fingerprint(browser)),
          ...(manageSession === null ? [] : [eb('browser_hash', '=', fingerprint(manageSession))]),
        ]),
      )
      .$if(exceptAccountId !== undefined, (update) => update.where('account_id', '<>', exceptAccountId ?? ''));
    return Number((await end.executeTakeFirst()).numUpdatedRows);
  }

  /** Ends the sessions of an account. @returns number of ended sessions */
  async endForAccount(accountId: string, exceptSessionId?: string, trx?: Transaction<Schema>): Promise<number> {
    if (!isAccountId(accountId)) return 0;
    return endManageSessions({ accountId, now: this.database.now(), exceptSessionId }, trx ?? this.database.db);
  }

  #limits(): { idleSeconds: number; proofSeconds: number; passkeys: boolean } {
    const { manage, passkeys } = this.config;
    return { idleSeconds: manage.idleSeconds, proofSeconds: manage.freshProofSeconds, passkeys: passkeys.mode !== 'off' };
  }
}

/** Runs in the transaction that adds the only second factor of an account, because no earlier proof can prove that factor. */
export async function forgetFactorProofs(accountId: string, trx: Transaction<Schema>): Promise<void> {
  const sessions = trx.updateTable('manage_session').set({ factor_proven_at: null }).where('account_id', '=', accountId);
  await sessions.where('ended_at', 'is', null).where('factor_proven_at', 'is not', null).execute();
}

/** Ends the manage sessions of an account, in the transaction of a change. @returns number of ended sessions */
export async function endManageSessions(
  selection: { accountId: string; now: RawBuilder<Date>; exceptSessionId?: string | undefined },
  db: Kysely<Schema>,
): Promise<number> {
  const end = db
    .updateTable('manage_session')
    .set({ ended_at: selection.now })
    .where('account_id', '=', selection.accountId)
    .where('ended_at', 'is', null)
    .$if(selection.exceptSessionId !== undefined, (update) => update.where('id', '<>', selection.exceptSessionId ?? ''));
  return Number((await end.executeTakeFirst()).numUpdatedRows);
}

/**
 * Checks the session of a change, in the account area or at a set-up during a sign-in, again after the account was locked: the session may
 * have ended since, and a concurrent change may have made its proof void. Locks the session until the change is committed. @throws ChangeRefused
 */
async function requireChangingSession(
  { sessionId, proof, now }: { sessionId: string; proof: ProofLimits | null; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const { maxAgeSeconds, passkeys } = proof ?? { maxAgeSeconds: 0, passkeys: true };
  const session = await trx
    .selectFrom('manage_session as s')
    .select(isFreshSql({ proofSeconds: sql.val(maxAgeSeconds), passkeys: sql.val(passkeys), now }).as('fresh'))
    .where('s.id', '=', sessionId)
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', now)
    .forShare()
    .executeTakeFirst();
  if (!session) throw new ChangeRefused('unauthorized');
  if (proof && !session.fresh) throw new ChangeRefused('proof required');
}

function toSession(row: SessionRow): ManageSessionRecord {
  const { return_to_url: url, return_to_name: name } = row;
  return {
    sessionId: row.id,
    accountId: row.account_id,
    scope: row.scope,
    signInId: row.sign_in_id,
    returnTo: url === null ? null : { url, name: name ?? '' },
    isFresh: row.fresh,
    hasProvenFactor: row.factor_proven,
    isSignedIn: row.signed_in,
  };
}
