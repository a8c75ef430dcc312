/** The look of pages and mails: what is configured of it, and the rules between its settings. */

/** Colours and corners of pages: of the installation, by the settings of these names, or of an app. */
export interface Brand {
  /** `#rrggbb` */
  brandColour?: string | undefined;
  brandColourDark?: string | undefined;
  brandRadius?: string | undefined;
}

export interface LookSettings {
  logoUrl?: string;
  logoDarkUrl?: string;
  brandColour?: string;
  brandColourDark?: string;
  brandRadius?: string;
  /** In place of the product's icon. */
  iconUrls: readonly string[];
  touchIconUrl?: string;
  /** A stylesheet after all others. */
  style?: string;
  /** Clients (ids) whose own look is used; `*` is every client. */
  clientLooks: readonly string[];
  mailLayout?: string;
  theme: 'system' | 'light' | 'dark';
}

/** @returns whether the pages of this client have its own look */
export function hasOwnLook({ clientLooks }: Pick<LookSettings, 'clientLooks'>, client: string): boolean {
  return clientLooks.includes(client) || clientLooks.includes('*');
}

type Pairs = { [Name in 'logoUrl' | 'logoDarkUrl' | 'brandColour' | 'brandColourDark']?: string | undefined };

export function lookFindings({ values }: { values: Pairs }): { faults: string[] } {
  const pairs = [
    ['LOGO_DARK_URL', values.logoDarkUrl, 'LOGO_URL', values.logoUrl],
    ['BRAND_COLOUR_DARK', values.brandColourDark, 'BRAND_COLOUR', values.brandColour],
  ] as const;
  return {
    faults: pairs.flatMap(([name, value, other, light]) =>
      value !== undefined && light === undefined ? [`${name}: goes together with ${other}, which is missing`] : [],
    ),
  };
}
