/** What the kinds of second factor have in common. */
import type { Account } from '../accounts/account/account.js';
import type { AuditContext } from '../accounts/audit/audit-log.js';
import type { AddedFactor, FactorRemoval } from '../accounts/factors/factors.js';

export type { FactorVerdict } from '../accounts/limits/factor-attempts.js';

export type Added = AddedFactor | { kind: 'limited'; retryAfterSeconds: number };

/** Who sets a factor up, and where: what was begun elsewhere is not finished here. */
export interface SetUp {
  account: Account;
  /** `area:<session id>` or `pending:<pending id>` */
  boundTo: string;
  /** Refused once the account has any factor. */
  onlyFirst: boolean;
  /** Nothing is added once it has ended. */
  manageSession?: string | undefined;
  by: AuditContext;
}

/** A code as a person typed it. */
export interface TypedCode {
  accountId: string;
  code: string;
  by: AuditContext;
}

/** A factor that is taken away. */
export type Removed = Pick<FactorRemoval, 'accountId' | 'by' | 'mayBeLast'>;
