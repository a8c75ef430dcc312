/** Lists the audit log of one account or of all accounts, newest first. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { findKinds } from '../../accounts/audit/kinds.js';
import { AuditLog, type AuditQuery as AuditSearch } from '../../accounts/audit/audit-log.js';
import { AuditQuery, AuditLogQuery } from './account-bodies.js';
import { toAuditEntryAnswer } from './answers.js';
import { AccountLookup } from './account-lookup.js';
import { OperatorFault } from './operator-fault.js';
import { Rights } from './rights.guard.js';
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
  @Rights('read')
  async ofAccount(@Param('id') id: string, @Query() query: AuditQuery): Promise<AuditAnswer> {
    const account = await this.lookup.get(id);
    return this.#search({ ...toSearch(query), accountId: account.id });
  }

  /**
   * Lists the events of all accounts and of the installation, newest first.
   * @throws 400 unknown_kind wrong_type
   */
  @Get('audit')
  @Rights('read')
  async ofAll(@Query() { account, ...query }: AuditLogQuery): Promise<AuditAnswer> {
    return this.#search({ ...toSearch(query), ...defined({ accountId: account }) });
  }

  async #search(search: AuditSearch): Promise<AuditAnswer> {
    const { entries, nextCursor } = await this.audit.search(search);
    return { entries: entries.map(toAuditEntryAnswer), ...defined({ next_cursor: nextCursor }) };
  }
}

function toSearch({ kind, actor, since, until, cursor, limit }: AuditQuery): AuditSearch {
  return {
    ...(kind === undefined ? {} : { kinds: requireKinds(kind) }),
    ...(actor === undefined ? {} : toActor(actor)),
    ...(since === undefined ? {} : { since: toInstant('since', since) }),
    ...(until === undefined ? {} : { until: toInstant('until', until) }),
    ...defined({ cursor }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

/** `operator:helpdesk` is the operator with the token of that name. */
function toActor(text: string): Pick<AuditSearch, 'actor' | 'operator'> {
  const [actor, operator] = text.split(':', 2);
  // The pipe accepts only the three actors of the audit log.
  return { actor: actor as NonNullable<AuditSearch['actor']>, ...defined({ operator }) };
}

function requireKinds(kind: string): readonly string[] {
  const kinds = findKinds(kind);
  if (kinds.length > 0) return kinds;
  throw new OperatorFault(400, 'unknown_kind', `There is no kind of event "${kind}"; docs/audit.md lists all kinds.`, {
    field: 'kind',
  });
}

function toInstant(field: string, text: string): Date {
  const [instant, day] = [new Date(text), text.slice(0, 10)];
  // `Date` reads 31 February as 3 March.
  const isDay = !Number.isNaN(instant.getTime()) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  if (isDay) return instant;
  throw new OperatorFault(400, 'wrong_type', `${field} is not a valid date.`, { field });
}
