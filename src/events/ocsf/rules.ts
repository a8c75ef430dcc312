/**
 * The class, activity, severity and status of each kind of event in OCSF (docs/decisions/0095). A kind has one class. An activity that
 * the class does not define is `other`, with a name that Foyer chooses.
 */
import type { AuditKind } from '../../accounts/audit/kinds.js';
import type { ActivityOf, ClassName, SeverityId, StatusId } from './classes.js';

type Detail = Readonly<Record<string, unknown>>;

export interface Rule {
  className: ClassName;
  /** The name of the activity, or a function that derives it from the detail. */
  activity: string | ((detail: Detail) => string);
  /** Default: 1, informational. */
  severity?: SeverityId;
  /** Default: 1, success. */
  status?: StatusId | ((detail: Detail) => StatusId);
  /** Member of the detail that contains the cause of a failure. */
  cause?: string;
}

type RuleOptions = Pick<Rule, 'severity' | 'status' | 'cause'>;

/** A rule for an activity that the schema defines. */
function rule<Name extends ClassName>(className: Name, activity: ActivityOf<Name>, options: RuleOptions = {}): Rule {
  return { className, activity, ...options };
}

/** A rule for an activity that the schema does not define. */
function otherRule(className: ClassName, activity: string, options: RuleOptions = {}): Rule {
  return { className, activity, ...options };
}

const FAILED = 2;
const UNKNOWN = 0;
const LOW = 2;
const MEDIUM = 3;
const HIGH = 4;

const toRefusal = (cause: string): Rule => rule('Authentication', 'Logon', { severity: LOW, status: FAILED, cause });
const proofRule = rule('Authentication', 'Preauth');
const toMailStatus = ({ mailed }: Detail): StatusId => (mailed === false ? FAILED : 1);

const CLIENT_ACTIVITIES: ReadonlyMap<unknown, string> = new Map([
  ['create', 'Create'],
  ['delete', 'Delete'],
]);
const toClientActivity = ({ action }: Detail): string => CLIENT_ACTIVITIES.get(action) ?? 'Update';

/** The rule for a kind that only a newer version defines, during a rolling upgrade. */
const UNKNOWN_KIND = otherRule('Base Event', 'Unknown Kind');

export function findRule(kind: AuditKind): Rule {
  return Object.hasOwn(RULES, kind) ? RULES[kind] : UNKNOWN_KIND;
}

