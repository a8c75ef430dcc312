/** The names under which sources are stored with accounts, and what follows from them: who can be asked, and where a password is. */
import type { Config } from './config.js';
import type { ScimSettings } from './source-settings.js';

const SCIM = 'scim:';

/**
 * Whether nobody can be asked about the people of a source: it is a provider, or pushes them by SCIM. The id of a source that is asked
 * has no colon (`USER_SOURCES`); an issuer has one (OpenID Connect Core, section 2), and so has the stored name of a SCIM source.
 */
export function isNeverAsked(source: string): boolean {
  return source.includes(':');
}

/** @returns what is stored with accounts of a SCIM source */
export function toScimSource(id: string): string {
  return `${SCIM}${id}`;
}

/** @returns the id of a SCIM source in the settings; null for another source */
export function findScimId(source: string): string | null {
  return source.startsWith(SCIM) ? source.slice(SCIM.length) : null;
}

/** Whether a source is a provider that provisions accounts. */
export function isProvider(source: string): boolean {
  return isNeverAsked(source) && findScimId(source) === null;
}

/** @param source as it is stored with accounts @returns undefined if it is no SCIM source of the settings */
export function findScimSettings(source: string, { scim }: Pick<Config, 'scim'>): ScimSettings | undefined {
  const id = findScimId(source);
  return id === null ? undefined : scim.find((one) => one.id === id);
}

/** Whether accounts of this source have their password here, as those without a source. @param source null for none */
export function hasPasswordHere(source: string | null, config: Pick<Config, 'scim'>): boolean {
  return source === null || findScimSettings(source, config)?.password === true;
}
