/** Every command of the CLI, in the order of the help. */
import type { Command } from './command.js';
import { accountAudit } from './commands/account-audit.js';
import { accountCreate } from './commands/account-create.js';
import { accountDelete } from './commands/account-delete.js';
import { accountDisable } from './commands/account-disable.js';
import { accountDisconnect } from './commands/account-disconnect.js';
import { accountEnable } from './commands/account-enable.js';
import { accountExport } from './commands/account-export.js';
import { accountFactorReset } from './commands/account-factor-reset.js';
import { accountImport } from './commands/account-import.js';
import { accountInvite } from './commands/account-invite.js';
import { accountList } from './commands/account-list.js';
import { accountKeep } from './commands/account-keep.js';
import { accountPasswordReset } from './commands/account-password-reset.js';
import { accountProviders } from './commands/account-providers.js';
import { accountLink } from './commands/account-link.js';
import { accountRefresh } from './commands/account-refresh.js';
import { accountSessionsEnd } from './commands/account-sessions-end.js';
import { accountSessionsList } from './commands/account-sessions-list.js';
import { accountTrustedBrowsersEnd } from './commands/account-trusted-browsers-end.js';
import { accountTrustedBrowsersList } from './commands/account-trusted-browsers-list.js';
import { accountShow } from './commands/account-show.js';
import { accountUnfreeze } from './commands/account-unfreeze.js';
import { accountUnlink } from './commands/account-unlink.js';
import { accountUnlock } from './commands/account-unlock.js';
import { accountUpdate } from './commands/account-update.js';
import { audit } from './commands/audit.js';
import { claims } from './commands/claims.js';
import { doctor } from './commands/doctor.js';
import { health } from './commands/health.js';
import { init } from './commands/init.js';
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
  accountUnfreeze,
  accountRefresh,
  accountLink,
  accountUnlink,
  accountPasswordReset,
  accountFactorReset,
  accountSessionsList,
  accountSessionsEnd,
  accountTrustedBrowsersList,
  accountTrustedBrowsersEnd,
  accountProviders,
  accountDisconnect,
  accountAudit,
  accountImport,
  accountExport,
  claims,
  audit,
  health,
  doctor,
  languagesCheck,
];
