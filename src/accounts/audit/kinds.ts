/**
 * Every kind of event and its retention. Frequent events with little long-term value expire after half a year; changes
 * of accounts and of the installation are kept. `docs/audit.md` explains each kind.
 */
export type AuditKind =
  | 'password.ok'
  | 'password.refused'
  | 'password.limited'
  | 'sign-in.ok'
  | 'sign-in.refused'
  | 'provider.ok'
  | 'provider.refused'
  | 'sign-in.continued'
  | 'consent.granted'
  | 'consent.refused'
  | 'logout.done'
  | 'account.created'
  | 'account.deleted'
  | 'deletion.requested'
  | 'deletion.cancelled'
  | 'account.invited'
  | 'account.imported'
  | 'accounts.exported'
  | 'account.changed'
  | 'account.disabled'
  | 'account.enabled'
  | 'password.changed'
  | 'password.reset'
  | 'password-reset.asked'
  | 'password-reset.issued'
  | 'limits.cleared'
  | 'sessions.ended'
  | 'account.secured'
  | 'freeze.lifted'
  | 'upstream-sessions.ended'
  | 'request.limited'
  | 'username.changed'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.renamed'
  | 'factor.reset'
  | 'factor-reset.issued'
  | 'factor.refused'
  | 'factor.limited'
  | 'factor.ok'
  | 'operator.granted'
  | 'operator.revoked'
  | 'job.started'
  | 'job.ended'
  | 'provider.connected'
  | 'provider.disconnected'
  | 'source.connected'
  | 'source.disconnected'
  | 'source.migrated'
  | 'source.refused'
  | 'recovery-codes.made'
  | 'recovery-code.used'
  | 'registration.finished'
  | 'area.opened'
  | 'area.closed'
  | 'app.removed'
  | 'app.narrowed'
  | 'data.downloaded'
  | 'proof.ok'
  | 'token.refused'
  | 'token.reused'
  | 'trusted-browser.ended'
  | 'mail.abandoned'
  | 'mail.retried'
  | 'approval.asked'
  | 'approval.approved'
  | 'approval.rejected'
  | 'approval.withdrawn'
  | 'approval.expired'
  | 'console.opened'
  | 'console.closed'
  | 'console.refused'
  | 'client.attempted'
  | 'client.created'
  | 'client.changed'
  | 'client.rotated'
  | 'client.deleted'
  | 'client.failed'
  | 'system.started'
  | 'secrets.rotated';

export const AUDIT_KINDS: Readonly<Record<AuditKind, 'stays' | 'passes'>> = {
  'account.changed': 'stays',
  'account.created': 'stays',
  'account.deleted': 'stays',
  'account.disabled': 'stays',
  'account.enabled': 'stays',
  'account.imported': 'stays',
  'account.invited': 'stays',
  'account.secured': 'stays',
  'accounts.exported': 'stays',
  'app.narrowed': 'stays',
  'app.removed': 'stays',
  'approval.approved': 'stays',
  'approval.asked': 'stays',
  'approval.expired': 'stays',
  'approval.rejected': 'stays',
  'approval.withdrawn': 'stays',
  'area.closed': 'passes',
  'area.opened': 'passes',
  'client.attempted': 'stays',
  'client.changed': 'stays',
  'client.created': 'stays',
  'client.deleted': 'stays',
  'client.failed': 'stays',
  'client.rotated': 'stays',
  'console.closed': 'passes',
  'console.opened': 'passes',
  'console.refused': 'passes',
  'consent.granted': 'passes',
  'consent.refused': 'passes',
  'data.downloaded': 'stays',
  'deletion.cancelled': 'stays',
  'deletion.requested': 'stays',
  'factor-reset.issued': 'stays',
  'factor.added': 'stays',
  'factor.limited': 'passes',
  'factor.ok': 'passes',
  'factor.refused': 'passes',
  'factor.removed': 'stays',
  'factor.renamed': 'stays',
  'factor.reset': 'stays',
  'freeze.lifted': 'stays',
  'job.ended': 'stays',
  'job.started': 'stays',
  'limits.cleared': 'stays',
  'logout.done': 'passes',
  'mail.abandoned': 'stays',
  'mail.retried': 'stays',
  'operator.granted': 'stays',
  'operator.revoked': 'stays',
  'password-reset.asked': 'passes',
  'password-reset.issued': 'stays',
  'password.changed': 'stays',
  'password.limited': 'passes',
  'password.ok': 'passes',
  'password.refused': 'passes',
  'password.reset': 'stays',
  'proof.ok': 'passes',
  'provider.connected': 'stays',
  'provider.disconnected': 'stays',
  'provider.ok': 'passes',
  'provider.refused': 'passes',
  'recovery-code.used': 'stays',
  'recovery-codes.made': 'stays',
  'registration.finished': 'stays',
  'request.limited': 'passes',
  'secrets.rotated': 'stays',
  'sessions.ended': 'stays',
  'sign-in.continued': 'passes',
  'sign-in.ok': 'passes',
  'sign-in.refused': 'passes',
  'source.connected': 'stays',
  'source.disconnected': 'stays',
  'source.migrated': 'stays',
  'source.refused': 'passes',
  'system.started': 'passes',
  'token.refused': 'passes',
  'token.reused': 'stays',
  'trusted-browser.ended': 'stays',
  'upstream-sessions.ended': 'stays',
  'username.changed': 'stays',
};

export const EXPIRING_KINDS: readonly string[] = Object.entries(AUDIT_KINDS).flatMap(([kind, retention]) =>
  retention === 'passes' ? [kind] : [],
);

/** @param requested a kind, or the part before the dot for all kinds with it @returns an empty list if there is no such kind */
export function findKinds(requested: string): readonly string[] {
  return Object.keys(AUDIT_KINDS).filter((kind) => kind === requested || kind.startsWith(`${requested}.`));
}
