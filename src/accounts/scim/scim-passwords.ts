/** Where the password of an account is that a SCIM source keeps: here, if the settings of the source say so, or nowhere that Foyer knows. */
import type { Config } from '../../config/config.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { findScimId } from '../identities/source-accounts.js';

/** @param source as it is stored with accounts @returns undefined if it is no SCIM source of the settings */
export function findScimSettings(source: string, { scim }: Pick<Config, 'scim'>): ScimSettings | undefined {
  const id = findScimId(source);
  return id === null ? undefined : scim.find((one) => one.id === id);
}

/** Whether accounts of this source have their password here, as those without a source. @param source null for none */
export function hasPasswordHere(source: string | null, config: Pick<Config, 'scim'>): boolean {
  return source === null || findScimSettings(source, config)?.password === true;
}
