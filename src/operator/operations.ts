/**
 * Every operation of the operator API: which rights may do it, and what the console asks for before it. The guard decides from
 * this table (`api/rights.guard.ts`), and the OpenAPI description and the table in docs/operating.md are generated from it.
 * An id is the name of the controller and of its method.
 *
 * An operation of `support` must not give its holder a way into an account (docs/decisions/0032).
 */
import type { OperatorRights } from '../config/config.js';

export interface OperationRule {
  /** The rights that may do the operation; one of them is enough. */
  rights: readonly OperatorRights[];
  /** Whether the operation changes something. The console then requires a reason. */
  changes: boolean;
  /** Whether the console requires a proof of the operator that is not older than 15 minutes. Nobody does it to their own account. */
  dangerous: boolean;
  /** Whether the operation, always or in some cases, waits for a second operator where OPERATOR_APPROVAL or SUPPORT_CHECK asks for it. */
  approval?: true;
}

/** Reads accounts and what is stored for them. */
const READ_ACCOUNTS: OperationRule = { rights: ['read', 'support', 'admin'], changes: false, dangerous: false };
/** Reads what happened and how the installation is, without reading accounts. */
const READ_EVENTS: OperationRule = { rights: ['read', 'auditor', 'support', 'admin'], changes: false, dangerous: false };
/** Reads who the operators are: `read` and `support` need not know whom to attack for more rights. */
const READ_OPERATORS: OperationRule = { rights: ['auditor', 'admin'], changes: false, dangerous: false };
/** Concerns only what the operator keeps for themselves. */
const OWN: OperationRule = { rights: ['read', 'auditor', 'support', 'admin'], changes: false, dangerous: false };
/** Takes access away, forgets counted failures, or has a link mailed to the address that an account already has. */
const HELP: OperationRule = { rights: ['support', 'admin'], changes: true, dangerous: false };
/** Decides who gets in, tells a secret, or cannot be undone. */
const ADMINISTER: OperationRule = { rights: ['admin'], changes: true, dangerous: true };
const HELD: OperationRule = { ...ADMINISTER, approval: true };
/** Only those who may do every operation that waits. */
const READ_APPROVALS: OperationRule = { rights: ['admin'], changes: false, dangerous: false };

export const OPERATIONS = {
  'accounts.list': READ_ACCOUNTS,
  'accounts.show': READ_ACCOUNTS,
  // Also dangerous: apps, and the setting OPERATORS, decide by groups what an account may do, so a stolen session could create one
  // with more rights than its own.
  'accounts.create': ADMINISTER,
  'accounts.change': HELD,

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

  'factors.remove': HELD,
  'resets.password': HELD,
  'resets.mailPassword': HELP,
  'resets.invite': HELP,
  'resets.factors': HELD,

  'providers.list': READ_ACCOUNTS,
  'providers.disconnect': ADMINISTER,
  'source.link': HELD,
  'source.unlink': ADMINISTER,
  'claims.show': READ_ACCOUNTS,
  'search.find': READ_ACCOUNTS,

  'jobs.count': { ...HELP, changes: false },
  // Beside this, the right for the action itself is required (`api/job-actions.ts`). A mistake concerns many people at once.
  'jobs.start': { ...HELP, dangerous: true },
  'jobs.list': READ_ACCOUNTS,
  'jobs.show': READ_ACCOUNTS,
  'jobs.failures': READ_ACCOUNTS,
  'jobs.stop': HELP,

  'filters.list': OWN,
  'filters.save': OWN,
  'filters.remove': OWN,

  'audit.ofAccount': READ_EVENTS,
  'audit.ofAll': READ_EVENTS,
  'operatorHealth.health': READ_EVENTS,

  'operators.list': READ_OPERATORS,
  'operators.show': READ_OPERATORS,
  'operators.grant': HELD,
  'operators.revoke': ADMINISTER,
  'operators.sessions': READ_OPERATORS,
  // To end the session of an operator whose device is stolen must be quick, and the operator can sign in again.
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
  // Each row needs the rights of the operation to which it leads.
  'today.show': READ_EVENTS,
  // It names addresses of directories inside, which `read` need not know.
  'sources.list': { rights: ['auditor', 'support', 'admin'], changes: false, dangerous: false },
  // It makes requests to every part of the installation, and says what is wrong with them.
  'doctor.run': { rights: ['admin'], changes: false, dangerous: false },
  // Whoever reviews the installation needs them; the help desk need not know how it is protected.
  'settings.list': { rights: ['auditor', 'admin'], changes: false, dangerous: false },
  'mails.list': READ_ACCOUNTS,
  'mails.causes': READ_ACCOUNTS,
  // The mail goes to the address to which it was written. A link for a new password to a former address is not sent again.
  'mails.retry': HELP,
  'mails.retryAll': HELP,
  // They name hosts inside, which `read` need not know.
  'sinks.list': { rights: ['auditor', 'support', 'admin'], changes: false, dangerous: false },
  'sinks.deliveries': { rights: ['auditor', 'support', 'admin'], changes: false, dangerous: false },
  // A thief of a session would pause the sink that reports the theft.
  'sinks.pause': ADMINISTER,
  'sinks.resume': { ...ADMINISTER, dangerous: false },
  // Everything that is recorded would wait behind all events of years.
  'sinks.replay': ADMINISTER,
  'sinks.replayOne': { ...ADMINISTER, dangerous: false },
  'scimOffers.list': READ_ACCOUNTS,
  // The account goes to whomever the source names. A console cannot name a source: the settings do.
  'scimOffers.offer': ADMINISTER,
  'scimOffers.offerMany': ADMINISTER,
  'scimOffers.withdraw': { ...ADMINISTER, dangerous: false },
  'scimFaults.list': READ_ACCOUNTS,
  'scimFaults.dismiss': HELP,
  'approvals.list': READ_APPROVALS,
  'approvals.show': READ_APPROVALS,
  'approvals.approve': ADMINISTER,
  // To stop something must be quick.
  'approvals.reject': { ...ADMINISTER, dangerous: false },
  'approvals.withdraw': { ...ADMINISTER, dangerous: false },

  'transfer.import': ADMINISTER,
  // It changes nothing, but a stolen copy of all accounts, with hashes and seeds, cannot be taken back.
  'transfer.export': { rights: ['admin'], changes: false, dangerous: true, approval: true },
} as const satisfies Readonly<Record<string, OperationRule>>;

export type OperationId = keyof typeof OPERATIONS;

/** All ids, in the order of the table. */
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

export function getRule(id: OperationId): OperationRule {
  return OPERATIONS[id];
}

/** @param held the rights of a token or an operator */
export function mayDo(held: readonly OperatorRights[], id: OperationId): boolean {
  return getRule(id).rights.some((one) => held.includes(one));
}

/** @returns the ids of all operations that somebody with these rights may do */
export function listOperations(held: readonly OperatorRights[]): OperationId[] {
  return OPERATION_IDS.filter((id) => mayDo(held, id));
}
