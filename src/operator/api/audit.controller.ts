/** Lists the audit log of one account or of all accounts, newest first. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { findKinds } from '../../accounts/audit/kinds.js';
import { AuditLog, type AuditQuery as AuditSearch } from '../../accounts/audit/audit-log.js';
import { AuditQuery, AuditLogQuery } from './account-bodies.js';
import { toAuditEntryAnswer } from './answers.js';
import { AccountLookup } from './account-lookup.js';
import { toInstant } from './instant.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API, type AuditAnswer } from '../wire.js';
import { defined } from '../../config/defined.js';

@Controller(OPERATOR_API)
export class AuditController {
  constructor(
    private readonly audit: AuditLog,
    private readonly lookup: AccountLookup,
  ) {}

  /**
   * Lists the events of an account, newest first.
   * @throws 400 unknown_kind wrong_type, 404 account_not_found
   */
  @Get('accounts/:id/audit')
  @Operation('audit.ofAccount')
  async ofAccount(@Param('id') id: string, @Query() query: AuditQuery): Promise<AuditAnswer> {
    const account = await this.lookup.get(id);
    return this.#search({ ...toSearch(query), accountId: account.id });
  }

  /**
   * Lists the events of all accounts and of the installation, newest first.
   * @throws 400 unknown_kind wrong_type
   */
  @Get('audit')
  @Operation('audit.ofAll')
  async ofAll(@Query() { account, request, ...query }: AuditLogQuery): Promise<AuditAnswer> {
    return this.#search({ ...toSearch(query), ...defined({ accountId: account, requestId: request }) });
  }

  async #search(search: AuditSearch): Promise<AuditAnswer> {
    const { entries, nextCursor } = await this.audit.search(search);
    const usernames = await this.audit.findUsernames(entries);
    const answers = entries.map((entry) => toAuditEntryAnswer(entry, usernames));
    return { entries: answers, ...defined({ next_cursor: nextCursor }) };
  }
}

function toSearch({ kind, actor, client, since, until, cursor, limit }: AuditQuery): AuditSearch {
  return {
    ...(kind === undefined ? {} : { kinds: requireKinds(kind) }),
    ...(actor === undefined ? {} : toActor(actor)),
    ...defined({ client }),
    ...(since === undefined ? {} : { since: toInstant('since', since) }),
    ...(until === undefined ? {} : { until: toInstant('until', until) }),
    ...defined({ cursor }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

/** `operator:helpdesk` stands for the token, or the operator, with the name `helpdesk`. */
function toActor(text: string): Pick<AuditSearch, 'actor' | 'operator'> {
  const [actor, operator] = text.split(':', 2);
  // The pipe accepts only the three actors of the audit log.
  return { actor: actor as NonNullable<AuditSearch['actor']>, ...defined({ operator }) };
}

function requireKinds(kind: string): readonly string[] {
  const kinds = findKinds(kind);
  if (kinds.length > 0) return kinds;
  throw new OperatorFault(400, 'unknown_kind', `There is no kind of event "${kind}"; docs/events.md lists all kinds.`, {
    field: 'kind',
  });
}