export const RULES: Readonly<Record<AuditKind, Rule>> = {
  // Each sign-in is one successful Logon, and its individual proofs are Preauth. Each refusal is a failed Logon, which receivers count.
  'sign-in.ok': rule('Authentication', 'Logon'),
  'sign-in.continued': otherRule('Authentication', 'Session Continued'),
  'sign-in.refused': toRefusal('reason'),
  'password.ok': proofRule,
  'password.refused': toRefusal('reason'),
  'password.limited': otherRule('Authentication', 'Attempts Limited', { severity: MEDIUM, status: FAILED }),
  'sign-in-code.asked': otherRule('Authentication', 'Sign-in Code Asked', { status: toMailStatus }),
  'sign-in-code.ok': proofRule,
  'sign-in-code.refused': toRefusal('reason'),
  'factor.ok': proofRule,
  'factor.refused': toRefusal('fault'),
  'factor.limited': otherRule('Authentication', 'Attempts Limited', { severity: MEDIUM, status: FAILED }),
  'provider.ok': proofRule,
  'provider.refused': toRefusal('reason'),
  'source.refused': toRefusal('reason'),
  'proof.ok': proofRule,
  'registration.finished': proofRule,
  'logout.done': rule('Authentication', 'Logoff'),
  'sessions.ended': rule('Authentication', 'Logoff'),
  'upstream-sessions.ended': rule('Authentication', 'Logoff', {
    status: ({ outcome }) => (outcome === 'unavailable' ? FAILED : 1),
    cause: 'outcome',
  }),
  'area.opened': rule('Authentication', 'Logon'),
  'area.closed': rule('Authentication', 'Logoff'),
  'console.opened': rule('Authentication', 'Logon'),
  'console.closed': rule('Authentication', 'Logoff'),
  'console.refused': rule('Authentication', 'Logon', { severity: MEDIUM, status: FAILED, cause: 'reason' }),
  'token.refused': otherRule('Authentication', 'Token Refused', { severity: MEDIUM, status: FAILED }),
  'token.reused': otherRule('Authentication', 'Token Reused', { severity: HIGH, status: FAILED }),
  'support-check.asked': otherRule('Authentication', 'Support Check Asked'),
  'support-check.passed': otherRule('Authentication', 'Support Check Passed'),
  'support-check.refused': otherRule('Authentication', 'Support Check Refused', { severity: MEDIUM, status: FAILED }),
  'support-page.asked': otherRule('Authentication', 'Support Page Asked', { status: toMailStatus }),
  'support-page.opened': otherRule('Authentication', 'Support Page Opened'),

  'consent.granted': rule('Authorize Session', 'Assign Privileges'),
  'consent.refused': rule('Authorize Session', 'Assign Privileges', { severity: LOW, status: FAILED, cause: 'error' }),
  'app.narrowed': rule('User Access Management', 'Revoke Privileges'),
  'app.removed': rule('User Access Management', 'Revoke Privileges'),
  'operator.granted': rule('User Access Management', 'Assign Privileges', { severity: MEDIUM }),
  'operator.revoked': rule('User Access Management', 'Revoke Privileges'),

  'account.created': rule('Account Change', 'Create'),
  'account.deleted': rule('Account Change', 'Delete'),
  'account.enabled': rule('Account Change', 'Enable'),
  'account.disabled': rule('Account Change', 'Disable'),
  'account.secured': rule('Account Change', 'Lock', { severity: HIGH }),
  'freeze.lifted': rule('Account Change', 'Unlock'),
  'limits.cleared': rule('Account Change', 'Unlock'),
  'password.changed': rule('Account Change', 'Password Change'),
  'password.reset': rule('Account Change', 'Password Reset'),
  'password.change-required': otherRule('Account Change', 'Password Change Required'),
  'terms.accepted': otherRule('Account Change', 'Terms Accepted'),
  'terms.withdrawn': otherRule('Account Change', 'Terms Withdrawn'),
  'factor.added': rule('Account Change', 'MFA Factor Enable'),
  'factor.removed': rule('Account Change', 'MFA Factor Disable', { severity: LOW }),
  'factor.reset': rule('Account Change', 'MFA Factor Disable', { severity: MEDIUM }),
  'factor.renamed': otherRule('Account Change', 'MFA Factor Renamed'),
  'factor-reset.issued': otherRule('Account Change', 'MFA Factor Reset Issued', { severity: MEDIUM }),
  'recovery-codes.made': otherRule('Account Change', 'Recovery Codes Made'),
  'recovery-code.used': otherRule('Account Change', 'Recovery Code Used', { severity: LOW }),
  'password-reset.asked': otherRule('Account Change', 'Password Reset Asked', { status: toMailStatus }),
  'password-reset.issued': otherRule('Account Change', 'Password Reset Issued'),
  'account.invited': otherRule('Account Change', 'Invited'),
  'account.changed': otherRule('Account Change', 'Fields Changed'),
  'username.changed': otherRule('Account Change', 'Username Changed'),
  'provider.connected': otherRule('Account Change', 'Provider Connected'),
  'provider.disconnected': otherRule('Account Change', 'Provider Disconnected'),
  'scim.dismissed': otherRule('Entity Management', 'Refused SCIM Call Dismissed'),
  'scim.offered': otherRule('Account Change', 'Offered to SCIM Source'),
  'scim.withdrawn': otherRule('Account Change', 'Offer to SCIM Source Withdrawn'),
  'source.connected': otherRule('Account Change', 'Source Connected'),
  'source.disconnected': otherRule('Account Change', 'Source Disconnected'),
  'source.migrated': otherRule('Account Change', 'Source Migrated'),
  'deletion.requested': otherRule('Account Change', 'Deletion Requested'),
  'deletion.cancelled': otherRule('Account Change', 'Deletion Cancelled'),
  'trusted-browser.ended': otherRule('Account Change', 'Trusted Browsers Ended'),

  'account.imported': rule('Entity Management', 'Create'),
  'client.attempted': { className: 'Entity Management', activity: toClientActivity, status: UNKNOWN },
  'client.created': rule('Entity Management', 'Create'),
  'client.changed': rule('Entity Management', 'Update'),
  'client.rotated': rule('Entity Management', 'Update'),
  'client.deleted': rule('Entity Management', 'Delete'),
  'client.failed': { className: 'Entity Management', activity: toClientActivity, severity: LOW, status: FAILED, cause: 'cause' },
  'invitation.created': rule('Entity Management', 'Create'),
  'invitation.resent': otherRule('Entity Management', 'Invitation Resent'),
  'invitation.withdrawn': rule('Entity Management', 'Delete'),
  'job.started': rule('Entity Management', 'Create'),
  'job.ended': otherRule('Entity Management', 'Ended'),
  'sign-up.asked': rule('Entity Management', 'Create'),
  'sign-up.refused': otherRule('Entity Management', 'Rejected'),
  'sign-up.expired': otherRule('Entity Management', 'Expired'),
  'approval.asked': rule('Entity Management', 'Create'),
  'approval.approved': otherRule('Entity Management', 'Approved'),
  'approval.rejected': otherRule('Entity Management', 'Rejected'),
  'approval.withdrawn': otherRule('Entity Management', 'Withdrawn'),
  'approval.stopped': otherRule('Entity Management', 'Stopped', { severity: MEDIUM }),
  'approval.expired': otherRule('Entity Management', 'Expired'),
  'mail.retried': rule('Entity Management', 'Update'),
  'sink.paused': otherRule('Entity Management', 'Paused', { severity: MEDIUM }),
  'sink.resumed': otherRule('Entity Management', 'Resumed'),
  'sink.replayed': otherRule('Entity Management', 'Replayed'),
  'secrets.rotated': rule('Entity Management', 'Update'),

  'accounts.exported': rule('API Activity', 'Read', { severity: MEDIUM }),
  'data.downloaded': rule('API Activity', 'Read'),
  'request.limited': otherRule('API Activity', 'Requests Limited', { severity: MEDIUM, status: FAILED }),
  'system.started': rule('Application Lifecycle', 'Start'),
  'source.unavailable': rule('Application Error', 'General Error', { severity: MEDIUM, status: FAILED }),
  'mail.abandoned': rule('Application Error', 'General Error', { severity: LOW, status: FAILED, cause: 'reason' }),
};
