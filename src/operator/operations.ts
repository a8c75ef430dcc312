/**
 * All operations of the operator API: the rights that may do an operation, and what the console requires before it. The guard
 * decides from this table (`api/rights.guard.ts`), and the OpenAPI description and the table in docs/operating.md are generated from
 * it. An id consists of the names of the controller and of its method.
 *
 * An operation of `support` must not give the operator a way into an account (docs/decisions/0032).
 */
import type { OperatorRights } from '../config/config.js';

export interface OperationRule {
  /** The rights that may do the operation; one of them is enough. */
  rights: readonly OperatorRights[];
  /** Whether the operation changes something other than the operator's own data. The console then requires a reason. */
  changes: boolean;
  /** Whether the console requires a proof of the operator from the last 15 minutes, and refuses the operation for their own account. */
  dangerous: boolean;
  /** Whether the operation, always or in some cases, waits for a second operator if OPERATOR_APPROVAL or SUPPORT_CHECK requires it. */
  approval?: true;
}

/** Reads accounts and what is stored for them. */
const READ_ACCOUNTS: OperationRule = { rights: ['read', 'support', 'admin'], changes: false, dangerous: false };
/** Reads events and the state of the installation, but no accounts. */
const READ_EVENTS: OperationRule = { rights: ['read', 'auditor', 'support', 'admin'], changes: false, dangerous: false };
/** Reads who the operators are. `read` and `support` may not, because they need not know whom to attack for more rights. */
const READ_OPERATORS: OperationRule = { rights: ['auditor', 'admin'], changes: false, dangerous: false };
/** Concerns only data that belongs to the operator. */
const OWN_DATA: OperationRule = { rights: ['read', 'auditor', 'support', 'admin'], changes: false, dangerous: false };
/**
 * Gives the operator no way into an account. For example, revokes access, resets counted failures, or mails a link to the address that an
 * account already has.
 */
const HELP: OperationRule = { rights: ['support', 'admin'], changes: true, dangerous: false };
/** For example, decides who can sign in, changes what apps or sinks receive, reveals a secret, or cannot be undone. */
const ADMINISTER: OperationRule = { rights: ['admin'], changes: true, dangerous: true };
const ADMINISTER_WITH_APPROVAL: OperationRule = { ...ADMINISTER, approval: true };
/** Reads approvals. Requires the right to do every operation that can wait. */
const READ_APPROVALS: OperationRule = { rights: ['admin'], changes: false, dangerous: false };

