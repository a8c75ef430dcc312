/**
 * Applies the look in an app's registration (`metadata.foyer.look`), for the clients that the installation names. Other clients
 * have only their registered name and logo, which appear where a page names the app; their look is not read.
 */
import type { Logger } from 'pino';
import { colour, isObject, radius, type Kind } from '../config/settings-kinds.js';
import type { Config } from '../config/config.js';
import { hasOwnLook, type Brand } from '../config/look-settings.js';
import { toSafeLogo } from './client-links.js';
import type { ClientProfile } from './client-profile.js';
import { removeInvisible } from './wire.js';

/** A value of a look that is not used, and why. Contains no text of the registration. */
export interface LookFault {
  /** Name of the member in the registration; `an unknown member` for any other name, `look` if the look is not an object. */
  field: string;
  fault: string;
}

export type WarnAboutLook = (client: string, fault: LookFault) => void;

type Settings = Pick<Config['app'], 'clientLooks' | 'theme'>;

const MAX_NAME_LENGTH = 100;
/** Limits the memory that is used to log each warning only once. */
const MAX_WARNINGS = 1000;

const name: Kind<string> = {
  label: 'text',
  read(value) {
    const visibleName = removeInvisible(value).trim();
    return visibleName === '' || visibleName.length > MAX_NAME_LENGTH
      ? { fault: `is empty or longer than ${MAX_NAME_LENGTH} characters` }
      : { value: visibleName };
  },
};

const logo: Kind<string> = {
  label: 'address',
  read(value) {
    const address = toSafeLogo(value);
    return address === undefined
      ? { fault: 'is neither an https address nor a data: image of at most 64 KiB' }
      : { value: address };
  },
};

const FIELDS = { colour, colour_dark: colour, radius, logo, logo_dark: logo, name } as const satisfies Record<
  string,
  Kind<string>
>;

type Values = Partial<Record<keyof typeof FIELDS, string>>;

export class ClientLooks {
  readonly #warnings = new Set<string>();

  constructor(
    private readonly settings: Settings,
    private readonly warn: WarnAboutLook,
  ) {}

  /** @returns the client as pages show it */
  applyTo(client: ClientProfile): ClientProfile {
    const { foyer, ...members } = client;
    const { look: registeredLook, ...otherSettings } = foyer;
    const clientWithoutLook = { ...members, foyer: otherSettings };
    if (registeredLook === undefined || !hasOwnLook(this.settings, client.id)) return clientWithoutLook;
    const values = this.#read(client.id, registeredLook);
    return { ...clientWithoutLook, name: values.name ?? client.name, ...this.#logos(values, client), ...toBrand(values) };
  }

  #read(client: string, registeredLook: unknown): Values {
    if (!isObject(registeredLook)) {
      this.#warn(client, { field: 'look', fault: 'is not a JSON object' });
      return {};
    }
    const values: Values = {};
    for (const [field, kind] of Object.entries(FIELDS)) {
      const value = registeredLook[field];
      if (value === undefined) continue;
      const reading = typeof value === 'string' ? kind.read(value) : { fault: 'is not a string' };
      if ('value' in reading) values[field as keyof Values] = reading.value;
      else this.#warn(client, { field, fault: reading.fault });
    }
    if (values.colour_dark !== undefined && values.colour === undefined)
      this.#warn(client, { field: 'colour_dark', fault: 'requires colour' });
    if (Object.keys(registeredLook).some((field) => !Object.hasOwn(FIELDS, field)))
      this.#warn(client, { field: 'an unknown member', fault: `is not one of ${Object.keys(FIELDS).join(', ')}` });
    return values;
  }

  /** With a fixed theme, all pages show the same logo. */
  #logos({ logo: ownLogo, logo_dark: darkLogo }: Values, client: ClientProfile): { logoUri?: string; logoDarkUri?: string } {
    const lightLogo = ownLogo ?? client.logoUri;
    if (darkLogo === undefined || this.settings.theme === 'light') return lightLogo === undefined ? {} : { logoUri: lightLogo };
    if (this.settings.theme === 'dark') return { logoUri: darkLogo, logoDarkUri: darkLogo };
    return lightLogo === undefined ? {} : { logoUri: lightLogo, logoDarkUri: darkLogo };
  }

  /** Warns once for each client and field. */
  #warn(client: string, fault: LookFault): void {
    const key = JSON.stringify([client, fault.field]);
    if (this.#warnings.has(key) || this.#warnings.size >= MAX_WARNINGS) return;
    this.#warnings.add(key);
    this.warn(client, fault);
  }
}

/** Without a colour for light pages the dark colour is not used, because it would not match the light colour of the installation. */
function toBrand({ colour: brandColour, colour_dark: darkColour, radius: brandRadius }: Values): { look?: Brand } {
  if (brandColour === undefined && brandRadius === undefined) return {};
  return { look: { brandColour, brandColourDark: brandColour && darkColour, brandRadius } };
}

export function createClientLooks(settings: Settings, log: Logger): ClientLooks {
  return new ClientLooks(settings, (client, { field, fault }) => {
    log.warn({ client, field, fault }, 'a value in metadata.foyer.look of the client is not valid and is not used');
  });
}

/** For an adapter that does not apply looks. */
export const NO_LOOKS = new ClientLooks({ clientLooks: [], theme: 'system' }, () => undefined);
