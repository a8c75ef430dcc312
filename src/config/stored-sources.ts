/** The names under which sources are stored with accounts, which show whether a source can be queried and where a password is. */
import type { Config } from './config.js';
import type { ScimSettings } from './source-settings.js';

const SCIM_PREFIX = 'scim:';

/**
 * Whether a source cannot be queried about its people, because it is a provider or sends people by SCIM. The id of a source that can be
 * queried has no colon (`USER_SOURCES`); an issuer has one (OpenID Connect Core, section 2), and so does the stored name of a SCIM source.
 */
export function isNeverQueried(source: string): boolean {
  return source.includes(':');
}

/** @returns the value that is stored with accounts of a SCIM source */
export function toScimSource(id: string): string {
  return `${SCIM_PREFIX}${id}`;
}

/** @returns the id of a SCIM source in the settings; null for another source */
export function findScimId(source: string): string | null {
  return source.startsWith(SCIM_PREFIX) ? source.slice(SCIM_PREFIX.length) : null;
}

/** Whether a source is a provider that provisions accounts. */
export function isProvider(source: string): boolean {
  return isNeverQueried(source) && findScimId(source) === null;
}

/** @param source the value that is stored with accounts @returns undefined if it is not a configured SCIM source */
export function findScimSettings(source: string, { scim }: Pick<Config, 'scim'>): ScimSettings | undefined {
  const id = findScimId(source);
  return id === null ? undefined : scim.find((settings) => settings.id === id);
}

/** Whether accounts of this source have their password here, like accounts without a source. @param source null without a source */
export function hasPasswordHere(source: string | null, config: Pick<Config, 'scim'>): boolean {
  return source === null || findScimSettings(source, config)?.password === true;
}
