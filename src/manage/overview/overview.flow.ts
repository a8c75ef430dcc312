/** The first page of the account area, and what just happened (MAN-8, MAN-10). */
import { Injectable } from '@nestjs/common';
import { AREA_STATUSES } from '../../contract/manage-state.js';
import type { AreaStatus } from '../../contract/manage-state.js';
import { AREA_QUERY } from '../../contract/form-fields.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import { AreaEdge } from '../session/manage-pages.js';
import type { Caller } from '../session/manage-session.js';
import { OverviewPage } from '../session/overview.page.js';

const LONGEST_TEXT = 300;

@Injectable()
export class OverviewFlow {
  constructor(
    private readonly edge: AreaEdge,
    private readonly overview: OverviewPage,
  ) {}

  async show(caller: Caller, query: Readonly<Record<string, unknown>>): Promise<PageOutcome> {
    const oauthError = query[AREA_QUERY.oauthError];
    const hasError = typeof oauthError === 'string' && oauthError !== '';
    return this.overview.show(await this.edge.guest(caller), {
      status: statusOf(query[AREA_QUERY.status]),
      ...(hasError ? { oauthError: oauthError.slice(0, LONGEST_TEXT) } : {}),
    });
  }
}

/** The specification writes one of them with a space. */
function statusOf(given: unknown): AreaStatus | null {
  const wanted = given === 'account security' ? 'account-security' : given;
  return AREA_STATUSES.find((status) => status === wanted) ?? null;
}
