/** The audit log of the whole installation. Events of a deleted account are found by its id. */
import { AUDIT_COLUMNS, AUDIT_OPTIONS, auditQuery, printAuditLog } from '../audit-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const audit: Command = {
  name: 'audit',
  about: 'show the events of all accounts and of Foyer itself, newest first',
  operands: [],
  options: { account: { value: 'ID|USERNAME', about: 'only events of this account' }, ...AUDIT_OPTIONS },
  async run(call) {
    const named = call.options.text('account');
    const account = named === undefined || UUID.test(named) ? named : (await findAccount(call.api, named)).id;
    const page = await call.api.auditLog({ account, ...auditQuery(call.options) });
    const [time, event, ...others] = AUDIT_COLUMNS;
    const whose = { title: 'ACCOUNT', value: ({ account_id }: { account_id: string | null }) => account_id ?? '' };
    printAuditLog(
      page,
      [time, event, whose, ...others].flatMap((column) => column ?? []),
      call,
    );
    return true;
  },
};
