/**
 * Mailed codes with which people sign in without their password (`CODE_SIGN_IN`). A code belongs to one sign-in, and so to one browser and
 * one login request; a newer request for a code makes it void. Everything that a stranger can see is the same for every name: a request is
 * stored before the account is looked up, and codes for names that no account has are compared and counted too
 * (`password/code-attempts.ts`).
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { defined } from '../../config/defined.js';
import { fingerprint, randomToken } from '../../config/keys.js';
import { isProvider } from '../../config/stored-sources.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { countFactorsSql, type FactorCounts } from '../account/factor-counts.js';
import { lockActive } from '../account/lock.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { toUsernameKey } from '../account/username.js';
import { findAccountByNameSql, toTypedEmailKey } from '../account/verified-addresses.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';
import { Outbox } from '../queue/outbox.js';
import { MAILED_CODE_SECONDS, SixDigitCodes, type CodeTry } from './mailed-code.js';
import { OneTimeSecrets } from './one-time-secrets.js';

/** A request for a code, as the sign-in stores it. */
export interface CodeRequest {
  /** Different for each request, so that an older code is void. */
  nonce: string;
  /** As typed, whether or not an account has the name. */
  username: string;
}

export interface CodeMail extends CodeRequest {
  /** Id of the sign-in. */
  signIn: string;
  /** Secret of the known-device cookie; null if the browser has none. */
  device: string | null;
  /** Whether a verified e-mail address counts as a name. */
  byEmail: boolean;
  rules: CodeRules;
  auditContext: AuditContext;
}

/** The credentials of the installation that concern mailed codes. */
export interface CodeRules {
  /** The second factors whose codes are mailed, as the names of their folders: they cannot follow a mailed code. */
  mailedFactors: readonly string[];
  /** The kinds of credentials that sign in alone and are stronger than a code, as the names of their folders. */
  strongerKinds: readonly string[];
}

/** A right code that is not spent. */
export interface FoundCode {
  signIn: string;
  secret: string;
  accountId: string;
  payload: string | null;
}

/** Why no code is mailed; for operators, never for a page. */
type NoCodeReason = 'unknown-name' | 'disabled' | 'no-address' | 'stronger' | 'factor' | 'provider' | 'limited';

interface Owner {
  status: string;
  email: string | null;
  email_verified: boolean;
  /** See `account/security-stamp.ts`. The code becomes void when the stamp or the address changes. */
  stamp: string;
  source: string | null;
  /** The kinds of second factors that are set up. */
  second_factors: string[];
  factors: FactorCounts;
}

const FIND_BY_NAME = new Statement<{ key: string; email: string | null; device: string | null }, { id: string; known: boolean }>(
  'sign-in-code.named',
  ({ param, now }) => sql`
    select a.id, exists (select from known_device d
        where d.account_id = a.id and d.device_hash = ${param('device')}::text and d.expires_at > ${now}) as known
    from account a where a.id = ${findAccountByNameSql({ key: param('key'), email: param('email') })}`,
);

const FIND_OWNER = new Statement<{ account: string }, Owner>(
  'sign-in-code.owner',
  ({ param }) => sql`
    select a.status, a.email, a.email_verified, ${SECURITY_STAMP} as stamp,
      (select s.source from source_account s where s.account_id = a.id) as source,
      (select coalesce(array_agg(f.kind) filter (where f.since is not null), '{}')
        from account_factor f where f.account_id = a.id) as second_factors,
      ${countFactorsSql(sql.ref('a.id'))} as factors
    from account a where a.id = ${param('account')}::uuid`,
);

