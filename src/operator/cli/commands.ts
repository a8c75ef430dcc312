/** Every command of the CLI, in the order of the help. */
import type { Command } from './command.js';
import { accountAudit } from './commands/account-audit.js';
import { accountCreate } from './commands/account-create.js';
import { accountDisable } from './commands/account-disable.js';
import { accountEnable } from './commands/account-enable.js';
import { accountFactorReset } from './commands/account-factor-reset.js';
import { accountList } from './commands/account-list.js';
import { accountPasswordReset } from './commands/account-password-reset.js';
import { accountSessionsEnd } from './commands/account-sessions-end.js';
import { accountShow } from './commands/account-show.js';
import { accountUnlock } from './commands/account-unlock.js';
import { accountUpdate } from './commands/account-update.js';
import { health } from './commands/health.js';

export const COMMANDS: readonly Command[] = [
  accountCreate,
  accountList,
  accountShow,
  accountUpdate,
  accountDisable,
  accountEnable,
  accountUnlock,
  accountPasswordReset,
  accountFactorReset,
  accountSessionsEnd,
  accountAudit,
  health,
];
