/** The first page of the account area (MAN-2), and what just happened (MAN-8, MAN-10). */
import { Injectable } from '@nestjs/common';
import { Factors } from '../../accounts/factors.js';
import { PasswordProof } from '../../accounts/password-proof.js';
import { AREA_STATUSES } from '../../contract/area-state.js';
import type { AreaStatus, ManageState } from '../../contract/area-state.js';
import { AREA_QUERY } from '../../contract/form-fields.js';
import type { PageOutcome } from '../../gateway/outcome.js';
import { AreaEdge } from '../session/area-edge.js';
import type { Caller } from '../session/guest.js';

const LONGEST_TEXT = 300;

@Injectable()
export class OverviewFlow {
  constructor(
    private readonly edge: AreaEdge,
    private readonly factors: Factors,
    private readonly passwords: PasswordProof,
  ) {}

  async show(caller: Caller, query: Readonly<Record<string, unknown>>): Promise<PageOutcome> {
    const guest = await this.edge.guest(caller);
    const { id, username } = guest.account;
    const [{ totp, keys, recoveryCodesLeft }, password_set] = await Promise.all([
      this.factors.status(id),
      this.passwords.isSet(id),
    ]);
    const oauthError = query[AREA_QUERY.oauthError];
    const manage: ManageState = {
      status: statusOf(query[AREA_QUERY.status]),
      username,
      password_set,
      totp_registered: totp,
      count_registered_fido2_devices: keys,
      ...(totp || keys > 0 ? { recovery_codes_left: recoveryCodesLeft } : {}),
      ...(typeof oauthError === 'string' && oauthError !== '' ? { oauth_error: oauthError.slice(0, LONGEST_TEXT) } : {}),
    };
    return this.edge.page(guest, { page: 'manage', ...this.edge.frame(guest), manage });
  }
}

/** The specification writes one of them with a space. */
function statusOf(given: unknown): AreaStatus | null {
  const wanted = given === 'account security' ? 'account-security' : given;
  return AREA_STATUSES.find((status) => status === wanted) ?? null;
}
