/** Accounts and what is stored for them, except factors (`mfa`) and passkeys. The module does not depend on requests, pages or Hydra. */
import { Module } from '@nestjs/common';
import { AccountDeletions } from './changes/account-deletions.js';
import { AccountNames } from './account/account-names.js';
import { AccountJobs } from './jobs/account-jobs.js';
import { ApprovalAnnouncement } from './operators/approval-announcement.js';
import { SupportAccess } from './operators/support-access.js';
import { SupportChecks } from './operators/support-checks.js';
import { SavedFilters } from './operators/saved-filters.js';
import { AccountList } from './account/account-list.js';
import { Accounts } from './account/accounts.js';
import { ChangeEmail } from './changes/change-email.js';
import { MissingDetails } from './changes/missing-details.js';
import { ChangeUsername } from './changes/change-username.js';
import { DataDownload } from './changes/data-download.js';
import { CredentialFreeze } from './account/credential-freeze.js';
import { DeleteAccount } from './changes/delete-account.js';
import { FormerEmails } from './account/former-emails.js';
import { SecureAccount } from './changes/secure-account.js';
import { VerifiedAddresses } from './account/verified-addresses.js';
import { UsernameSkeletonFiller } from './account/username-skeleton-filler.js';
import { AccountAttributes } from './attributes/account-attributes.js';
import { AuditLog } from './audit/audit-log.js';
import { Cleanup } from './cleanup.js';
import { DueDeletions } from './due-deletions.js';
import { ConnectOffers } from './identities/connect-offers.js';
import { ExternalIdentities } from './identities/external-identities.js';
import { AccountLinks } from './identities/account-links.js';
import { ScimIdentities } from './scim/scim-identities.js';
import { ScimFaultList } from './scim/scim-fault-list.js';
import { OfferedAccounts } from './scim/offered-accounts.js';
import { ScimRequests } from './scim/scim-requests.js';
import { ScimRecords } from './scim/scim-records.js';
import { MigratedAccounts } from './identities/migrated-accounts.js';
import { DueSourceChecks } from './identities/due-source-checks.js';
import { SourceChecks } from './identities/source-checks.js';
import { SourceAccounts } from './identities/source-accounts.js';
import { SourceNames } from './identities/source-names.js';
import { TermsAcceptances } from './terms/terms-acceptances.js';
import { Attempts } from './limits/attempts.js';
import { FactorAttempts } from './limits/factor-attempts.js';
import { RequestLimits } from './limits/request-limits.js';
import { ChangePassword } from './password/change-password.js';
import { PasswordRules } from './password/password-rules.js';
import { PasswordHasher } from './password/hasher.js';
import { PasswordProof } from './password/proof.js';
import { PasswordResets } from './password/resets.js';
import { ReplacePassword } from './password/replace-password.js';
import { RequiredPasswords } from './password/required-password.js';
import { SetPassword } from './password/set-password.js';
import { PasswordAttempts } from './password/password-attempts.js';
import { SourceSignIn } from './password/source-sign-in.js';
import { AccountRights } from './operators/account-rights.js';
import { HandedPasswords } from './operators/handed-passwords.js';
import { ClientLock } from './operators/client-lock.js';
import { InstallationCounts } from './operators/installation-counts.js';
import { OperatorApprovals } from './operators/operator-approvals.js';
import { OperatorGrants } from './operators/operator-grants.js';
import { QueueGauges } from './queue-gauges.js';
import { OutboxClaims } from './queue/outbox-claims.js';
import { OutboxStatistics } from './queue/outbox-statistics.js';
import { OperatorSessions } from './operators/operator-sessions.js';
import { Outbox } from './queue/outbox.js';
import { EventDeliveries } from './queue/event-deliveries.js';
import { EventSinks } from './queue/event-sinks.js';
import { FailedMails } from './queue/failed-mails.js';
import { RevocationJobs } from './queue/revocation-jobs.js';
import { CodeAttempts } from './password/code-attempts.js';
import { MailedCodes } from './secrets/mailed-codes.js';
import { OneTimeSecrets } from './secrets/one-time-secrets.js';
import { ProofCodes } from './secrets/proof-codes.js';
import { ProviderTransactions } from './secrets/provider-transactions.js';
import { RegistrationTickets } from './secrets/registration-tickets.js';
import { SignInCodes } from './secrets/sign-in-codes.js';
import { SixDigitCodes } from './secrets/mailed-code.js';
import { SendCode } from './secrets/send-code.js';
import { AccountSessions } from './sessions/account-sessions.js';
import { SignedInDevices } from './sessions/signed-in-devices.js';
import { BrowserSessions } from './sessions/browser-sessions.js';
import { BrowserIds } from './sessions/browser-ids.js';
import { ChallengeRecords } from './sessions/challenge-records.js';
import { ConsentGrants } from './sessions/consent-grants.js';
import { ConsentRecords } from './sessions/consent-records.js';
import { AddressCodes } from './secrets/address-codes.js';
import { ApplyForAccount } from './changes/apply-for-account.js';
import { ApproveSignUp } from './changes/approve-sign-up.js';
import { SignUpApplications } from './changes/sign-up-applications.js';
import { AcceptInvitation } from './changes/accept-invitation.js';
import { Invitations } from './changes/invitations.js';
import { SignUp } from './changes/sign-up.js';
import { SignUpMails } from './changes/sign-up-mails.js';
import { FinishedSignIns } from './sessions/finished-sign-ins.js';
import { KnownDevices } from './sessions/known-devices.js';
import { TrustedBrowsers } from './sessions/trusted-browsers.js';
import { ManageSessionRecords } from './sessions/manage-sessions.js';
import { AddressFailures } from './limits/address-failures.js';
import { SourceAdmission } from './password/source-admission.js';
import { SignInRecords } from './sessions/sign-in-records.js';
import { TokenOwners } from './sessions/token-owners.js';
import { RpcChanges } from './sessions/rpc-changes.js';
import { GroupClaims } from './scim/group-claims.js';
import { ScimAccounts } from './scim/scim-accounts.js';
import { ScimFaults } from './scim/scim-faults.js';
import { ScimGroups } from './scim/scim-groups.js';
import { ScimLists } from './scim/scim-lists.js';
import { ScimOffers } from './scim/scim-offers.js';
import { ScimUsers } from './scim/scim-users.js';
import { AccountExports } from './transfer/exports.js';
import { AccountImports } from './transfer/imports.js';

