/**
 * Maps the events of the audit log to the activities that people see. `null`: not shown, because the event is part of another event
 * that is shown, means nothing to a person, or has no account. A new kind does not compile until it is in this table.
 */
import { AUDIT_KINDS, type AuditKind } from '../../accounts/audit/kinds.js';
import { activityGroup, type Activity, type ActivityGroup } from '../../contract/manage-data-state.js';

export const ACTIVITIES_BY_KIND: Readonly<Record<AuditKind, Activity | null>> = {
  'account.changed': 'account-changed',
  'account.created': 'account-created',
  'account.deleted': null,
  'account.disabled': 'account-disabled',
  'account.enabled': 'account-enabled',
  'account.imported': null,
  'account.invited': 'password-link',
  'account.secured': 'account-secured',
  'accounts.exported': null,
  'app.narrowed': 'app-narrowed',
  'app.removed': 'app-removed',
  // What was approved is shown when it happens.
  'approval.approved': null,
  'approval.asked': null,
  'approval.expired': null,
  'approval.rejected': null,
  'approval.stopped': null,
  'approval.withdrawn': null,
  'area.closed': null,
  'area.opened': null,
  // The sign-in itself is shown, with the console as its app.
  'console.closed': null,
  'client.attempted': null,
  'client.changed': null,
  'client.created': null,
  'client.deleted': null,
  'client.failed': null,
  'client.rotated': null,
  'console.opened': null,
  'console.refused': null,
  'consent.granted': 'app-granted',
  'consent.refused': null,
  'data.downloaded': 'data-downloaded',
  'deletion.cancelled': 'deletion-cancelled',
  'deletion.requested': 'deletion-requested',
  'factor-reset.issued': 'factor-reset-issued',
  'factor.added': 'factor-added',
  'factor.limited': 'factor-limited',
  'factor.ok': null,
  'factor.refused': 'factor-wrong',
  'factor.removed': 'factor-removed',
  'factor.renamed': 'factor-renamed',
  'factor.reset': 'factors-reset',
  'freeze.lifted': 'account-unfrozen',
  'job.ended': null,
  'job.started': null,
  'limits.cleared': 'account-unlocked',
  'logout.done': 'signed-out',
  'mail.abandoned': null,
  'mail.retried': null,
  'operator.granted': 'rights-granted',
  'operator.revoked': 'rights-revoked',
  'password-reset.asked': 'password-link',
  'password-reset.issued': 'password-link',
  'password.changed': 'password-changed',
  'password.limited': 'password-limited',
  'password.ok': null,
  'password.refused': 'password-wrong',
  'password.reset': 'password-changed',
  'proof.ok': null,
  'provider.connected': 'provider-connected',
  'provider.disconnected': 'provider-disconnected',
  'provider.ok': null,
  'provider.refused': 'provider-refused',
  'recovery-code.used': 'code-used',
  'recovery-codes.made': 'codes-made',
  'registration.finished': null,
  'request.limited': null,
  'secrets.rotated': null,
  'sessions.ended': 'sessions-ended',
  'sign-in.continued': 'continued',
  // The person read the reason on the page.
  'sign-in.refused': null,
  'sign-in.ok': 'signed-in',
  'source.connected': 'source-connected',
  'source.disconnected': 'source-disconnected',
  'source.migrated': null,
  'source.refused': 'source-refused',
  'support-check.asked': null,
  'support-check.passed': 'support-check-passed',
  'support-check.refused': 'support-check-refused',
  'system.started': null,
  'token.refused': 'token-misused',
  'token.reused': 'token-misused',
  'trusted-browser.ended': 'trust-ended',
  'upstream-sessions.ended': null,
  'username.changed': 'username-changed',
};

/** @param group all groups if undefined @returns the kinds that people see */
export function listShownKinds(group: ActivityGroup | undefined): string[] {
  return Object.keys(AUDIT_KINDS).filter((kind) => {
    const activity = ACTIVITIES_BY_KIND[kind as AuditKind];
    return activity !== null && (group === undefined || activityGroup(activity) === group);
  });
}
