import { AUDIT_COLUMNS, AUDIT_OPTIONS, auditQuery, printAuditLog } from '../audit-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountAudit: Command = {
  name: 'account audit',
  about: 'show the events of an account, newest first',
  operands: ['id|username'],
  options: AUDIT_OPTIONS,
  async run(call) {
    const { id } = await findAccount(call.api, call.operands[0]);
    printAuditLog(await call.api.audit(id, auditQuery(call.options)), AUDIT_COLUMNS, call);
    return true;
  },
};
