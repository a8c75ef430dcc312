/**
 * Checks the format of the identities of an imported account, and that no provider and no person occurs twice. The code that
 * calls this function checks that the provider is configured and that the issuer belongs to it.
 */
import { checkInstant } from '../account/fields.js';
import { AccountFieldInvalid } from '../account/account.errors.js';
import { cutLabel } from './identity-rows.js';

export interface ImportedIdentity {
  provider: string;
  issuer: string;
  subject: string;
  label?: string | null;
  /** ISO 8601 with time zone. Default: time of the import. */
  connectedAt?: string;
}

export interface CheckedIdentity {
  provider: string;
  issuer: string;
  subject: string;
  label: string | null;
  connected_at: Date | null;
}

/** OpenID Connect Core 1.0, section 2. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** @throws AccountFieldInvalid with a field such as `providers[0]` or `providers[0].subject` */
export function checkIdentities(identities: readonly ImportedIdentity[]): CheckedIdentity[] {
  const earlierKeys = new Set<string>();
  return identities.map(({ provider, issuer, subject, label = null, connectedAt }, index) => {
    const entry = `providers[${index}]`;
    if (!SUBJECT.test(subject)) {
      const message = `${entry}.subject must be 1 to 255 printable ASCII characters.`;
      throw new AccountFieldInvalid(`${entry}.subject`, 'format', message);
    }
    const identityKeys = [JSON.stringify([provider]), JSON.stringify([issuer, subject])];
    if (identityKeys.some((identityKey) => earlierKeys.has(identityKey))) {
      throw new AccountFieldInvalid(entry, 'twice', `${entry} has the same provider or person as an earlier entry.`);
    }
    for (const identityKey of identityKeys) earlierKeys.add(identityKey);
    const connected_at = connectedAt === undefined ? null : checkInstant(`${entry}.connectedAt`, connectedAt);
    return { provider, issuer, subject, label: cutLabel(label), connected_at };
  });
}
