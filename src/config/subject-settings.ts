/** The members `sub` and `sub_prefix` of user sources and providers, which make the person's id there the subject of a new account. */
import type { ProviderSettings } from './value-types.js';
import type { JsonReader } from './json-reader.js';
import type { ScimSettings, SourceSettings } from './source-settings.js';

export const SUBJECT_CHOICES = ['account', 'source'] as const;
export const SUBJECT_PREFIX = {
  fault: 'is not a string of at most 64 visible ASCII characters',
  isValid: (text: string) => /^[\x21-\x7e]{1,64}$/.test(text),
};

/**
 * Requires that no prefix begins with another one. Otherwise two user sources or providers could have people with the same subject,
 * whom apps would mistake for one person.
 */
export function findSubjectFaults(
  sources: readonly (SourceSettings | ScimSettings)[],
  providers: readonly ProviderSettings[],
): string[] {
  const entries = [
    ...sources.map(({ id, subjectPrefix }) => ({ name: `${id} of USER_SOURCES`, prefix: subjectPrefix })),
    ...providers.map(({ id, provision }) => ({ name: `${id} of OIDC_PROVIDERS`, prefix: provision?.subjectPrefix })),
  ].filter((entry): entry is { name: string; prefix: string } => entry.prefix !== undefined);
  return entries.flatMap(({ name, prefix }, index) =>
    entries
      .slice(0, index)
      .filter((other) => prefix.startsWith(other.prefix) || other.prefix.startsWith(prefix))
      .map(
        (other) =>
          `USER_SOURCES, OIDC_PROVIDERS: ${other.name} and ${name} both have "sub": "source": each needs a sub_prefix, and neither may begin with the other`,
      ),
  );
}

/** Reads `sub` and `sub_prefix` of an entry of `USER_SOURCES`. */
export function readSubjectPrefix(members: Record<'sub' | 'sub_prefix', JsonReader>): { subjectPrefix?: string } {
  const isSource = members.sub.choice(SUBJECT_CHOICES, 'account') === 'source';
  const prefix = members.sub_prefix.optionalText(SUBJECT_PREFIX);
  if (!isSource && prefix !== undefined) members.sub_prefix.addFault('requires "sub": "source"');
  return isSource ? { subjectPrefix: prefix ?? '' } : {};
}