@Injectable()
export class SignInCodes {
  constructor(
    private readonly database: Database,
    private readonly codes: SixDigitCodes,
    private readonly secrets: OneTimeSecrets,
    private readonly limits: RequestLimits,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** Stores a request for a code, in place of an earlier one of this sign-in. Nothing is looked up. */
  async begin(signIn: string, username: string): Promise<CodeRequest> {
    const request: CodeRequest = { nonce: randomToken(), username };
    const values = { purpose: 'sign-in-code-request', lifetimeSeconds: MAILED_CODE_SECONDS } as const;
    await this.secrets.put({ ...values, secret: signIn, boundTo: signIn, payload: JSON.stringify(request) });
    return request;
  }

  /** @returns null if this sign-in has not requested a code within ten minutes, or if `end` has forgotten the request */
  async find(signIn: string): Promise<CodeRequest | null> {
    const content = await this.secrets.findBound('sign-in-code-request', signIn, signIn);
    return content?.payload ? (JSON.parse(content.payload) as CodeRequest) : null;
  }

  /** Forgets the request: the code was used, or the tries are used up. */
  async end(signIn: string): Promise<void> {
    await this.secrets.consume('sign-in-code-request', signIn, signIn);
  }

  /**
   * Queues the mail with the code. Only the verified address of an active account gets a code. If a code would not be enough or is not
   * accepted, the mail says so instead. The result never reveals whether a mail was queued. No mail is sent for a request that a newer
   * one has replaced.
   */
  async mail(mail: CodeMail): Promise<void> {
    if ((await this.find(mail.signIn))?.nonce !== mail.nonce) return;
    const { username, device, byEmail } = mail;
    // A malformed name is compared with an empty key, which no account has.
    const values = { key: toUsernameKey(username) ?? '', email: byEmail ? toTypedEmailKey(username) : null };
    const hash = device === null ? null : fingerprint(device);
    const [row] = await this.database.run(FIND_BY_NAME, { ...values, device: hash });
    const reason = row ? await this.#mailTo(row.id, { ...mail, device: row.known ? device : null }) : 'unknown-name';
    const detail = { mailed: reason === null, ...defined({ reason: reason ?? undefined }) };
    const owner = defined({ accountId: row?.id });
    await this.audit.record({ ...mail.auditContext, kind: 'sign-in-code.asked', detail, ...owner });
  }

  /** Counts a try of this request. */
  async countTry({ nonce }: CodeRequest): Promise<CodeTry> {
    return this.codes.countTry(`sign-in-code\n${nonce}`);
  }

  /** Does not spend the code. @returns null if the code is wrong, or belongs to another browser, sign-in or request */
  async findRightCode(signIn: string, { nonce }: CodeRequest, typedCode: string): Promise<FoundCode | null> {
    for (const secret of this.codes.listSecrets(toName(signIn, nonce), typedCode)) {
      const content = await this.secrets.findBound('sign-in-code', secret, signIn);
      if (content?.accountId) return { signIn, secret, accountId: content.accountId, payload: content.payload };
    }
    return null;
  }

  /**
   * Spends the code. @returns the factors of the account; null if the code has since been spent, or if the address, the security stamp or
   * another fact that decides whether a code is mailed has changed
   */
  async spend(
    { signIn, secret, accountId, payload }: FoundCode,
    { rules, device }: Pick<CodeMail, 'rules' | 'device'>,
  ): Promise<FactorCounts | null> {
    return this.database.transaction(async (trx) => {
      const owner = (await lockActive(accountId, trx)) ? await this.#findOwner(accountId, trx) : null;
      if (!owner || !(await this.secrets.spendBound({ purpose: 'sign-in-code', accountId, boundTo: signIn }, secret, trx)))
        return null;
      if (toPayload(owner) !== payload || findReason(owner, rules) !== null) return null;
      // The person who enters the code reads the mailbox, so the mails so far did not flood a stranger.
      await this.limits.clearSignInMail({ accountId, email: owner.email ?? '', device }, trx);
      return owner.factors;
    });
  }

  /** @returns why no code was mailed; null if one was */
  async #mailTo(accountId: string, mail: CodeMail): Promise<NoCodeReason | null> {
    const owner = await this.#findOwner(accountId);
    const reason = owner ? findReason(owner, mail.rules) : 'unknown-name';
    if (!owner?.email || reason === 'disabled' || reason === 'no-address') return reason;
    const recipient = { accountId, email: owner.email, device: mail.device };
    if ((await this.limits.countSignInMail(recipient, mail.auditContext)) !== null) return 'limited';
    return this.database.transaction((trx) => this.#queue(accountId, mail, trx));
  }

  async #queue(accountId: string, mail: CodeMail, trx: Transaction<Schema>): Promise<NoCodeReason | null> {
    const { signIn, nonce, auditContext } = mail;
    const owner = (await lockActive(accountId, trx)) ? await this.#findOwner(accountId, trx) : null;
    const reason = owner ? findReason(owner, mail.rules) : 'disabled';
    if (!owner || reason === 'disabled' || reason === 'no-address') return reason;
    // The language of the account takes precedence over that of the page, which a stranger may have chosen: the owner has to understand
    // the warning.
    if (reason !== null) {
      const values = { why: reason === 'stronger' ? reason : 'usual' };
      await this.outbox.queueRequested({ kind: 'code-not-sent', accountId, values, auditContext }, trx);
      return reason;
    }
    const { code, secret } = this.codes.create(toName(signIn, nonce));
    const newSecret = { purpose: 'sign-in-code', accountId, boundTo: signIn, lifetimeSeconds: MAILED_CODE_SECONDS } as const;
    await this.secrets.discard(newSecret, trx);
    const { expiresAt } = await this.secrets.issueWithExpiry({ ...newSecret, secret, payload: toPayload(owner) }, trx);
    await this.outbox.queueRequested({ kind: 'sign-in-code', accountId, values: { code }, auditContext, expiresAt }, trx);
    return null;
  }

  async #findOwner(accountId: string, trx?: Transaction<Schema>): Promise<Owner | null> {
    return (await this.database.run(FIND_OWNER, { account: accountId }, trx))[0] ?? null;
  }
}

/**
 * A code never replaces a stronger credential, and is never followed by another mailed code. The account of a provider gets none,
 * because only a sign-in at the provider shows whether the person still belongs to it; a user source is queried when the code is entered.
 */
function findReason(owner: Owner, { mailedFactors, strongerKinds }: CodeRules): NoCodeReason | null {
  const { factors, second_factors: secondFactors, source } = owner;
  if (owner.status !== 'active') return 'disabled';
  if (owner.email === null || !owner.email_verified) return 'no-address';
  if (strongerKinds.some((kind) => (factors[kind] ?? 0) > 0)) return 'stronger';
  if (secondFactors.length > 0 && secondFactors.every((kind) => mailedFactors.includes(kind))) return 'factor';
  return source !== null && isProvider(source) ? 'provider' : null;
}

const toPayload = ({ email, stamp }: Owner): string => JSON.stringify({ email, stamp });

const toName = (signIn: string, nonce: string): string => ['sign-in-code', signIn, nonce].join('\n');
