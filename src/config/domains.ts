/**
 * Domains of e-mail addresses: they lead people to a provider or a user source (`domains`, docs/providers.md), and decide which addresses may
 * sign up (`SIGN_UP_DOMAINS`, docs/joining.md). All are read in the same way; only the lists of the sign-up include subdomains.
 */
import { domainToASCII } from 'node:url';
import type { Kind } from './settings-kinds.js';

const MAX_LENGTH = 253;
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
/** Characters that `domainToASCII` would read as the end of a host name, as an escape, or as a line break that it leaves out. */
const NOT_IN_HOST = /[\s\p{Cc}/?#\\%:@[\]]/u;

export const DOMAIN_FAULT = 'is not a domain like example.com; wildcards are not accepted';

/** A domain as `toDomain` returns it. */
export const domain: Kind<string> = {
  label: 'domain',
  read(value) {
    const found = toDomain(value);
    return found === null ? { fault: DOMAIN_FAULT } : { value: found };
  },
};

/** @returns the domain in lower case and in ASCII (IDNA, UTS 46), so that all spellings of a domain are equal; null for other texts */
export function toDomain(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const folded = text.normalize('NFKC');
  const name = NOT_IN_HOST.test(folded) ? '' : domainToASCII(folded);
  return name.length <= MAX_LENGTH && HOST.test(name) ? name : null;
}

/** @returns the domain of a typed e-mail address, as `toDomain` returns it; null for a name that is not an address */
export function findTypedDomain(typedName: string): string | null {
  if (typedName.length > 4 * MAX_LENGTH) return null;
  const name = typedName.trim().normalize('NFKC');
  const at = name.lastIndexOf('@');
  return at < 1 ? null : toDomain(name.slice(at + 1));
}

/** Whether the list contains the domain or a domain above it. The name and the list are in the form that `toDomain` returns. */
export function isInDomains(name: string, list: readonly string[]): boolean {
  return list.some((one) => name === one || name.endsWith(`.${one}`));
}

/** A provider or a user source with its domains. `setting` and `name` are for messages. */
export interface DomainOwner {
  setting: string;
  name: string;
  domains: readonly string[];
}

/** @returns a fault for each domain of two owners, because its people are sent to one place */
export function findSharedDomains(owners: readonly DomainOwner[]): string[] {
  return owners.flatMap(({ setting, name, domains }, index) =>
    [...new Set(domains)].flatMap((shared) => {
      const first = owners.slice(0, index).find((other) => other.domains.includes(shared));
      return first ? [`${setting}: ${first.name} and ${name} both have the domain ${shared}; a domain leads to one place`] : [];
    }),
  );
}
