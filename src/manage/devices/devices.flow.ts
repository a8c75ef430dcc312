/** The page of signed-in devices and trusted browsers, and the forms that end sessions and trust. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { ManageStatus } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { buildUpstreamLogoutUrl } from '../../hydra/upstream-url.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageRequest } from '../session/manage-session.js';
import { OwnTrustedBrowsers } from '../session/own-trusted-browsers.js';
import { OwnDevices } from './own-devices.js';

@Injectable()
export class DevicesFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly devices: OwnDevices,
    private readonly trustedBrowsers: OwnTrustedBrowsers,
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageDevices);
    const [devices, trustedBrowsers] = await Promise.all([
      this.devices.list(manageContext),
      this.trustedBrowsers.list(manageContext),
    ]);
    const manage_devices = { devices, ...(trustedBrowsers.length > 0 ? { trusted_browsers: trustedBrowsers } : {}) };
    return this.pages.buildPage(manageContext, {
      page: 'manage_devices',
      ...this.pages.buildFrame(manageContext),
      manage_devices,
    });
  }

  /**
   * Needs a sign-in, but no fresh proof, because fewer sessions make the account safer.
   * @param id of a device; empty for all others
   */
  async end(id: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageDevices);
    const devices = id === '' ? [] : await this.devices.list(manageContext);
    // Signing out of this browser is a normal logout: the logout page asks for confirmation.
    if (devices.some((device) => device.is_this && device.id === id)) return redirect(buildUpstreamLogoutUrl(this.config.hydra));
    const endedCount = await this.devices.signOut(id === '' ? null : id, manageContext);
    // In the meantime, the device may have been signed out, or may have another id after a new sign-in.
    if (id !== '' && endedCount === 0) return redirect(PATHS.manageDevices);
    const status: ManageStatus = id === '' ? 'devices-ended' : 'device-ended';
    return redirect(`${PATHS.manageDevices}?${MANAGE_QUERY.status}=${status}`);
  }

  /** Needs the same sign-in as `end`. @param id of a trusted browser; empty for all of them */
  async endTrust(id: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireSignIn(manageContext, PATHS.manageDevices);
    await this.trustedBrowsers.end(id === '' ? null : id, manageContext);
    return redirect(`${PATHS.manageDevices}?${MANAGE_QUERY.status}=trust-ended`);
  }
}
