/** Converts accounts and related data to answers: members in snake_case, times in ISO 8601, absent values as null (left out in an export). */
import type { Account } from '../../accounts/account/account.js';
import type { ListedAccount } from '../../accounts/account/account-list.js';
import type { AuditEntry } from '../../accounts/audit/audit-log.js';
import type { Freeze } from '../../accounts/account/credential-freeze.js';
import type { ExportedAccount, ExportedIdentity } from '../../accounts/transfer/exports.js';
import type { ScimRecord } from '../../accounts/scim/scim-records.js';
import type { ActiveSession } from '../../accounts/sessions/account-sessions.js';
import type { TrustedBrowser } from '../../accounts/sessions/trusted-browsers.js';
import { toOperatorCounts } from '../../contract/mfa-fields.js';
import type { FactorMembers } from '../../mfa/factor-transfers.js';
import type { HeldFactor } from '../../mfa/registry.js';
import type { HeldRight, Operator } from '../../accounts/operators/operator-grants.js';
import type { Connection } from '../../accounts/identities/external-identities.js';
import type {
  AccountAnswer,
  AccountDetailAnswer,
  AccountScimAnswer,
  AccountTaskAnswer,
  AuditEntryAnswer,
  ExportLineAnswer,
  ExportedProviderAnswer,
  FactorAnswer,
  ListedAccountAnswer,
  ProviderAnswer,
} from '../wire.js';
import type { OperatorAnswer, OperatorRightAnswer, OperatorSessionAnswer } from '../wire-operators.js';
import type { ListedOperatorSession } from '../../accounts/operators/operator-sessions.js';
import type { SessionAnswer, TrustedBrowserAnswer } from '../wire-sessions.js';
import type { RelatedData } from './account-lookup.js';
import { defined } from '../../config/defined.js';

