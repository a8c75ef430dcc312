/**
 * Reads the person of a user source or provider to whom an imported account belongs. A source that is not configured is refused,
 * because nobody could use the account. An account whose password was copied from its source works without the source.
 */
import type { ImportedIdentity } from '../../accounts/identities/imported-identities.js';
import type { ImportedPerson } from '../../accounts/transfer/imported-people.js';
import { toScimSource } from '../../config/stored-sources.js';
import { isIdentifier } from '../../accounts/scim/scim-identities.js';
import type { ScimSettings } from '../../config/source-settings.js';
import type { ImportLineBody } from './account-bodies.js';
import { OperatorFault } from './operator-fault.js';
import type { PeopleSources } from './people-sources.js';
import { quote } from './quote.js';

type PersonMembers = Pick<ImportLineBody, 'source' | 'source_subject' | 'migrated' | 'password' | 'password_hash'>;

/** The form of an id in USER_SOURCES. */
const SOURCE_ID = /^[a-z][a-z0-9-]{0,31}$/;

/** @returns null for an account that belongs to no source or provider @throws OperatorFault */
export function readPerson(
  members: PersonMembers,
  identities: readonly ImportedIdentity[],
  sources: PeopleSources,
): ImportedPerson | null {
  const { source: reference, source_subject: subject, migrated: isMigrated = false } = members;
  if (reference === undefined && subject === undefined && !isMigrated) return null;
  if (reference === undefined) throw buildMissingFault('source', 'source_subject or migrated');
  if (subject === undefined) throw buildMissingFault('source_subject', 'source');
  if (isMigrated) return { source: requireMigratedSource(reference, sources), subject, isMigrated };
  const scim = sources.findScim(reference);
  if (scim) return readScimPerson({ ...members, source_subject: subject }, scim);
  const personSource = sources.find(reference);
  if (!personSource) throw buildUnknownSourceFault(reference, sources);
  const { source, provider } = personSource;
  const identity = identities.find(({ issuer }) => issuer === source);
  if (provider !== undefined && identity?.subject !== subject) {
    const message = `providers must contain the identity ${quote(subject)} of ${provider}, because source names this provider.`;
    throw new OperatorFault(422, 'missing', message, { field: 'providers' });
  }
  requireNoPassword(members, 'the password is at the source, unless it was copied from there (migrated)');
  return { source, subject, isMigrated };
}

/** The account is offered to the source, which takes it over when it sends the person with this `externalId`. */
function readScimPerson(
  { source_subject: subject, ...members }: PersonMembers & { source_subject: string },
  { id, password }: ScimSettings,
): ImportedPerson {
  if (!isIdentifier(subject)) {
    const message =
      'source_subject must be the externalId of the person: 1 to 255 characters, without control characters or lone surrogates.';
    throw new OperatorFault(422, 'format', message, { field: 'source_subject' });
  }
  if (!password) requireNoPassword(members, `people of ${id} have a password here only if the source has "password": true`);
  return { source: toScimSource(id), subject, isMigrated: false };
}

/** @throws OperatorFault */
function requireNoPassword(members: Pick<PersonMembers, 'password' | 'password_hash'>, reason: string): void {
  const field = members.password === undefined ? 'password_hash' : 'password';
  if (members[field] === undefined) return;
  throw new OperatorFault(422, 'conflict', `${field} and source must not both be given: ${reason}.`, { field });
}

/** The source of a copied password need no longer be configured. */
function requireMigratedSource(reference: string, sources: PeopleSources): string {
  const personSource = sources.find(reference);
  if (SOURCE_ID.test(reference) && (!personSource || personSource.userSource?.canMigrate)) return reference;
  const message = 'If migrated is true, source must be the id of a source whose passwords can be copied (type http).';
  throw new OperatorFault(422, 'format', message, { field: 'source' });
}

function buildUnknownSourceFault(reference: string, { ids }: PeopleSources): OperatorFault {
  const alternatives = ids.length === 0 ? 'none is configured' : `the configured ones are ${ids.join(', ')}`;
  const message = `source: ${quote(reference)} is neither a configured source nor a provider with "provision": true; ${alternatives}.`;
  return new OperatorFault(422, 'unknown_source', message, { field: 'source' });
}

function buildMissingFault(field: string, dependent: string): OperatorFault {
  return new OperatorFault(422, 'missing', `${field} is missing; ${dependent} requires it.`, { field });
}
