/**
 * Domains of e-mail addresses: they lead people to a provider or a user source (`domains`, docs/providers.md), and decide which addresses may
 * sign up (`SIGN_UP_DOMAINS`, docs/joining.md). All are read in the same way; only the lists of the sign-up include subdomains.
 */
import { domainToASCII } from 'node:url';
import type { Kind } from './settings-kinds.js';

const MAX_LENGTH = 253;
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
/** `domainToASCII` would end the host name at some of these characters, decode an escape, or leave out a line break; it refuses the others. */
const FORBIDDEN_CHARACTER = /[\s\p{Cc}/?#\\%:@[\]]/u;

export const DOMAIN_FAULT = 'is not a domain like example.com; wildcards are not accepted';

/** A domain as `toDomain` returns it. */
export const domain: Kind<string> = {
  label: 'domain',
  read(value) {
    const name = toDomain(value);
    return name === null ? { fault: DOMAIN_FAULT } : { value: name };
  },
};

/** @returns the domain in lower case and in ASCII (IDNA, UTS 46), so that all spellings of a domain are equal; null for other texts */
export function toDomain(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const normalizedText = text.normalize('NFKC');
  const name = FORBIDDEN_CHARACTER.test(normalizedText) ? '' : domainToASCII(normalizedText);
  return name.length <= MAX_LENGTH && HOST.test(name) ? name : null;
}

/** @returns the domain of a typed e-mail address, as `toDomain` returns it; null for a name that is not an address */
export function findTypedDomain(typedName: string): string | null {
  if (typedName.length > 4 * MAX_LENGTH) return null;
  const name = typedName.trim().normalize('NFKC');
  const separatorIndex = name.lastIndexOf('@');
  return separatorIndex < 1 ? null : toDomain(name.slice(separatorIndex + 1));
}

/** Whether the list contains the domain or a domain above it. The name and the list are in the form that `toDomain` returns. */
export function isInDomains(name: string, list: readonly string[]): boolean {
  return list.some((listedName) => name === listedName || name.endsWith(`.${listedName}`));
}

/** A provider or a user source with its domains. `setting` and `name` are for messages. */
export interface DomainOwner {
  setting: string;
  name: string;
  domains: readonly string[];
}

/** @returns a fault for each domain that two owners have, because people with an address of a domain are sent to one owner */
export function findSharedDomains(owners: readonly DomainOwner[]): string[] {
  return owners.flatMap(({ setting, name, domains }, index) =>
    [...new Set(domains)].flatMap((domainName) => {
      const firstOwner = owners.slice(0, index).find((owner) => owner.domains.includes(domainName));
      return firstOwner
        ? [`${setting}: ${firstOwner.name} and ${name} both have the domain ${domainName}; remove it from one of them`]
        : [];
    }),
  );
}