const EXPORTED_SERVICES = [
  AccountAttributes,
  AccountDeletions,
  FormerEmails,
  AccountNames,
  AccountRights,
  HandedPasswords,
  AccountExports,
  AccountImports,
  AccountList,
  SavedFilters,
  ApprovalAnnouncement,
  SupportAccess,
  SupportChecks,
  CodeAttempts,
  SignInCodes,
  AccountJobs,
  AccountSessions,
  SignedInDevices,
  AddressFailures,
  Accounts,
  Attempts,
  AuditLog,
  BrowserSessions,
  BrowserIds,
  ChallengeRecords,
  OperatorSessions,
  ChangeEmail,
  MissingDetails,
  ChangePassword,
  ChangeUsername,
  DataDownload,
  Cleanup,
  ConsentGrants,
  ConsentRecords,
  CredentialFreeze,
  DeleteAccount,
  DueDeletions,
  EventDeliveries,
  EventSinks,
  ConnectOffers,
  ExternalIdentities,
  FactorAttempts,
  FailedMails,
  FinishedSignIns,
  ClientLock,
  InstallationCounts,
  KnownDevices,
  TrustedBrowsers,
  MailedCodes,
  ManageSessionRecords,
  OneTimeSecrets,
  OperatorApprovals,
  OperatorGrants,
  Outbox,
  OutboxClaims,
  PasswordHasher,
  PasswordProof,
  PasswordResets,
  PasswordRules,
  PasswordAttempts,
  SignInRecords,
  ProofCodes,
  ProviderTransactions,
  RegistrationTickets,
  RequestLimits,
  RevocationJobs,
  RpcChanges,
  SecureAccount,
  SourceAdmission,
  SendCode,
  SixDigitCodes,
  ReplacePassword,
  RequiredPasswords,
  TermsAcceptances,
  SetPassword,
  AddressCodes,
  SignUp,
  SignUpApplications,
  ApplyForAccount,
  ApproveSignUp,
  SignUpMails,
  Invitations,
  AcceptInvitation,
  AccountLinks,
  ScimIdentities,
  ScimRecords,
  ScimRequests,
  OfferedAccounts,
  ScimFaultList,
  MigratedAccounts,
  SourceAccounts,
  SourceChecks,
  DueSourceChecks,
  SourceNames,
  ScimFaults,
  ScimGroups,
  ScimLists,
  ScimUsers,
  TokenOwners,
  VerifiedAddresses,
];

@Module({
  providers: [
    ...EXPORTED_SERVICES,
    GroupClaims,
    ScimAccounts,
    ScimOffers,
    SourceSignIn,
    OutboxStatistics,
    QueueGauges,
    UsernameSkeletonFiller,
  ],
  exports: EXPORTED_SERVICES,
})
export class AccountsModule {}
