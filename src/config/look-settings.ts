/** The look of pages, which the installation or an app chooses, and the rules between the settings of the installation. */

/** Colours and corners of pages, from the installation's settings of the same names or from the registration of an app. */
export interface Brand {
  /** `#rrggbb` */
  brandColour?: string | undefined;
  brandColourDark?: string | undefined;
  brandRadius?: string | undefined;
}

/** @returns whether the pages of this client have its own look */
export function hasOwnLook({ clientLooks }: { clientLooks: readonly string[] }, client: string): boolean {
  return clientLooks.includes(client) || clientLooks.includes('*');
}

const DARK_SETTINGS = [
  ['LOGO_DARK_URL', 'LOGO_URL'],
  ['BRAND_COLOUR_DARK', 'BRAND_COLOUR'],
] as const;

export function checkLook({ isSet }: { isSet: (name: string) => boolean }): { faults: string[] } {
  const faultyPairs = DARK_SETTINGS.filter(([darkName, name]) => isSet(darkName) && !isSet(name));
  return { faults: faultyPairs.map(([darkName, name]) => `${darkName}: requires ${name}, which is not set`) };
}
