/** Checks the look of pages and mails: the contrast of the brand colour, whether logos and icons can be shown, and the looks of clients. */
import type { Config } from '../../../config/config.js';
import { DARK_THEME, LIGHT_THEME, measureFill } from '../../../gateway/page/brand.js';
import { ClientLooks, type LookFault } from '../../../hydra/client-looks.js';
import { UpstreamError } from '../../../hydra/hydra.errors.js';
import { OryHydraAdapter } from '../../../hydra/ory-hydra.adapter.js';
import { TELEMETRY_OFF } from '../../../telemetry/telemetry.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import { toImages } from './links.check.js';

const SVG = /\.svgz?$/i;

export const looksCheck: Check = {
  title: 'Look',
  async run(examination) {
    const { config } = examination;
    return [...checkBrand(config.app), ...checkImages(config), ...(await checkClientLooks(examination))];
  },
};

export function checkBrand({ brandColour, brandColourDark, theme }: Config['app']): Finding[] {
  if (brandColour === undefined) return [];
  const lightFindings = theme === 'dark' ? [] : [describeFill('BRAND_COLOUR', brandColour, LIGHT_THEME)];
  if (theme === 'light') return lightFindings;
  if (brandColourDark !== undefined) return [...lightFindings, describeFill('BRAND_COLOUR_DARK', brandColourDark, DARK_THEME)];
  const darkFinding = describeFill('BRAND_COLOUR', brandColour, DARK_THEME);
  const { hasEdge } = measureFill(brandColour, DARK_THEME);
  return [
    ...lightFindings,
    hasEdge ? hint(darkFinding.what, 'Set BRAND_COLOUR_DARK to a lighter colour if you do not want the edge.') : darkFinding,
  ];
}

function describeFill(setting: string, fill: string, theme: typeof LIGHT_THEME): Finding {
  const { ink, textContrast, pageContrast, hasEdge } = measureFill(fill, theme);
  const inkName = ink === '#ffffff' ? 'white' : 'black';
  const what = `On ${theme.name} pages ${setting} ${fill} fills buttons, with ${inkName} text (contrast ${textContrast.toFixed(1)})`;
  const edge = `; it hardly differs from the page (contrast ${pageContrast.toFixed(1)} of 3), so buttons get an edge`;
  return ok(`${what}${hasEdge ? edge : ''}.`);
}

/** Finds images that browsers and mail clients would not show. `links.check.ts` checks whether their addresses answer. */
export function checkImages({ app, publicUrl, mail }: Pick<Config, 'app' | 'publicUrl' | 'mail'>): Finding[] {
  const isSecure = publicUrl.startsWith('https:');
  return toImages(app).flatMap(({ setting, url }) => {
    const { protocol, hostname, pathname } = new URL(url);
    const isShown = protocol === 'https:' || (!isSecure && hostname === 'localhost');
    if (!isShown)
      return [
        fault(
          `${setting}, ${url}, is not shown, because pages load images over https only.`,
          `Set ${setting} to an address with https.`,
        ),
      ];
    if (setting === 'TOUCH_ICON_URL' && SVG.test(pathname)) {
      return [
        hint('TOUCH_ICON_URL is an SVG, which Apple devices do not show.', 'Set TOUCH_ICON_URL to a PNG of 180 × 180 pixels.'),
      ];
    }
    const isForMail = mail.server !== undefined && setting.startsWith('LOGO_');
    if (!isForMail || (protocol === 'https:' && !SVG.test(pathname))) return [];
    const replacement = setting === 'LOGO_URL' ? 'the name' : 'the logo of LOGO_URL, or the name,';
    return [
      hint(
        `Mails show ${replacement} instead of ${setting}, because mail clients show no SVG and load images over https only.`,
        `To show it in mails, set ${setting} to a PNG over https.`,
      ),
    ];
  });
}

async function checkClientLooks(examination: Examination): Promise<Finding[]> {
  const { app, hydra } = examination.config;
  const { inspection } = await examination.upstream();
  const findings: Finding[] = [];
  if (app.clientLooks.includes('*') && inspection.public.state === 'as-expected' && inspection.public.hasRegistration) {
    const fix = 'Set CLIENT_LOOKS to the ids of the clients that may have their own look.';
    findings.push(
      hint('CLIENT_LOOKS is *, and Hydra lets anybody register a client, which can then imitate the look of another app.', fix),
    );
  }
  const ids = app.clientLooks.filter((id) => id !== '*');
  if (ids.length === 0 || inspection.admin.state !== 'as-expected') return findings;
  const looks = new ClientLooks(app, (client, fault) => findings.push(toInvalidLookFinding(client, fault)));
  const adapter = new OryHydraAdapter(hydra, TELEMETRY_OFF, looks);
  try {
    for (const id of ids) await adapter.getClient(id);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    findings.push(hint('Hydra did not answer the request for the looks of clients.', 'Run the doctor again.'));
  }
  return findings;
}

function toInvalidLookFinding(client: string, { field, fault }: LookFault): Finding {
  const what = `The look of the client ${JSON.stringify(client)}: ${field} ${fault} and is ignored.`;
  return hint(what, 'Correct metadata.foyer.look of the client (docs/looks.md).');
}
