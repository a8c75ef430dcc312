/** Where the person is signed in and which browsers are trusted, and the ends of both: for the page and the RPC calls. */
import { Inject, Injectable } from '@nestjs/common';
import { SignedInDevices } from '../../accounts/sessions/signed-in-devices.js';
import type { AskingDevice, SignedInDevice } from '../../accounts/sessions/signed-in-devices.js';
import { TrustedBrowsers } from '../../accounts/sessions/trusted-browsers.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { DeviceState, ManageStatus } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { upstreamLogoutUrl } from '../../hydra/upstream-logout.js';
import { trustedState } from '../session/trusted-state.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';

@Injectable()
export class DevicesFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly devices: SignedInDevices,
    private readonly trusted: TrustedBrowsers,
    private readonly upstream: RevocationRunner,
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.current(request);
    const [devices, trusted] = await Promise.all([
      this.list(current),
      this.trusted.list(current.account.id, current.context.trusted),
    ]);
    const manage_devices = { devices, ...(trusted.length > 0 ? { trusted_browsers: trusted.map(trustedState) } : {}) };
    return this.pages.page(current, { page: 'manage_devices', ...this.pages.frame(current), manage_devices });
  }

  /** It needs no fresh proof, because it makes the account safer. @param id of a device; empty for all others */
  async end(id: string, request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.current(request);
    const devices = id === '' ? [] : await this.list(current);
    // This one is logged out as everywhere else: Hydra asks, and the page after it says what has ended.
    if (devices.some((device) => device.is_this && device.id === id)) return redirect(upstreamLogoutUrl(this.config.hydra));
    const ended = await this.signOut(id === '' ? null : id, current);
    // It may have signed in again since the page was made, and goes on under another id: the list says so.
    if (id !== '' && ended === 0) return redirect(PATHS.manageDevices);
    const status: ManageStatus = id === '' ? 'devices-ended' : 'device-ended';
    return redirect(`${PATHS.manageDevices}?${MANAGE_QUERY.status}=${status}`);
  }

  /** @param id of a trusted browser; empty for all of them. It needs no fresh proof, because it makes the account safer. */
  async endTrust(id: string, request: ManageRequest): Promise<Outcome> {
    const { account, by } = await this.pages.current(request);
    await this.trusted.end(account.id, id === '' ? null : id, by);
    return redirect(`${PATHS.manageDevices}?${MANAGE_QUERY.status}=trust-ended`);
  }

  async list(request: ManageRequest): Promise<DeviceState[]> {
    return (await this.devices.list(askingOf(request))).map(deviceState);
  }

  /** @param id of a device; null for all others @returns how many were signed out */
  async signOut(id: string | null, current: ManageContext): Promise<number> {
    const { account, by } = current;
    const devices = await this.devices.end(askingOf(current), id, by);
    // If Hydra does not answer, it is tried again later.
    if (devices > 0) await this.upstream.settle(account.id, by.requestId);
    return devices;
  }
}

function askingOf({ session: { accountId, sessionId }, context: { browser } }: ManageRequest): AskingDevice {
  return { accountId, sessionId, browser };
}

function deviceState({ id, browser, address, since, amr, lastUsedAt, isThis }: SignedInDevice): DeviceState {
  return {
    id,
    name: browser ?? null,
    address: address ?? null,
    is_this: isThis,
    amr: [...amr],
    signed_in_at: since.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
  };
}
