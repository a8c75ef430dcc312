/** The overview of the account area, and the result of the last change (MAN-8, MAN-10). */
import { Injectable } from '@nestjs/common';
import { MANAGE_STATUSES } from '../../contract/manage-state.js';
import type { ManageStatus } from '../../contract/manage-state.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageRequest } from '../session/manage-session.js';
import { OverviewPage } from '../session/overview.page.js';

const LONGEST_TEXT = 300;

@Injectable()
export class OverviewFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly overview: OverviewPage,
  ) {}

  async show(request: ManageRequest, query: Readonly<Record<string, unknown>>): Promise<PageOutcome> {
    const oauthError = query[MANAGE_QUERY.oauthError];
    const hasError = typeof oauthError === 'string' && oauthError !== '';
    return this.overview.show(await this.pages.current(request), {
      status: statusOf(query[MANAGE_QUERY.status]),
      ...(hasError ? { oauthError: oauthError.slice(0, LONGEST_TEXT) } : {}),
    });
  }
}

/** The specification spells one of them with a space. */
function statusOf(given: unknown): ManageStatus | null {
  const wanted = given === 'account security' ? 'account-security' : given;
  return MANAGE_STATUSES.find((status) => status === wanted) ?? null;
}
