/** The overview of the account area, with the result of the last change (MAN-8, MAN-10). */
import { Injectable } from '@nestjs/common';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import { readLastChange } from '../session/last-change.js';
import { ManagePages, toSearch } from '../session/manage-pages.js';
import type { ManageRequest } from '../session/manage-session.js';
import { OverviewPage } from '../session/overview.page.js';

@Injectable()
export class OverviewFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly overview: OverviewPage,
  ) {}

  async show(request: ManageRequest): Promise<PageOutcome> {
    return this.overview.show(await this.pages.loadContext(request), readLastChange(toSearch(request)));
  }
}
