/**
 * Finds misspelled settings. The environment also contains variables of other programs, so a name is reported only if
 * it is similar to a setting of Foyer, begins with one of certain prefixes (`OWN_PREFIX`), or is the name of a setting with `_FILE`.
 */
import { findNearestName } from './nearest-name.js';
import { SETTING_LIST } from './settings.js';
import type { Environment } from './settings-read.js';

const NAMES = SETTING_LIST.flatMap(({ name, file }) => (file ? [name, `${name}_FILE`] : [name]));

/** Some prefixes of Foyer's settings; not general prefixes such as `HTTP_`, `LOG_`, `APP_` and `HOME_`. */
const OWN_PREFIX =
  /^(HYDRA|EMBEDDED|DATABASE|SECRETS|OPERATOR|BRAND|IMPRINT|PRIVACY|TERMS|SFDR|REMEMBER|CONFIRM_SESSION|REG_HINT|CONSENT|PASSWORD|LIMIT|HASH|OTEL_EXPORTER_OTLP)_/i;

/**
 * Variables that the tests or OpenTelemetry's exporter read, or that Kubernetes sets in every container for a service whose name
 * resembles a setting.
 */
const FOREIGN_VARIABLE =
  /^HYDRA_BIN$|^OTEL_EXPORTER_OTLP_(CERTIFICATE|CLIENT_CERTIFICATE|CLIENT_KEY|COMPRESSION)$|_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)/;

/** Near to a setting, but also a variable of gettext, which many systems set for all programs. */
const PLATFORM_NAME = 'LANGUAGE';

const SHORT_NAME_LENGTH = 6;
const LONG_NAME_LENGTH = 10;

/** One message for each unknown name. */
export interface UnknownSettings {
  /** About names that are so similar to a setting of Foyer that they are typing mistakes. */
  typingMistakes: string[];
  /** About other names that resemble a setting; they may belong to the platform, such as DATABASE_PASSWORD. */
  unclearNames: string[];
}

export function findUnknownSettings(env: Environment): UnknownSettings {
  const messages: UnknownSettings = { typingMistakes: [], unclearNames: [] };
  for (const name of Object.keys(env)) {
    if (NAMES.includes(name) || FOREIGN_VARIABLE.test(name) || env[name]?.startsWith('tcp://') || name.length > 60) continue;
    const setting = name.replace(/_FILE$/, '');
    if (NAMES.includes(setting)) {
      messages.unclearNames.push(`${name}: is not a setting; ${setting} cannot be read from a file`);
      continue;
    }
    const { nearestName, distance } = findNearestName(name.toUpperCase(), NAMES);
    const isNear = distance <= findLargestDistance(nearestName);
    if (isNear || OWN_PREFIX.test(name))
      (isNear && name !== PLATFORM_NAME ? messages.typingMistakes : messages.unclearNames).push(
        `${name}: is not a setting; did you mean ${nearestName}?`,
      );
  }
  return messages;
}

/**
 * The maximum distance between a name and the name of a setting. Short names allow less, because many names are similar to
 * them.
 */
function findLargestDistance(name: string): number {
  if (name.length < SHORT_NAME_LENGTH) return 0;
  return name.length < LONG_NAME_LENGTH ? 1 : 2;
}
