/** Creates the user sources of the settings. Each source connects when it is first used. */
import type { Logger } from 'pino';
import type { Clock } from '../config/clock.js';
import type { Keys } from '../config/keys.js';
import type { SourceSettings } from '../config/source-settings.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { HttpSource } from './http/http-source.js';
import { LdapSource } from './ldap/ldap-source.js';
import { UserSources } from './user-sources.js';

export interface SourceParts {
  clock: Clock;
  log: Logger;
  /** Keys that sign the questions to a source. */
  keys: Keys;
  publicUrl: string;
  telemetry?: Telemetry;
}

export function createUserSources(settings: readonly SourceSettings[], parts: SourceParts): UserSources {
  return new UserSources(
    settings.map((source) => (source.type === 'http' ? new HttpSource(source, parts) : new LdapSource(source, parts))),
    parts.log,
    parts.telemetry,
  );
}
