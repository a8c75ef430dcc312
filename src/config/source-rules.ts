/** The rules that kinds of user sources share: texts, files, domains and groups. Event sinks have some of these rules, too. */
import { X509Certificate } from 'node:crypto';
import { defined } from './defined.js';
import { DOMAIN_FAULT, toDomain } from './domains.js';
import { isSafeAddress } from './safe-address.js';
import type { JsonReader, TextRule } from './json-reader.js';
import type { GroupSelection } from './source-settings.js';

export const MAX_ATTRIBUTES = 50;
const MAX_GROUPS = 250;
const MAX_DOMAINS = 100;

export const buildTextRule = (fault: string, longest = 1000): TextRule => ({ fault, isValid: (text) => text.length <= longest });

export const ID: TextRule = {
  fault: 'is not an id of at most 32 lower-case letters, digits and hyphens that begins with a letter',
  isValid: (text) => /^[a-z][a-z0-9-]{0,31}$/.test(text),
};
/** The rule for the name of a user source that people see. */
export const DISPLAY_NAME: TextRule = {
  fault: 'is not a name of at most 64 characters',
  isValid: (text) => text.trim() !== '' && text.length <= 64 && !/\p{Cc}/u.test(text),
};
export const PEM: TextRule = { fault: 'is not a certificate in PEM form', isValid: isCertificate, hasLines: true };
export const ADDRESS: TextRule = {
  fault:
    'is not an address that begins with https:// (http:// only on this machine) and has no user name, password, query or fragment',
  isValid: isSafeAddress,
};
const DOMAIN: TextRule = { fault: DOMAIN_FAULT, isValid: (text) => toDomain(text) !== null };
const FILE = buildTextRule('is not the path of a file');

export type ReadFile = (path: string) => string;

/**
 * Reads a text from a member or from the file that another member names.
 * @returns undefined if both are absent; with a fault, the text may be empty
 */
export function readTextOrFile(
  value: JsonReader,
  file: JsonReader,
  { rule, readFile }: { rule: TextRule; readFile: ReadFile },
): string | undefined {
  if (!value.isAbsent && !file.isAbsent) file.addFault('is set together with the value itself; remove one of them');
  if (file.isAbsent) return value.optionalText(rule);
  const path = file.text(FILE);
  try {
    const text = path === '' ? '' : readFile(path).trim();
    if (path !== '' && (text === '' || !rule.isValid(text))) file.addFault(`names a file whose content ${rule.fault}`);
    return text;
  } catch {
    file.addFault('names a file that cannot be read');
    return '';
  }
}

/** Reads `domains` of a source. */
export function readDomains({ domains }: Record<'domains', JsonReader>): { domains?: readonly string[] } {
  if (domains.isAbsent) return {};
  return { domains: domains.entries(MAX_DOMAINS).map((name) => toDomain(name.text(DOMAIN)) ?? '') };
}

/** Reads the selection of a person's groups that the account receives. */
export function readGroupSelection({
  only,
  most,
  group_name: groupName,
}: Record<'only' | 'most' | 'group_name', JsonReader>): GroupSelection {
  const names = only.isAbsent
    ? undefined
    : only.entries(MAX_GROUPS).map((name) => name.text(buildTextRule('is not a string of 1 to 1000 characters')));
  return {
    ...defined({ only: names }),
    most: most.number({ least: 1, most: MAX_GROUPS, fallback: 100 }),
    groupName: groupName.flag(false),
  };
}

function isCertificate(text: string): boolean {
  try {
    new X509Certificate(text);
    return true;
  } catch {
    return false;
  }
}
