/** Makes the sources of the settings. Nothing is connected before it is needed. */
import type { Logger } from 'pino';
import type { Clock } from '../config/clock.js';
import type { SourceSettings } from '../config/source-settings.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { LdapSource } from './ldap/ldap-source.js';
import { UserSources } from './user-sources.js';

export interface SourceParts {
  clock: Clock;
  log: Logger;
  telemetry?: Telemetry;
}

export function openSources(settings: readonly SourceSettings[], { clock, log, telemetry }: SourceParts): UserSources {
  return new UserSources(
    settings.map((one) => new LdapSource(one, { clock, log })),
    log,
    telemetry,
  );
}
