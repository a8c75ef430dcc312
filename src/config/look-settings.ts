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

type Pairs = { [Name in 'logoUrl' | 'logoDarkUrl' | 'brandColour' | 'brandColourDark']?: string | undefined };

export function checkLook(look: Pairs): { faults: string[] } {
  const pairs = [
    ['LOGO_DARK_URL', look.logoDarkUrl, 'LOGO_URL', look.logoUrl],
    ['BRAND_COLOUR_DARK', look.brandColourDark, 'BRAND_COLOUR', look.brandColour],
  ] as const;
  return {
    faults: pairs.flatMap(([name, value, lightName, lightValue]) =>
      value !== undefined && lightValue === undefined ? [`${name}: requires ${lightName}, which is not set`] : [],
    ),
  };
}
