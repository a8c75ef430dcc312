/** All commands of the CLI, in the order of the help. */
import type { Command } from './command.js';
import { accountAudit, audit, explain } from './commands/audit.js';
import { accountCreate } from './commands/account-create.js';
import {
  accountDelete,
  accountDisable,
  accountEnable,
  accountKeep,
  accountUnfreeze,
  accountRequirePassword,
  accountUnlock,
} from './commands/account-state.js';
import { accountDisconnect, accountLink, accountProviders, accountUnlink } from './commands/account-sources.js';
import { accountExport } from './commands/account-export.js';
import { supportCheckAnswer, supportCheckAsk } from './commands/support-check.js';
import { accountFactorReset, accountInvite, accountPasswordReset } from './commands/account-links.js';
import { accountFactorRemove } from './commands/account-factors.js';
import { accountImport } from './commands/account-import.js';
import { accountList, accountShow } from './commands/account-list.js';
import {
  accountSessionsEnd,
  accountSessionsList,
  accountTrustedBrowsersEnd,
  accountTrustedBrowsersList,
} from './commands/account-sessions.js';
import { accountRefresh } from './commands/account-refresh.js';
import { accountUpdate } from './commands/account-update.js';
import { approvalApprove, approvalList, approvalReject, approvalShow, approvalWithdraw } from './commands/approvals.js';
import { claims } from './commands/claims.js';
import { accountAppRemove, clientPeople, clientPreview } from './commands/client-people.js';
import { clientsApply, clientsPlan } from './commands/clients-file.js';
import { clientCreate, clientDelete, clientList, clientRotateSecret, clientShow, clientUpdate } from './commands/clients.js';
import { doctor } from './commands/doctor.js';
import { filterList, filterRemove, filterSave } from './commands/filters.js';
import { jobFailures, jobList, jobShow, jobStart, jobStop } from './commands/jobs.js';
import { health } from './commands/health.js';
import { init } from './commands/init.js';
import { operatorGrant, operatorList, operatorRevoke, operatorShow } from './commands/operators.js';
import {
  invitationCreate,
  invitationImport,
  invitationList,
  invitationResend,
  invitationWithdraw,
} from './commands/invitations.js';
import { mailList, mailRetry, mailRetryAll } from './commands/mails.js';
import { eventsDeliveries, eventsPause, eventsReplay, eventsResume, eventsSinks } from './commands/events.js';
import { today } from './commands/today.js';
import { signUpApprove, signUpList, signUpRefuse } from './commands/sign-ups.js';
import { scimDismiss, scimFaults, scimOffer, scimOffers, scimWithdraw } from './commands/scim.js';
import { accountTermsList, termsList, termsText } from './commands/terms.js';
import { sourceList } from './commands/sources.js';
import { settings } from './commands/settings.js';
import { breachedBuild, breachedCheck } from './commands/breached.js';
import { languagesCheck } from './commands/languages-check.js';

export const COMMANDS: readonly Command[] = [
  init,
  accountCreate,
  accountList,
  accountShow,
  accountUpdate,
  accountInvite,
  accountDisable,
  accountEnable,
  accountDelete,
  accountKeep,
  accountUnlock,
  accountRequirePassword,
  accountUnfreeze,
  accountRefresh,
  accountLink,
  accountUnlink,
  accountPasswordReset,
  accountFactorReset,
  supportCheckAsk,
  supportCheckAnswer,
  accountFactorRemove,
  accountSessionsList,
  accountSessionsEnd,
  accountTrustedBrowsersList,
  accountTrustedBrowsersEnd,
  accountTermsList,
  accountProviders,
  accountDisconnect,
  accountAppRemove,
  accountAudit,
  accountImport,
  accountExport,
  invitationCreate,
  invitationImport,
  invitationList,
  invitationResend,
  invitationWithdraw,
  operatorList,
  operatorShow,
  operatorGrant,
  operatorRevoke,
  clientList,
  clientShow,
  clientCreate,
  clientUpdate,
  clientRotateSecret,
  clientDelete,
  clientPeople,
  clientPreview,
  clientsPlan,
  clientsApply,
  today,
  sourceList,
  scimOffer,
  scimOffers,
  scimWithdraw,
  scimFaults,
  scimDismiss,
  settings,
  mailList,
  mailRetry,
  mailRetryAll,
  eventsSinks,
  eventsDeliveries,
  eventsPause,
  eventsResume,
  eventsReplay,
  jobStart,
  jobList,
  jobShow,
  jobFailures,
  jobStop,
  filterList,
  filterSave,
  filterRemove,
  approvalList,
  approvalShow,
  approvalApprove,
  approvalReject,
  approvalWithdraw,
  signUpList,
  signUpApprove,
  signUpRefuse,
  termsList,
  termsText,
  claims,
  audit,
  explain,
  health,
  doctor,
  languagesCheck,
  breachedBuild,
  breachedCheck,
];
