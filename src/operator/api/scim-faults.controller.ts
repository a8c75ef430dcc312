/** Lists the refused calls of SCIM clients, and removes them from the list. */
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { isProvider } from '../../config/stored-sources.js';
import { ScimFaultList, type ListedFault } from '../../accounts/scim/scim-fault-list.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API } from '../wire.js';
import type { ScimDismissedAnswer, ScimFaultAnswer, ScimFaultsAnswer } from '../wire-scim.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { ScimListQuery } from './scim-bodies.js';
import { ScimSources } from './scim-sources.js';

const EXTERNAL_ID = 'externalId:';

@Controller(`${OPERATOR_API}/scim/faults`)
export class ScimFaultsController {
  constructor(
    private readonly faults: ScimFaultList,
    private readonly sources: ScimSources,
  ) {}

  /**
   * Lists the refused calls of a SCIM source, most recent first. A call that is refused repeatedly for the same cause is one
   * entry.
   * @throws 400 missing wrong_type, 422 unknown_source
   */
  @Get()
  @Operation('scimFaults.list')
  async list(@Query() { source, cursor, limit }: ScimListQuery): Promise<ScimFaultsAnswer> {
    const page = { ...defined({ cursor }), ...(limit === undefined ? {} : { limit: Number(limit) }) };
    const { faults, nextCursor } = await this.faults.list(this.sources.require(source), page);
    return { faults: faults.map(toFaultAnswer), ...defined({ next_cursor: nextCursor }) };
  }

  /**
   * Removes a refused call from the list, until it is refused again. The account and the source do not change.
   * @throws 404 fault_not_found
   */
  @Delete(':fault')
  @Operation('scimFaults.dismiss')
  async dismiss(
    @Param('fault') fault: string,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<ScimDismissedAnswer> {
    if (await this.faults.dismiss(fault.toLowerCase(), auditContext)) return { id: fault.toLowerCase() };
    throw new OperatorFault(
      404,
      'fault_not_found',
      'There is no refused call with this id: it may have succeeded in the meantime.',
    );
  }
}

function toFaultAnswer({ id, at, lastAt, times, account, ...fault }: ListedFault): ScimFaultAnswer {
  return {
    id,
    first_at: at.toISOString(),
    last_at: lastAt.toISOString(),
    times,
    method: fault.method,
    resource: fault.resource,
    subject: fault.subject,
    external_id: fault.subject.startsWith(EXTERNAL_ID) ? fault.subject.slice(EXTERNAL_ID.length) : null,
    code: fault.code,
    field: fault.field === '' ? null : fault.field,
    detail: fault.detail,
    account: account && {
      id: account.id,
      username: account.username,
      display_name: account.displayName,
      can_be_offered: account.source === null || isProvider(account.source),
      is_offered: account.isOffered,
    },
  };
}
