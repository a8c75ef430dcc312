import { Controller, Get, Param, Query } from '@nestjs/common';
import { AuditTrail } from '../accounts/audit-trail.js';
import { AuditQuery } from './account-bodies.js';
import { auditEntryAnswer } from './answers.js';
import { KnownAccounts } from './known-accounts.js';
import { StrictPipe } from './strict-pipe.js';
import { OPERATOR_API } from './wire.js';
import type { AuditAnswer } from './wire.js';

/** What happened to an account, newest first. */
@Controller(`${OPERATOR_API}/accounts/:id/audit`)
export class AuditController {
  constructor(
    private readonly audit: AuditTrail,
    private readonly known: KnownAccounts,
  ) {}

  @Get()
  async list(@Param('id') id: string, @Query(new StrictPipe(AuditQuery)) { cursor }: AuditQuery): Promise<AuditAnswer> {
    const account = await this.known.get(id);
    const { entries, nextCursor } = await this.audit.list(account.id, cursor);
    return { entries: entries.map(auditEntryAnswer), ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }) };
  }
}
