/** Sensitive changes want somebody who has lately proven a password or a factor (MAN-14, ASVS 7.5.1). */
import { Injectable } from '@nestjs/common';
import { Factors } from '../../accounts/factors.js';
import { PasswordProof } from '../../accounts/password-proof.js';
import { AREA_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/calls.js';
import { Detour } from '../../gateway/outcome.js';
import { AreaEdge } from './area-edge.js';
import { confirmPage, placeToGoOn } from './confirm.page.js';
import type { ProofMethod } from './confirm.page.js';
import type { Guest } from './guest.js';

@Injectable()
export class FreshProof {
  constructor(
    private readonly factors: Factors,
    private readonly passwords: PasswordProof,
    private readonly edge: AreaEdge,
  ) {}

  async methodsOf(accountId: string): Promise<ProofMethod[]> {
    const [isSet, { totp, keys }] = await Promise.all([this.passwords.isSet(accountId), this.factors.status(accountId)]);
    return [...(isSet ? ['password' as const] : []), ...(totp ? ['totp' as const] : []), ...(keys > 0 ? ['fido2' as const] : [])];
  }

  /** A set-up during a sign-in comes with the proof of that sign-in. Throws CallFailed with the ways to prove it. */
  async requireForCall({ visitor }: Guest): Promise<void> {
    if (visitor.isFresh || visitor.scope === 'enrol') return;
    throw new CallFailed('proof required', { detail: { methods: await this.methodsOf(visitor.accountId) } });
  }

  /** Throws a detour to the question, at the same address. @param next where to go on; the address itself unless told */
  async requireForPage(guest: Guest, next?: string): Promise<void> {
    const { visitor, visit } = guest;
    if (visitor.isFresh) return;
    const place = placeToGoOn(next ?? visit.path);
    const again = `${PATHS.manageConfirm}?${FIELDS.next}=${encodeURIComponent(place)}`;
    const confirmation = {
      methods: await this.methodsOf(visitor.accountId),
      method: new URL(visit.url, 'http://area').searchParams.get(AREA_QUERY.method),
      next: place,
      options: visit.form === null ? {} : { status: 403, self: again },
    };
    throw new Detour(confirmPage(this.edge, guest, confirmation));
  }
}
