/** Disables, enables, deletes, keeps, unlocks and unfreezes accounts, and requires new passwords. */
import { buildAccountCommand } from '../account-command.js';
import { formatTime } from '../account-text.js';
import { buildUsageFailure } from '../cli-failure.js';
import { sanitize } from '../shown-text.js';
import { REASON_OPTION } from '../reason-option.js';

export const accountDisable = buildAccountCommand({
  name: 'account disable',
  about: 'disable an account, and end its sessions, grants and tokens',
  options: REASON_OPTION,
  async run({ id }, { api, print }) {
    const account = await api.disable(id);
    print(account, () => `${sanitize(account.username)} is disabled.\n`);
  },
});

export const accountEnable = buildAccountCommand({
  name: 'account enable',
  about: 'enable a disabled account',
  options: REASON_OPTION,
  async run({ id }, { api, print }) {
    const account = await api.enable(id);
    print(account, () => `${sanitize(account.username)} is active.\n`);
  },
});

const DAYS = /^(?:[1-9]|[1-8]\d|90)$/;

export const accountDelete = buildAccountCommand({
  name: 'account delete',
  about: 'delete an account and its data, now or after some days; its audit events stay',
  options: {
    yes: {
      about: 'confirm the permanent deletion at once; required unless --days is given',
    },
    days: {
      value: '1-90',
      about:
        "delete the account after this number of days; until then its owner, or 'foyer account keep', can cancel the deletion",
    },
    ...REASON_OPTION,
  },
  async run({ id, username }, { api, options, print }) {
    const days = options.text('days');
    if (days !== undefined) {
      if (!DAYS.test(days)) throw buildUsageFailure('--days must be a whole number from 1 to 90.');
      const deletion = await api.scheduleDeletion(id, Number(days));
      print(
        deletion,
        () => `${username} will be deleted at ${formatTime(deletion.deletion_due_at)}. To cancel: foyer account keep ${id}\n`,
      );
      return;
    }
    if (!options.has('yes')) {
      throw buildUsageFailure(`This deletes ${username} (${id}) permanently. Confirm with --yes, or use account disable.`);
    }
    print(await api.deleteAccount(id), () => `${username} is deleted. To show its events: foyer audit --account ${id}\n`);
  },
});

export const accountKeep = buildAccountCommand({
  name: 'account keep',
  about: 'cancel the scheduled deletion of an account',
  options: REASON_OPTION,
  async run({ id, username }, { api, print }) {
    const account = await api.keepAccount(id);
    print(account, () => `${username} ${account.was_due ? 'will not be deleted' : 'was not scheduled for deletion'}.\n`);
  },
});

export const accountUnlock = buildAccountCommand({
  name: 'account unlock',
  about: 'unlock an account: reset its counts of wrong passwords and codes',
  options: REASON_OPTION,
  async run({ id, username }, { api, print }) {
    const account = await api.unlock(id);
    print(account, () => `${username} ${account.was_locked ? 'is unlocked' : 'was not locked'}.\n`);
  },
});

export const accountRequirePassword = buildAccountCommand({
  name: 'account require-password-change',
  about: 'require a new password at the next sign-in with the password',
  options: REASON_OPTION,
  async run({ id, username }, { api, print }) {
    const account = await api.requirePassword(id);
    const result = account.was_required ? 'already had to choose' : 'has to choose';
    print(account, () => `${username} ${result} a new password at the next sign-in with the password.\n`);
  },
});

export const accountUnfreeze = buildAccountCommand({
  name: 'account unfreeze',
  about: 'allow changes of credentials again after a "That was not me" report',
  options: REASON_OPTION,
  async run({ id, username }, { api, print }) {
    const account = await api.unfreeze(id);
    const permission = 'may change password, username and factors again';
    print(account, () => `${username} ${account.was_frozen ? permission : 'was not frozen'}.\n`);
  },
});
