/** An account as people read it on a terminal. */
import type { AccountAnswer } from '../wire.js';
import { facts } from './table.js';

const NOTHING = '–';

export function accountText(account: AccountAnswer): string {
  const { email, email_verified } = account;
  return facts([
    ['Username', account.username],
    ['Name', account.display_name],
    ['E-mail', email === null ? NOTHING : `${email}${email_verified ? '' : ' (not verified)'}`],
    ['Language', account.language ?? NOTHING],
    ['Group', account.group_name ?? NOTHING],
    ['Picture', account.picture ?? NOTHING],
    ['Status', account.status],
    ['Id', account.id],
    ['Created', timeText(account.created_at)],
    ['Changed', timeText(account.updated_at)],
  ]);
}

/** UTC to the second; the machine's own zone would differ between operators. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')}Z`;
}
