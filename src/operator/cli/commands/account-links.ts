/** Creates or mails links for the owner of an account. */
import { buildAccountCommand } from '../account-command.js';
import { formatTime } from '../account-text.js';
import type { Call } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';

export const accountInvite = buildAccountCommand({
  name: 'account invite',
  about: 'send a link to choose a first password to the e-mail address of an account',
  options: REASON_OPTION,
  async run({ id }, call) {
    printMailedLink('An invitation', await call.api.invite(id), call);
  },
});

export const accountPasswordReset = buildAccountCommand({
  name: 'account password-reset',
  about: 'create a password reset link to hand to the owner; it works once, within a day',
  options: { mail: { about: 'send the link to the e-mail address of the account instead of showing it' }, ...REASON_OPTION },
  async run({ id, username }, call) {
    if (call.options.has('mail')) return printMailedLink('A password reset link', await call.api.mailPasswordReset(id), call);
    printLink(`${username} can set a new password`, await call.api.resetPassword(id), call);
  },
});

export const accountFactorReset = buildAccountCommand({
  name: 'account factor-reset',
  about: 'create a link that removes second factors, passkeys and recovery codes (two days)',
  options: REASON_OPTION,
  async run({ id, username }, call) {
    printLink(`${username} can remove all second factors, passkeys and recovery codes`, await call.api.resetFactors(id), call);
  },
});

function printMailedLink(subject: string, link: { mailed_to: string; expires_at: string }, { print }: Call): void {
  print(
    link,
    () => `${subject} will be sent to ${sanitize(link.mailed_to)}. It works once, until ${formatTime(link.expires_at)}.\n`,
  );
}

function printLink(permission: string, link: { url: string; expires_at: string }, { print }: Call): void {
  print(link, () => `With this link ${permission}, once, until ${formatTime(link.expires_at)}:\n\n${link.url}\n`);
}