export const OPERATIONS = {
  'accounts.list': READ_ACCOUNTS,
  'accounts.show': READ_ACCOUNTS,
  // Dangerous, because apps and the setting OPERATORS derive rights from groups: a thief of a session could create an account with more
  // rights than the session has.
  'accounts.create': ADMINISTER,
  'accounts.change': ADMINISTER_WITH_APPROVAL,

  'access.disable': HELP,
  'access.enable': ADMINISTER,
  'access.unlock': HELP,
  'access.unfreeze': ADMINISTER,
  'access.refresh': HELP,

  'deletion.delete': ADMINISTER,
  'deletion.schedule': ADMINISTER,
  'deletion.cancel': HELP,

  'sessions.list': READ_ACCOUNTS,
  'sessions.endAll': HELP,
  'sessions.endOne': HELP,
  'trustedBrowsers.list': READ_ACCOUNTS,
  'trustedBrowsers.endAll': HELP,
  'trustedBrowsers.endOne': HELP,

  'supportCheck.show': { ...HELP, changes: false },
  'supportCheck.ask': HELP,
  'supportCheck.answer': HELP,

  'factors.remove': ADMINISTER_WITH_APPROVAL,
  'resets.password': ADMINISTER_WITH_APPROVAL,
  'resets.mailPassword': HELP,
  'resets.invite': HELP,
  'resets.requirePassword': HELP,
  'resets.factors': ADMINISTER_WITH_APPROVAL,

  'invitations.list': READ_ACCOUNTS,
  'invitations.show': READ_ACCOUNTS,
  // As dangerous as creating accounts, because an invitation determines the groups of the account.
  'invitations.create': ADMINISTER,
  'invitations.createMany': ADMINISTER,
  // The mail goes to the address that an admin has invited.
  'invitations.resend': HELP,
  'invitations.withdraw': HELP,

  'accountTerms.list': READ_ACCOUNTS,
  // Everybody who signs in reads the terms.
  'terms.list': READ_EVENTS,
  'terms.text': READ_EVENTS,

  'providers.list': READ_ACCOUNTS,
  'providers.disconnect': ADMINISTER,
  'source.link': ADMINISTER_WITH_APPROVAL,
  'source.unlink': ADMINISTER,
  'claims.show': READ_ACCOUNTS,
  'search.find': READ_ACCOUNTS,

  'jobs.count': { ...HELP, changes: false },
  // Also requires the right for the action itself (`api/job-actions.ts`). Dangerous, because a mistake affects many people.
  'jobs.start': { ...HELP, dangerous: true },
  'jobs.list': READ_ACCOUNTS,
  'jobs.show': READ_ACCOUNTS,
  'jobs.failures': READ_ACCOUNTS,
  'jobs.stop': HELP,

  'filters.list': OWN_DATA,
  'filters.save': OWN_DATA,
  'filters.remove': OWN_DATA,

  'audit.ofAccount': READ_EVENTS,
  'audit.ofAll': READ_EVENTS,
  'operatorHealth.health': READ_EVENTS,

  'operators.list': READ_OPERATORS,
  'operators.show': READ_OPERATORS,
  'operators.grant': ADMINISTER_WITH_APPROVAL,
  'operators.revoke': ADMINISTER,
  'operators.sessions': READ_OPERATORS,
  // Not dangerous: ending the session of an operator whose device is stolen must be quick, and the operator can sign in again.
  'operators.endSession': { ...ADMINISTER, dangerous: false },

  'clients.list': READ_ACCOUNTS,
  'clients.presets': READ_ACCOUNTS,
  'clients.show': READ_ACCOUNTS,
  'clients.create': ADMINISTER,
  'clients.change': ADMINISTER,
  'clients.rotateSecret': ADMINISTER,
  'clients.delete': ADMINISTER,
  'clients.people': READ_ACCOUNTS,
  'clients.preview': READ_ACCOUNTS,
  'accountApps.remove': HELP,
  // Each row requires the rights of the operation to which it leads.
  'today.show': READ_EVENTS,
  // The answer contains internal addresses of directories, which `read` need not know.
  'sources.list': { rights: ['auditor', 'support', 'admin'], changes: false, dangerous: false },
  // The doctor makes requests to every part of the installation, and reports their faults.
  'doctor.run': { rights: ['admin'], changes: false, dangerous: false },
  // Reviewers of the installation need the settings; the help desk need not know how the installation is protected.
  'settings.list': { rights: ['auditor', 'admin'], changes: false, dangerous: false },
  'mails.list': READ_ACCOUNTS,
  'mails.causes': READ_ACCOUNTS,
  // The mail goes to its original recipient. A link to a new password is not sent to a former address again.
  'mails.retry': HELP,
  'mails.retryAll': HELP,
  // The answers contain internal host names, which `read` need not know.
  'sinks.list': { rights: ['auditor', 'support', 'admin'], changes: false, dangerous: false },
  'sinks.deliveries': { rights: ['auditor', 'support', 'admin'], changes: false, dangerous: false },
  // A thief of a session would pause the sink that reports the theft.
  'sinks.pause': ADMINISTER,
  'sinks.resume': { ...ADMINISTER, dangerous: false },
  // New events would wait behind the replayed events of years.
  'sinks.replay': ADMINISTER,
  'sinks.replayOne': { ...ADMINISTER, dangerous: false },
  'scimOffers.list': READ_ACCOUNTS,
  // The source decides which person receives the account. Operators can only choose among the sources in the settings.
  'scimOffers.offer': ADMINISTER,
  'scimOffers.offerMany': ADMINISTER,
  'scimOffers.withdraw': { ...ADMINISTER, dangerous: false },
  'scimFaults.list': READ_ACCOUNTS,
  'scimFaults.dismiss': HELP,
  'signUps.list': READ_ACCOUNTS,
  // As dangerous as `accounts.create`.
  'signUps.approve': ADMINISTER,
  // Not dangerous: nobody gets access.
  'signUps.refuse': { ...ADMINISTER, dangerous: false },
  'approvals.list': READ_APPROVALS,
  'approvals.show': READ_APPROVALS,
  'approvals.approve': ADMINISTER,
  // Not dangerous: stopping an operation must be quick.
  'approvals.reject': { ...ADMINISTER, dangerous: false },
  'approvals.withdraw': { ...ADMINISTER, dangerous: false },

  'transfer.import': ADMINISTER,
  // An export changes nothing, but a stolen copy of all accounts, with hashes and seeds, cannot be taken back.
  'transfer.export': { rights: ['admin'], changes: false, dangerous: true, approval: true },
} as const satisfies Readonly<Record<string, OperationRule>>;

export type OperationId = keyof typeof OPERATIONS;

/** All ids, in the order of the table. */
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

export function getRule(id: OperationId): OperationRule {
  return OPERATIONS[id];
}

/** @param heldRights the rights of a token or an operator */
export function mayDo(heldRights: readonly OperatorRights[], id: OperationId): boolean {
  return getRule(id).rights.some((right) => heldRights.includes(right));
}

/** @returns the ids of all operations that an operator with these rights may do */
export function listOperations(heldRights: readonly OperatorRights[]): OperationId[] {
  return OPERATION_IDS.filter((id) => mayDo(heldRights, id));
}
