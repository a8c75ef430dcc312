/**
 * Checks the links of the pages: footer, logos, icons. This machine may lack internet access, so failures are hints
 * only.
 */
import type { Config } from '../../../config/config.js';
import { networkReason } from '../../../config/system-error.js';
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

const PATIENCE_MS = 5000;

interface Link {
  setting: string;
  url: string;
  isImage?: true;
}

export const linksCheck: Check = {
  title: 'Links',
  async run({ config }) {
    const links = buildLinks(config.app);
    if (links.length === 0) {
      return [
        hint(
          'The footer is empty.',
          'Set IMPRINT_URL_DE, PRIVACY_URL_DE and the related settings: most sites must have these links.',
        ),
      ];
    }
    const findings = (await Promise.all(links.map(look))).flat();
    return findings.length > 0 ? findings : [ok(`${links.length} of ${links.length} answer.`)];
  },
};

function buildLinks({ footer, ...app }: Config['app']): Link[] {
  const pages = footer.flatMap(({ id, urls }) =>
    Object.entries(urls).map(([locale, url]) => ({ setting: `${id}_URL_${locale}`.toUpperCase(), url })),
  );
  return [...pages, ...toPictures(app).map((picture) => ({ ...picture, isImage: true as const }))];
}

/** What the look of the installation loads. */
export function toPictures({
  logoUrl,
  logoDarkUrl,
  iconUrls,
  touchIconUrl,
}: Pick<Config['app'], 'logoUrl' | 'logoDarkUrl' | 'iconUrls' | 'touchIconUrl'>): { setting: string; url: string }[] {
  const single = { LOGO_URL: logoUrl, LOGO_DARK_URL: logoDarkUrl, TOUCH_ICON_URL: touchIconUrl };
  return [
    ...Object.entries(single).flatMap(([setting, url]) => (url === undefined ? [] : [{ setting, url }])),
    ...iconUrls.map((url) => ({ setting: 'ICON_URL', url })),
  ];
}

async function look({ setting, url, isImage }: Link): Promise<Finding[]> {
  const fix = `Set ${setting} to an address that answers; ignore this if only this machine cannot reach it.`;
  try {
    const answer = await fetch(url, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(PATIENCE_MS) });
    await answer.body?.cancel();
    if (!answer.ok) return [hint(`${setting}, ${url}, answers with status ${answer.status}.`, fix)];
    const type = answer.headers.get('content-type') ?? '';
    if (isImage && !type.startsWith('image/'))
      return [hint(`${setting}, ${url}, is not a picture (${type}).`, `Set ${setting} to a picture.`)];
    return [];
  } catch (error) {
    return [hint(`${setting}, ${url}, does not answer (${networkReason(error)}).`, fix)];
  }
}
