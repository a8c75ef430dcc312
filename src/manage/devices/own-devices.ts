/** Lists the devices on which the person is signed in, and signs out there. An access token alone is not enough. */
import { Injectable } from '@nestjs/common';
import { SignedInDevices, type RequestingDevice, type SignedInDevice } from '../../accounts/sessions/signed-in-devices.js';
import type { DeviceState } from '../../contract/manage-state.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';

@Injectable()
export class OwnDevices {
  constructor(
    private readonly proof: FreshProof,
    private readonly devices: SignedInDevices,
    private readonly revocations: RevocationRunner,
  ) {}

  /** @throws ProofRequired */
  async list(manageContext: ManageContext): Promise<DeviceState[]> {
    await this.proof.requireSignIn(manageContext);
    return (await this.devices.list(toRequestingDevice(manageContext))).map(toDeviceState);
  }

  /** @param id of a device; null for all others @returns how many devices were signed out @throws ProofRequired */
  async signOut(id: string | null, manageContext: ManageContext): Promise<number> {
    await this.proof.requireSignIn(manageContext);
    const { account, auditContext } = manageContext;
    const endedCount = await this.devices.end(toRequestingDevice(manageContext), id, auditContext);
    // If Hydra does not answer, the revocation is tried again later.
    if (endedCount > 0) await this.revocations.settle(account.id, auditContext.requestId);
    return endedCount;
  }
}

function toRequestingDevice({ session: { accountId, sessionId }, context: { browser } }: ManageRequest): RequestingDevice {
  return { accountId, sessionId, browser };
}

function toDeviceState({ id, browser, address, since, amr, lastUsedAt, isThis }: SignedInDevice): DeviceState {
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
