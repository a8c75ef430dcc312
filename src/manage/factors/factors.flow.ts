/** The page of the second factors and passkeys, and the forms that remove and rename them and end the trust in browsers (MAN-3). */
import { Injectable } from '@nestjs/common';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { Factor } from '../../mfa/factor.port.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { toFactorChangedUrl } from '../session/last-change.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { OwnTrustedBrowsers } from '../session/own-trusted-browsers.js';
import { FactorRemoval } from './factor-removal.js';
import { FactorsPage } from './factors.page.js';

@Injectable()
export class FactorsFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly removal: FactorRemoval,
    private readonly registry: FactorRegistry,
    private readonly trustedBrowsers: OwnTrustedBrowsers,
    private readonly page: FactorsPage,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    return this.page.show(await this.pages.loadContext(request), null);
  }

  remove(entry: string, request: ManageRequest): Promise<Outcome> {
    return this.#change(request, async (factor, manageContext) => {
      await this.removal.remove(factor, entry, manageContext);
      return toFactorChangedUrl('mfa-removed', factor.kind.name);
    });
  }

  rename(entry: { id: string; name: string }, request: ManageRequest): Promise<Outcome> {
    return this.#change(request, async (factor, manageContext) => {
      await this.removal.rename(factor, entry, manageContext);
      return PATHS.manageMfa;
    });
  }

  /**
   * Needs a sign-in, but no fresh proof, because less trust makes the account safer.
   * @param id of a trusted browser; empty for all of them
   */
  async endTrust(id: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageMfa);
    await this.trustedBrowsers.end(id === '' ? null : id, manageContext);
    return redirect(`${PATHS.manageMfa}?${MANAGE_QUERY.status}=trust-ended`);
  }

  /** @param change returns the next address */
  async #change(
    request: ManageRequest,
    change: (factor: Factor, manageContext: ManageContext) => Promise<string>,
  ): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    const factor = this.registry.getByPath(manageContext.context.path);
    let nextUrl = '';
    const work = async () => {
      nextUrl = await change(factor, manageContext);
    };
    const failure = await this.forms.submit(manageContext, work, PATHS.manageMfa);
    return failure ? this.page.show(manageContext, failure) : redirect(nextUrl);
  }
}
