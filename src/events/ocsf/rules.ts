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
function buildRule<Name extends ClassName>(className: Name, activity: ActivityOf<Name>, options: RuleOptions = {}): Rule {
  return { className, activity, ...options };
}

/** A rule for an activity that the schema does not define. */
function buildOtherRule(className: ClassName, activity: string, options: RuleOptions = {}): Rule {
  return { className, activity, ...options };
}

const FAILURE = 2;
const UNKNOWN = 0;
const LOW = 2;
const MEDIUM = 3;
const HIGH = 4;

const buildRefusalRule = (cause: string): Rule => buildRule('Authentication', 'Logon', { severity: LOW, status: FAILURE, cause });
const PROOF_RULE = buildRule('Authentication', 'Preauth');
const toMailStatus = ({ mailed }: Detail): StatusId => (mailed === false ? FAILURE : 1);

const CLIENT_ACTIVITIES: ReadonlyMap<unknown, string> = new Map([
  ['create', 'Create'],
  ['delete', 'Delete'],
]);
const toClientActivity = ({ action }: Detail): string => CLIENT_ACTIVITIES.get(action) ?? 'Update';

/** The rule for a kind that only a newer version defines, during a rolling upgrade. */
const UNKNOWN_KIND = buildOtherRule('Base Event', 'Unknown Kind');

export function findRule(kind: AuditKind): Rule {
  return Object.hasOwn(RULES, kind) ? RULES[kind] : UNKNOWN_KIND;
}

