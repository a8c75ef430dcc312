/**
 * Finishes a sign-in with an accepted login: stores the answer, and remembers the browser as a known device or trusted browser.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { isAccountId } from '../account/account.js';
import type { AuditContext, AuditEvent } from '../audit/audit-log.js';
import { toBrowserWords } from './browser-words.js';
import { KnownDevices } from './known-devices.js';
import { SignInRecords, type SignInAnswer } from './sign-in-records.js';
import { TrustedBrowsers, type NewTrust } from './trusted-browsers.js';

export interface FinishedSignIn extends SignInAnswer {
  newBrowser: string;
  accountId: string;
  clientId: string;
  amr: readonly string[];
  /** Secret of the manage session of this browser, if it has one. */
  manageSession: string | null;
  /** Secret of the device to remember; null if the device is already known, or must not become known (`known-devices.ts`). */
  device: string | null;
  /** Present if the browser becomes a trusted browser; otherwise null. */
  trust: NewTrust | null;
  /** Whether a trusted browser replaced the second factor in this sign-in. */
  isTrusted: boolean;
  userAgent: string;
  auditContext: AuditContext;
}

@Injectable()
export class FinishedSignIns {
  constructor(
    private readonly database: Database,
    private readonly signIns: SignInRecords,
    private readonly devices: KnownDevices,
    private readonly trustedBrowsers: TrustedBrowsers,
  ) {}

  /** @returns false if nothing was changed, because another form was answered first */
  async finish(signIn: FinishedSignIn): Promise<boolean> {
    const { accountId, device, trust, auditContext } = signIn;
    const account = isAccountId(accountId) ? { accountId } : {};
    const event = { kind: 'sign-in.ok', ...auditContext, ...account, detail: toDetail(signIn) } as const;
    if (device === null && trust === null) return (await this.signIns.finish(signIn, event)) !== null;
    const { isFirst, isOverLimit } = await this.database.transaction(async (trx) => {
      const firstAnswer = await this.signIns.finish(signIn, event, trx);
      if (!firstAnswer?.hasAccount) return { isFirst: firstAnswer !== null, isOverLimit: false };
      if (trust) await this.trustedBrowsers.trust(accountId, trust, trx);
      return { isFirst: true, isOverLimit: device !== null && (await this.devices.remember({ ...signIn, device }, trx)) };
    });
    // The sign-in is finished also if this fails; the next new device of the account trims again.
    if (isOverLimit) await this.devices.trim(accountId).catch(() => undefined);
    return isFirst;
  }
}

function toDetail({ clientId, amr, trust, isTrusted, userAgent }: FinishedSignIn): NonNullable<AuditEvent['detail']> {
  const trustDetail = trust ? { trustedBrowser: 'made' } : isTrusted ? { trustedBrowser: 'used' } : {};
  const browser = toBrowserWords(userAgent);
  return { client: clientId, amr: [...amr], ...(browser === null ? {} : { browser }), ...trustDetail };
}
