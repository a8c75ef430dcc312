/** The list of all migrations. */
import { accounts } from './0001-accounts.js';
import { limits } from './0002-limits.js';
import { sessions } from './0003-sessions.js';
import { factors } from './0004-factors.js';
import { secrets } from './0005-secrets.js';
import { queue } from './0006-queue.js';
import { audit } from './0007-audit.js';
import { identities } from './0008-identities.js';
import { registrations } from './0009-registrations.js';
import { emailCodes } from './0010-email-codes.js';
import { sessionKinds } from './0011-session-kinds.js';
import { proofsAndCalls } from './0012-proofs-and-calls.js';
import { usernameLooks } from './0013-username-looks.js';
import { operators } from './0014-operators.js';
import { probeAndKeys } from './0015-probe-and-keys.js';
import { indexesInUse } from './0016-indexes-in-use.js';
import { heldUsernameLooks } from './0017-held-username-looks.js';
import { challengeRequests } from './0018-challenge-requests.js';
import { browserOfPending } from './0019-browser-of-pending.js';
import { accountAttributes } from './0020-account-attributes.js';
import { sourceAccounts } from './0021-source-accounts.js';
import { migratedAccounts } from './0022-migrated-accounts.js';
import { accountSubjects } from './0023-account-subjects.js';
import { sourceNames } from './0024-source-names.js';
import { trustedBrowsers } from './0025-trusted-browsers.js';
import { passkeys } from './0026-passkeys.js';
import { passkeyOffers } from './0027-passkey-offers.js';
import { groupsIndex } from './0028-groups-index.js';
import { sessionUse } from './0029-session-use.js';
import { factorProofs } from './0030-factor-proofs.js';
import { consentGrants } from './0031-consent-grants.js';
import { formerEmails } from './0032-former-emails.js';
import { accountDeletions } from './0033-account-deletions.js';
import { consentRemovals } from './0034-consent-removals.js';
import { mailUrgency } from './0036-mail-urgency.js';
import { trustEnded } from './0040-trust-ended.js';
import { codesAndLooks } from './0041-codes-and-looks.js';
import { missingLooks } from './0042-missing-looks.js';
import { mailOrder } from './0043-mail-order.js';
import { signIns } from './0044-sign-ins.js';
import { signInSetUps } from './0045-sign-in-set-ups.js';
import { signInFormerBrowsers } from './0046-sign-in-former-browsers.js';
import { operatorGrants } from './0047-operator-grants.js';
import { operatorSessions } from './0048-operator-sessions.js';
import { consoleSignOuts } from './0049-console-sign-outs.js';
import { consentGrantsByClient } from './0050-consent-grants-by-client.js';
import { mailCauses } from './0052-mail-causes.js';
import { failedMails } from './0053-failed-mails.js';
import { operatorApprovals } from './0054-operator-approvals.js';
import { clientEvents } from './0056-client-events.js';
import { peopleLists } from './0057-people-lists.js';
import { supportChecks } from './0058-support-checks.js';
import { announcedApprovals } from './0059-announced-approvals.js';
import { sourceChecks } from './0060-source-checks.js';
import { eventDeliveries } from './0061-event-deliveries.js';
import { scim } from './0062-scim.js';
import { nextDeliveries } from './0063-next-deliveries.js';
import { signInTasks } from './0064-sign-in-tasks.js';
import { terms } from './0065-terms.js';
import { invitations } from './0067-invitations.js';
import { signUpApplications } from './0068-sign-up-applications.js';
import { presentPerson } from './0069-present-person.js';
import type { Migration } from './migration.js';

/**
 * All migrations in order; a new one is added at the end. A number is never reused, and a released migration never changes
 * (`test/shape/migrations.test.ts`).
 */
export const MIGRATIONS: readonly Migration[] = [
  accounts,
  limits,
  sessions,
  factors,
  secrets,
  queue,
  audit,
  identities,
  registrations,
  emailCodes,
  sessionKinds,
  proofsAndCalls,
  usernameLooks,
  operators,
  probeAndKeys,
  indexesInUse,
  heldUsernameLooks,
  challengeRequests,
  browserOfPending,
  accountAttributes,
  sourceAccounts,
  migratedAccounts,
  accountSubjects,
  sourceNames,
  trustedBrowsers,
  passkeys,
  passkeyOffers,
  groupsIndex,
  sessionUse,
  factorProofs,
  consentGrants,
  formerEmails,
  accountDeletions,
  consentRemovals,
  mailUrgency,
  trustEnded,
  codesAndLooks,
  missingLooks,
  mailOrder,
  signIns,
  signInSetUps,
  signInFormerBrowsers,
  operatorGrants,
  operatorSessions,
  consoleSignOuts,
  consentGrantsByClient,
  mailCauses,
  failedMails,
  operatorApprovals,
  clientEvents,
  peopleLists,
  supportChecks,
  announcedApprovals,
  sourceChecks,
  eventDeliveries,
  scim,
  nextDeliveries,
  signInTasks,
  terms,
  invitations,
  signUpApplications,
  presentPerson,
];