export function toAccountAnswer(account: Account): AccountAnswer {
  return {
    id: account.id,
    username: account.username,
    display_name: account.displayName,
    email: account.email ?? null,
    email_verified: account.emailVerified,
    picture: account.picture ?? null,
    language: account.language ?? null,
    group_name: account.groupName ?? null,
    groups: [...account.groups],
    attributes: account.attributes,
    status: account.status,
    second_factor: account.secondFactor ?? null,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

export function toListedAccountAnswer(account: ListedAccount): ListedAccountAnswer {
  const { source, lastSignInAt } = account;
  return { ...toAccountAnswer(account), source, last_sign_in_at: lastSignInAt?.toISOString() ?? null };
}

interface AccountDetails extends RelatedData {
  factors: HeldFactor[];
  tasks: AccountTaskAnswer[];
  freeze: Freeze | null;
}

export function toAccountDetailAnswer(
  account: Account,
  { factors, tasks, freeze, dueAt, lock, password, lastSignInAt, mayChange, subject, ...origin }: AccountDetails,
): AccountDetailAnswer {
  return {
    ...toAccountAnswer(account),
    subject,
    source: origin.source,
    source_name: origin.sourceName,
    last_sign_in_at: lastSignInAt?.toISOString() ?? null,
    factors: {
      ...toOperatorCounts(factors.map(({ kind: { name }, count }) => ({ name, count }))),
      all: factors.map(toFactorAnswer),
    },
    credentials_frozen_until: freeze?.endsAt.toISOString() ?? null,
    deletion_due_at: dueAt?.toISOString() ?? null,
    lock: lock && { until: lock.until?.toISOString() ?? null },
    has_password: password.hasPassword,
    required_password: toRequiredPassword(account),
    tasks,
    password_elsewhere: origin.isPasswordElsewhere,
    scim: origin.scim && toScimAnswer(origin.scim),
    invitation_until: password.hasPassword ? null : (password.linkUntil?.toISOString() ?? null),
    import_request_id: account.importRequestId ?? null,
    may_change: mayChange,
  };
}

function toRequiredPassword({ requiredPassword }: Account): AccountDetailAnswer['required_password'] {
  return requiredPassword ? { reason: requiredPassword.reason, since: requiredPassword.since.toISOString() } : null;
}

function toScimAnswer({ externalId, isActive, isDisabledBySource, createdAt, modifiedAt }: ScimRecord): AccountScimAnswer {
  return {
    external_id: externalId,
    active: isActive,
    disabled_by_source: isDisabledBySource,
    created_at: createdAt.toISOString(),
    changed_at: modifiedAt.toISOString(),
  };
}

function toFactorAnswer({ kind: { name, label }, count, entries }: HeldFactor): FactorAnswer {
  const answers = entries.map(({ id, name: entryName, created_at, last_used_at, synced }) => {
    return { id: id ?? null, name: entryName ?? null, created_at, last_used_at, synced: synced ?? null };
  });
  return { name, label: label(count), count, entries: answers };
}

export function toSessionAnswer({ id, kind, beganAt, seenAt, expiresAt, acr, amr, ...details }: ActiveSession): SessionAnswer {
  const { clientId, address, browser } = details;
  return {
    id,
    kind: kind === 'sign-in' ? 'sign_in' : 'account_area',
    began_at: beganAt.toISOString(),
    seen_at: seenAt?.toISOString() ?? null,
    expires_at: expiresAt.toISOString(),
    acr: acr ?? null,
    amr,
    client_id: clientId ?? null,
    address: address ?? null,
    browser: browser ?? null,
  };
}

export function toTrustedBrowserAnswer({ id, browser, since, lastUsedAt, expiresAt }: TrustedBrowser): TrustedBrowserAnswer {
  return {
    id,
    browser: browser ?? null,
    created_at: since.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

export function toExportLine(
  { account, passwordHash, identities, person, subject }: ExportedAccount,
  factors: FactorMembers = {},
): ExportLineAnswer {
  const { email, picture, language, groupName, attributes, secondFactor } = account;
  const groups = account.groups.filter((group) => group !== groupName);
  return {
    id: account.id,
    ...defined({ subject }),
    username: account.username,
    display_name: account.displayName,
    ...(email === undefined ? {} : { email, email_verified: account.emailVerified }),
    ...defined({ picture }),
    ...defined({ language }),
    ...defined({ group_name: groupName }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    status: account.status,
    ...defined({ second_factor: secondFactor }),
    created_at: account.createdAt.toISOString(),
    ...defined({ password_hash: passwordHash }),
    ...factors,
    ...(person ? { source: person.source, source_subject: person.subject } : {}),
    ...(person?.isMigrated ? { migrated: true } : {}),
    ...(identities === undefined ? {} : { providers: identities.map(toExportedProvider) }),
  };
}

function toExportedProvider({ provider, issuer, subject, label, connectedAt }: ExportedIdentity): ExportedProviderAnswer {
  return { provider, issuer, subject, ...(label === null ? {} : { label }), connected_at: connectedAt.toISOString() };
}

export function toProviderAnswer({ provider, issuer, subject, label, connectedAt, lastUsedAt }: Connection): ProviderAnswer {
  return {
    provider,
    issuer,
    subject,
    label,
    connected_at: connectedAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

export function toOperatorAnswer({ id, username, display_name, status, rights }: Operator): OperatorAnswer {
  return { account_id: id, username, display_name, status, rights: rights.map(toOperatorRightAnswer) };
}

function toOperatorRightAnswer({ right, by, grantedAt, grantedBy, endsAt, reason }: HeldRight): OperatorRightAnswer {
  return {
    right,
    by,
    granted_at: grantedAt?.toISOString() ?? null,
    granted_by: grantedBy,
    ends_at: endsAt?.toISOString() ?? null,
    reason,
  };
}

/** @param usernames of accounts that exist, by id */
export function toAuditEntryAnswer(entry: AuditEntry, usernames: ReadonlyMap<string, string>): AuditEntryAnswer {
  const { id, at, kind, actor, operator, accountId, address, requestId, detail } = entry;
  return {
    id,
    at: at.toISOString(),
    account_id: accountId ?? null,
    username: usernames.get(accountId ?? '') ?? null,
    kind,
    actor: operator === undefined ? actor : `${actor}:${operator}`,
    address: address ?? null,
    request_id: requestId ?? null,
    detail: detail ? renameFields(detail) : null,
  };
}

/** Renames the changed fields, which the audit log stores under their names in the code. */
function renameFields(detail: NonNullable<AuditEntry['detail']>): NonNullable<AuditEntryAnswer['detail']> {
  const { fields } = detail;
  return Array.isArray(fields) ? { ...detail, fields: fields.map(toMemberName) } : detail;
}

/** `displayName` → `display_name` */
export function toMemberName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toOperatorSessionAnswer(session: ListedOperatorSession): OperatorSessionAnswer {
  return {
    id: session.id,
    account_id: session.accountId,
    username: session.username,
    began_at: session.beganAt.toISOString(),
    seen_at: session.seenAt.toISOString(),
    proven_at: session.provenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    acr: session.acr,
    address: session.address,
    browser: session.browser,
  };
}
