/** Rules for the settings of passkeys. */
import { isIpAddress, isLoopback } from './safe-address.js';
import type { SettingValues } from './settings.js';

/**
 * Checks the related origins, and the id of the relying party. Browsers check the id in the same way (WebAuthn Level 3, section
 * 5.1.3, step 8), but also refuse public suffixes, of which Foyer has no list.
 */
export function checkPasskeys({ values, isSet }: { values: SettingValues; isSet: (name: string) => boolean }): {
  faults: string[];
} {
  const { rpId: id, origins } = values.passkeys;
  const { publicUrl } = values.address;
  const host = new URL(publicUrl ?? 'http://localhost').hostname;
  const isPublicUrlFaulty = publicUrl === undefined && isSet('PUBLIC_URL');
  const isOwnDomain = id === undefined || id === host || (id.includes('.') && !isIpAddress(host) && host.endsWith(`.${id}`));
  const plainOrigins = origins.filter((origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname));
  const addressOrigins = origins.filter((origin) => isIpAddress(new URL(origin).hostname));
  return {
    faults: [
      ...(isOwnDomain || isPublicUrlFaulty
        ? []
        : [`PASSKEY_RP_ID: must be the host of PUBLIC_URL, ${host}, or a parent domain of it`]),
      ...plainOrigins.map((origin) => `PASSKEY_ORIGINS: ${origin} must begin with https://`),
      ...addressOrigins.map((origin) => `PASSKEY_ORIGINS: ${origin} must have a host name instead of an IP address`),
    ],
  };
}
