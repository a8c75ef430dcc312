/** What the API says of accounts and of their trail: snake_case, times in ISO 8601, absent values as null. */
import type { Account } from '../accounts/account.js';
import type { AuditEntry } from '../accounts/audit-trail.js';
import type { FactorStatus } from '../accounts/factors.js';
import type { AccountAnswer, AccountDetailAnswer, AuditEntryAnswer } from './wire.js';

export function accountAnswer(account: Account): AccountAnswer {
  return {
    id: account.id,
    username: account.username,
    display_name: account.displayName,
    email: account.email ?? null,
    email_verified: account.emailVerified,
    picture: account.picture ?? null,
    language: account.language ?? null,
    group_name: account.groupName ?? null,
    status: account.status,
    second_factor: account.secondFactor ?? null,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

export function accountDetailAnswer(account: Account, { totp, keys, recoveryCodesLeft }: FactorStatus): AccountDetailAnswer {
  return { ...accountAnswer(account), factors: { totp, security_keys: keys, recovery_codes_left: recoveryCodesLeft } };
}

export function auditEntryAnswer({ id, at, kind, actor, address, requestId, detail }: AuditEntry): AuditEntryAnswer {
  return {
    id,
    at: at.toISOString(),
    kind,
    actor,
    address: address ?? null,
    request_id: requestId ?? null,
    detail: detail ? withMemberNames(detail) : null,
  };
}

/** The trail names changed fields as the code does. */
function withMemberNames(detail: NonNullable<AuditEntry['detail']>): NonNullable<AuditEntryAnswer['detail']> {
  const { fields } = detail;
  return Array.isArray(fields) ? { ...detail, fields: fields.map(memberName) } : detail;
}

/** `displayName` → `display_name` */
export function memberName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
