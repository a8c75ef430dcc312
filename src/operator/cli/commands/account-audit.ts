import type { AuditEntryAnswer } from '../../wire.js';
import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { table } from '../table.js';
import type { Column } from '../table.js';

const COLUMNS: readonly Column<AuditEntryAnswer>[] = [
  { title: 'TIME', value: ({ at }) => timeText(at), whole: true },
  { title: 'EVENT', value: ({ kind }) => kind, whole: true },
  { title: 'BY', value: ({ actor }) => actor, whole: true },
  { title: 'ADDRESS', value: ({ address }) => address ?? '' },
  { title: 'DETAIL', value: ({ detail }) => detailText(detail) },
];

export const accountAudit: Command = {
  name: 'account audit',
  about: 'show what happened to an account, the newest first',
  operands: ['id|username'],
  options: { cursor: { value: 'CURSOR', about: 'go on where the list before stopped' } },
  async run({ api, operands, options, terminal, print, warn }) {
    const { id } = await findAccount(api, operands[0]);
    const page = await api.audit(id, { cursor: options.text('cursor') });
    print(page, () => table(COLUMNS, page.entries, terminal));
    if (page.next_cursor !== undefined) warn(`There are more: --cursor ${page.next_cursor}`);
    return true;
  },
};

function detailText(detail: AuditEntryAnswer['detail']): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ');
}
