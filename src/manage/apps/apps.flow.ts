/** The page of the apps with access to the account, and the forms that revoke the access. */
import { Injectable } from '@nestjs/common';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { ManageStatus } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageRequest } from '../session/manage-session.js';
import { OwnApps } from './own-apps.js';

@Injectable()
export class AppsFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly apps: OwnApps,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageApps);
    const manage_apps = await this.apps.list(manageContext);
    return this.pages.buildPage(manageContext, { page: 'manage_apps', ...this.pages.buildFrame(manageContext), manage_apps });
  }

  /** Needs a sign-in, but no fresh proof, because less access makes the account safer. @param id of a client; empty for all */
  async remove(id: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageApps);
    await this.apps.revoke(id === '' ? null : id, manageContext);
    const status: ManageStatus = id === '' ? 'apps-removed' : 'app-removed';
    return redirect(`${PATHS.manageApps}?${MANAGE_QUERY.status}=${status}`);
  }

  /** Needs the same sign-in as `remove`. @param keptScopes scopes that the app may keep */
  async narrow(id: string, keptScopes: readonly string[], request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageApps);
    const isNarrowed = (await this.apps.narrow(id, keptScopes, manageContext)) === 'narrowed';
    const status: ManageStatus = 'app-narrowed';
    return redirect(isNarrowed ? `${PATHS.manageApps}?${MANAGE_QUERY.status}=${status}` : PATHS.manageApps);
  }
}
