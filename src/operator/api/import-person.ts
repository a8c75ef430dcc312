/**
 * Reads to whom an imported account belongs. An account of a source that is not set up could be used by nobody, so it is
 * refused like a provider that is not; one whose password was taken over is an account of its own, also without the source.
 */
import type { ImportedIdentity } from '../../accounts/identities/imported-identities.js';
import type { ImportedPerson } from '../../accounts/identities/imported-people.js';
import type { ImportLineBody } from './account-bodies.js';
import { OperatorFault } from './operator-fault.js';
import type { PeopleSources } from './people-sources.js';
import { quoted } from './quoted.js';

type Given = Pick<ImportLineBody, 'source' | 'source_subject' | 'migrated' | 'password' | 'password_hash'>;

/** As in USER_SOURCES. */
const SOURCE_ID = /^[a-z][a-z0-9-]{0,31}$/;

/** @returns null for an account of its own @throws OperatorFault */
export function readPerson(given: Given, identities: readonly ImportedIdentity[], sources: PeopleSources): ImportedPerson | null {
  const { source: named, source_subject: subject, migrated: isMigrated = false } = given;
  if (named === undefined && subject === undefined && !isMigrated) return null;
  if (named === undefined) throw missing('source', 'source_subject and migrated');
  if (subject === undefined) throw missing('source_subject', 'source');
  if (isMigrated) return { source: migratedSource(named, sources), subject, isMigrated };
  const found = sources.find(named);
  if (!found) throw unknownSource(named, sources);
  const { source, provider } = found;
  const identity = identities.find((one) => one.issuer === source);
  if (provider !== undefined && identity?.subject !== subject) {
    const message = `providers has to have the identity ${quoted(subject)} of ${provider}, which source names.`;
    throw new OperatorFault(422, 'missing', message, { field: 'providers' });
  }
  const field = given.password === undefined ? 'password_hash' : 'password';
  if (given[field] !== undefined) {
    const message = `${field} and source exclude one another: the password is at the source, unless it was taken over (migrated).`;
    throw new OperatorFault(422, 'conflict', message, { field });
  }
  return { source, subject, isMigrated };
}

/** The source need not be set up any more. */
function migratedSource(named: string, sources: PeopleSources): string {
  const found = sources.find(named);
  if (SOURCE_ID.test(named) && (!found || found.asked?.canMigrate)) return named;
  const message = 'source has to be the id of a source whose passwords can be taken over (HTTP), where migrated is true.';
  throw new OperatorFault(422, 'format', message, { field: 'source' });
}

function unknownSource(named: string, { ids }: PeopleSources): OperatorFault {
  const others = ids.length === 0 ? 'none is' : `there are ${ids.join(', ')}`;
  const message = `source: no source or provider with provision ${quoted(named)} is set up here; ${others}.`;
  return new OperatorFault(422, 'unknown_source', message, { field: 'source' });
}

function missing(field: string, beside: string): OperatorFault {
  return new OperatorFault(422, 'missing', `${field} is missing: it belongs to ${beside}.`, { field });
}
