/**
 * The page of a person who has called the help desk and cannot sign in, but reads their mail. A mailed code opens the page in the
 * browser that requested it. The page shows the words of a check (`support-checks.ts`), and allows nothing else. A person who requests a
 * code learns nothing about the account: the pages are the same whether no code was mailed or a wrong code is entered.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { defined } from '../../config/defined.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { lockActive } from '../account/lock.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { toUsernameKey } from '../account/username.js';
import { findAccountByNameSql, toTypedEmailKey } from '../account/verified-addresses.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';
import { Outbox } from '../queue/outbox.js';
import { MAILED_CODE_SECONDS, SixDigitCodes } from '../secrets/mailed-code.js';
import { OneTimeSecrets } from '../secrets/one-time-secrets.js';

const PAGE_SECONDS = 15 * 60;

export interface SupportCodeRequest {
  /** Secret of the browser that requests the code (`begin`). */
  request: string;
  username: string;
  /** Whether a verified e-mail address counts as a name. */
  byEmail: boolean;
  auditContext: AuditContext;
}

/** `opened`: the code was right. `ended`: codes can no longer be entered. */
export type CodeEntryOutcome = { kind: 'opened'; page: string } | { kind: 'wrong' | 'ended' };

/** The values on which the code and the page depend: both end when the address or the password changes, or when all access is ended. */
interface Owner {
  email: string;
  stamp: string;
}

const FIND_OWNER = new Statement<{ account: string }, Owner>(
  'support-page.owner',
  ({ param }) => sql`
    select a.email, ${SECURITY_STAMP} as stamp from account a
    where a.id = ${param('account')}::uuid and a.status = 'active' and a.email is not null`,
);

const FIND_BY_NAME = new Statement<{ key: string; email: string | null }, { id: string }>(
  'support-page.named',
  ({ param }) => sql`
    select id from account where id = ${findAccountByNameSql({ key: param('key'), email: param('email') })}`,
);

@Injectable()
export class SupportAccess {
  constructor(
    private readonly database: Database,
    private readonly codes: SixDigitCodes,
    private readonly secrets: OneTimeSecrets,
    private readonly limits: RequestLimits,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @returns the secret of a browser that requests a code, whatever username is entered */
  async begin(): Promise<string> {
    return this.secrets.issue({ purpose: 'support-request', lifetimeSeconds: MAILED_CODE_SECONDS });
  }

  /** Whether this browser can still enter a code. */
  async isWaiting(request: string): Promise<boolean> {
    return (await this.secrets.find('support-request', request)) !== null;
  }

  /**
   * Queues the mail with the code. The result never reveals whether a mail was queued. No mail is queued for an unknown name, a disabled
   * account, an account without an address, or after too many mails to the account or to its address.
   */
  async mail({ request, username, byEmail, auditContext }: SupportCodeRequest): Promise<void> {
    // A malformed name is compared with an empty key, which no account has.
    const values = { key: toUsernameKey(username) ?? '', email: byEmail ? toTypedEmailKey(username) : null };
    const accountId = (await this.database.run(FIND_BY_NAME, values))[0]?.id;
    const isMailed = accountId !== undefined && (await this.#mailTo(accountId, { request, auditContext }));
    await this.audit.record({
      ...auditContext,
      kind: 'support-page.asked',
      detail: { mailed: isMailed },
      ...defined({ accountId }),
    });
  }

  /** Counts the try before the code is compared, even if no mail was sent. */
  async enter(request: string, typedCode: string, auditContext: AuditContext): Promise<CodeEntryOutcome> {
    if (!(await this.isWaiting(request))) return { kind: 'ended' };
    const { isAllowed, isLast } = await this.codes.countTry(`support-page\n${request}`);
    const page = isAllowed ? await this.#open(request, typedCode, auditContext) : null;
    if (page === null && !isLast) return { kind: 'wrong' };
    await this.secrets.consume('support-request', request);
    return page === null ? { kind: 'ended' } : { kind: 'opened', page };
  }

  /** @param page secret of the browser in which the code was entered @returns the account; null if the page has ended */
  async findAccountId(page: string): Promise<string | null> {
    const content = await this.secrets.find('support-page', page);
    if (!content?.accountId || !isSame(await this.#findOwner(content.accountId), content.payload)) return null;
    return content.accountId;
  }

  /** Closes the page in this browser. */
  async end(page: string): Promise<void> {
    await this.secrets.consume('support-page', page);
  }

  async #mailTo(
    accountId: string,
    { request, auditContext }: Omit<SupportCodeRequest, 'username' | 'byEmail'>,
  ): Promise<boolean> {
    const recipient = await this.#findOwner(accountId);
    if (!recipient || (await this.limits.countSupportMail({ accountId, ...recipient }, auditContext)) !== null) return false;
    const { code, secret } = this.codes.create(toName(request));
    return this.database.transaction(async (trx) => {
      const owner = (await lockActive(accountId, trx)) && (await this.#findOwner(accountId, trx));
      if (!owner) return false;
      const newSecret = { purpose: 'support-code', accountId, secret, lifetimeSeconds: MAILED_CODE_SECONDS } as const;
      const { expiresAt } = await this.secrets.issueWithExpiry({ ...newSecret, payload: toPayload(owner) }, trx);
      // The mail is not in the language of the page, which a stranger may have chosen: the owner has to understand the warning.
      await this.outbox.queueRequested({ kind: 'support-code', accountId, values: { code }, auditContext, expiresAt }, trx);
      return true;
    });
  }

  async #open(request: string, typedCode: string, auditContext: AuditContext): Promise<string | null> {
    for (const secret of this.codes.listSecrets(toName(request), typedCode)) {
      const content = await this.secrets.find('support-code', secret);
      if (content?.accountId)
        return this.#spend({ accountId: content.accountId, secret, payload: content.payload, auditContext });
    }
    return null;
  }

  async #spend({ accountId, secret, payload, auditContext }: FoundCode): Promise<string | null> {
    return this.database.transaction(async (trx) => {
      const owner = (await lockActive(accountId, trx)) && (await this.#findOwner(accountId, trx));
      if (!owner || !(await this.secrets.spend('support-code', secret, trx)) || !isSame(owner, payload)) return null;
      // The person who enters the code reads the mailbox, so the mails so far did not flood a stranger.
      await this.limits.clearSupportMail({ accountId, email: owner.email }, trx);
      await this.audit.record({ ...auditContext, kind: 'support-page.opened', accountId }, trx);
      const newSecret = { purpose: 'support-page', accountId, lifetimeSeconds: PAGE_SECONDS } as const;
      return this.secrets.issue({ ...newSecret, payload: toPayload(owner) }, trx);
    });
  }

  async #findOwner(accountId: string, trx?: Transaction<Schema>): Promise<Owner | null> {
    return (await this.database.run(FIND_OWNER, { account: accountId }, trx))[0] ?? null;
  }
}

interface FoundCode {
  accountId: string;
  secret: string;
  payload: string | null;
  auditContext: AuditContext;
}

const toPayload = ({ email, stamp }: Owner): string => JSON.stringify({ email, stamp });

function isSame(owner: Owner | null, payload: string | null): boolean {
  return owner !== null && toPayload(owner) === payload;
}

const toName = (request: string): string => ['support-page', request].join('\n');