export const RULES: Readonly<Record<AuditKind, Rule>> = {
  // Each sign-in is one successful Logon, and its individual proofs are Preauth. A refused proof or sign-in is a failed Logon, which
  // receivers count.
  'sign-in.ok': buildRule('Authentication', 'Logon'),
  'sign-in.continued': buildOtherRule('Authentication', 'Session Continued'),
  'sign-in.refused': buildRefusalRule('reason'),
  'password.ok': PROOF_RULE,
  'password.refused': buildRefusalRule('reason'),
  'password.limited': buildOtherRule('Authentication', 'Attempts Limited', { severity: MEDIUM, status: FAILURE }),
  'sign-in-code.asked': buildOtherRule('Authentication', 'Sign-in Code Asked', { status: toMailStatus }),
  'sign-in-code.ok': PROOF_RULE,
  'sign-in-code.refused': buildRefusalRule('reason'),
  'factor.ok': PROOF_RULE,
  'factor.refused': buildRefusalRule('fault'),
  'factor.limited': buildOtherRule('Authentication', 'Attempts Limited', { severity: MEDIUM, status: FAILURE }),
  'provider.ok': PROOF_RULE,
  'provider.refused': buildRefusalRule('reason'),
  'source.refused': buildRefusalRule('reason'),
  'proof.ok': PROOF_RULE,
  'registration.finished': PROOF_RULE,
  'logout.done': buildRule('Authentication', 'Logoff'),
  'sessions.ended': buildRule('Authentication', 'Logoff'),
  'upstream-sessions.ended': buildRule('Authentication', 'Logoff', {
    status: ({ outcome }) => (outcome === 'unavailable' ? FAILURE : 1),
    cause: 'outcome',
  }),
  'area.opened': buildRule('Authentication', 'Logon'),
  'area.closed': buildRule('Authentication', 'Logoff'),
  'console.opened': buildRule('Authentication', 'Logon'),
  'console.closed': buildRule('Authentication', 'Logoff'),
  'console.refused': buildRule('Authentication', 'Logon', { severity: MEDIUM, status: FAILURE, cause: 'reason' }),
  'token.refused': buildOtherRule('Authentication', 'Token Refused', { severity: MEDIUM, status: FAILURE }),
  'token.reused': buildOtherRule('Authentication', 'Token Reused', { severity: HIGH, status: FAILURE }),
  'support-check.asked': buildOtherRule('Authentication', 'Support Check Asked'),
  'support-check.passed': buildOtherRule('Authentication', 'Support Check Passed'),
  'support-check.refused': buildOtherRule('Authentication', 'Support Check Refused', { severity: MEDIUM, status: FAILURE }),
  'support-page.asked': buildOtherRule('Authentication', 'Support Page Asked', { status: toMailStatus }),
  'support-page.opened': buildOtherRule('Authentication', 'Support Page Opened'),

  'consent.granted': buildRule('Authorize Session', 'Assign Privileges'),
  'consent.refused': buildRule('Authorize Session', 'Assign Privileges', { severity: LOW, status: FAILURE, cause: 'error' }),
  'app.narrowed': buildRule('User Access Management', 'Revoke Privileges'),
  'app.removed': buildRule('User Access Management', 'Revoke Privileges'),
  'operator.granted': buildRule('User Access Management', 'Assign Privileges', { severity: MEDIUM }),
  'operator.revoked': buildRule('User Access Management', 'Revoke Privileges'),

  'account.created': buildRule('Account Change', 'Create'),
  'account.deleted': buildRule('Account Change', 'Delete'),
  'account.enabled': buildRule('Account Change', 'Enable'),
  'account.disabled': buildRule('Account Change', 'Disable'),
  'account.secured': buildRule('Account Change', 'Lock', { severity: HIGH }),
  'freeze.lifted': buildRule('Account Change', 'Unlock'),
  'limits.cleared': buildRule('Account Change', 'Unlock'),
  'password.changed': buildRule('Account Change', 'Password Change'),
  'password.reset': buildRule('Account Change', 'Password Reset'),
  'password.change-required': buildOtherRule('Account Change', 'Password Change Required'),
  'terms.accepted': buildOtherRule('Account Change', 'Terms Accepted'),
  'terms.withdrawn': buildOtherRule('Account Change', 'Terms Withdrawn'),
  'factor.added': buildRule('Account Change', 'MFA Factor Enable'),
  'factor.removed': buildRule('Account Change', 'MFA Factor Disable', { severity: LOW }),
  'factor.reset': buildRule('Account Change', 'MFA Factor Disable', { severity: MEDIUM }),
  'factor.renamed': buildOtherRule('Account Change', 'MFA Factor Renamed'),
  'factor-reset.issued': buildOtherRule('Account Change', 'MFA Factor Reset Issued', { severity: MEDIUM }),
  'recovery-codes.made': buildOtherRule('Account Change', 'Recovery Codes Made'),
  'recovery-code.used': buildOtherRule('Account Change', 'Recovery Code Used', { severity: LOW }),
  'password-reset.asked': buildOtherRule('Account Change', 'Password Reset Asked', { status: toMailStatus }),
  'password-reset.issued': buildOtherRule('Account Change', 'Password Reset Issued'),
  'account.invited': buildOtherRule('Account Change', 'Invited'),
  'account.changed': buildOtherRule('Account Change', 'Fields Changed'),
  'username.changed': buildOtherRule('Account Change', 'Username Changed'),
  'provider.connected': buildOtherRule('Account Change', 'Provider Connected'),
  'provider.disconnected': buildOtherRule('Account Change', 'Provider Disconnected'),
  'scim.dismissed': buildOtherRule('Entity Management', 'Refused SCIM Call Dismissed'),
  'scim.offered': buildOtherRule('Account Change', 'Offered to SCIM Source'),
  'scim.withdrawn': buildOtherRule('Account Change', 'Offer to SCIM Source Withdrawn'),
  'source.connected': buildOtherRule('Account Change', 'Source Connected'),
  'source.disconnected': buildOtherRule('Account Change', 'Source Disconnected'),
  'source.migrated': buildOtherRule('Account Change', 'Source Migrated'),
  'deletion.requested': buildOtherRule('Account Change', 'Deletion Requested'),
  'deletion.cancelled': buildOtherRule('Account Change', 'Deletion Cancelled'),
  'trusted-browser.ended': buildOtherRule('Account Change', 'Trusted Browsers Ended'),

  'account.imported': buildRule('Entity Management', 'Create'),
  'client.attempted': { className: 'Entity Management', activity: toClientActivity, status: UNKNOWN },
  'client.created': buildRule('Entity Management', 'Create'),
  'client.changed': buildRule('Entity Management', 'Update'),
  'client.rotated': buildRule('Entity Management', 'Update'),
  'client.deleted': buildRule('Entity Management', 'Delete'),
  'client.failed': { className: 'Entity Management', activity: toClientActivity, severity: LOW, status: FAILURE, cause: 'cause' },
  'invitation.created': buildRule('Entity Management', 'Create'),
  'invitation.resent': buildOtherRule('Entity Management', 'Invitation Resent'),
  'invitation.withdrawn': buildRule('Entity Management', 'Delete'),
  'job.started': buildRule('Entity Management', 'Create'),
  'job.ended': buildOtherRule('Entity Management', 'Ended'),
  'sign-up.asked': buildRule('Entity Management', 'Create'),
  'sign-up.refused': buildOtherRule('Entity Management', 'Rejected'),
  'sign-up.expired': buildOtherRule('Entity Management', 'Expired'),
  'approval.asked': buildRule('Entity Management', 'Create'),
  'approval.approved': buildOtherRule('Entity Management', 'Approved'),
  'approval.rejected': buildOtherRule('Entity Management', 'Rejected'),
  'approval.withdrawn': buildOtherRule('Entity Management', 'Withdrawn'),
  'approval.stopped': buildOtherRule('Entity Management', 'Stopped', { severity: MEDIUM }),
  'approval.expired': buildOtherRule('Entity Management', 'Expired'),
  'mail.retried': buildRule('Entity Management', 'Update'),
  'sink.paused': buildOtherRule('Entity Management', 'Paused', { severity: MEDIUM }),
  'sink.resumed': buildOtherRule('Entity Management', 'Resumed'),
  'sink.replayed': buildOtherRule('Entity Management', 'Replayed'),
  'secrets.rotated': buildRule('Entity Management', 'Update'),

  'accounts.exported': buildRule('API Activity', 'Read', { severity: MEDIUM }),
  'data.downloaded': buildRule('API Activity', 'Read'),
  'request.limited': buildOtherRule('API Activity', 'Requests Limited', { severity: MEDIUM, status: FAILURE }),
  'system.started': buildRule('Application Lifecycle', 'Start'),
  'source.unavailable': buildRule('Application Error', 'General Error', { severity: MEDIUM, status: FAILURE }),
  'mail.abandoned': buildRule('Application Error', 'General Error', { severity: LOW, status: FAILURE, cause: 'reason' }),
};
