/** Checks the addresses of the footer, the logos and the icons. Failures are only hints, because this machine may lack internet access. */
import type { Config } from '../../../config/config.js';
import { explainNetworkError } from '../../../config/system-error.js';
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

const TIMEOUT_MS = 5000;

interface Link {
  setting: string;
  url: string;
  isImage?: true;
}

export const linksCheck: Check = {
  title: 'Links',
  async run({ config }) {
    const pages = toPages(config.app);
    const emptyFooter = pages.length === 0 ? [EMPTY_FOOTER] : [];
    const links = [...pages, ...toImages(config.app).map((image) => ({ ...image, isImage: true as const }))];
    if (links.length === 0) return emptyFooter;
    const findings = (await Promise.all(links.map(checkLink))).flat();
    const answer = links.length === 1 ? 'The only link of the pages answers.' : `All ${links.length} links of the pages answer.`;
    return [...emptyFooter, ...(findings.length > 0 ? findings : [ok(answer)])];
  },
};

const EMPTY_FOOTER = hint(
  'The footer is empty.',
  'Set IMPRINT_URL_DE, PRIVACY_URL_DE and the related settings: most sites are required to have these links.',
);

function toPages({ footer }: Config['app']): Link[] {
  return footer.flatMap(({ id, urls }) =>
    Object.entries(urls).map(([locale, url]) => ({ setting: `${id}_URL_${locale}`.toUpperCase(), url })),
  );
}

/** Lists the images that the look of the installation uses. */
export function toImages({
  logoUrl,
  logoDarkUrl,
  iconUrls,
  touchIconUrl,
}: Pick<Config['app'], 'logoUrl' | 'logoDarkUrl' | 'iconUrls' | 'touchIconUrl'>): { setting: string; url: string }[] {
  const urls = { LOGO_URL: logoUrl, LOGO_DARK_URL: logoDarkUrl, TOUCH_ICON_URL: touchIconUrl };
  return [
    ...Object.entries(urls).flatMap(([setting, url]) => (url === undefined ? [] : [{ setting, url }])),
    ...iconUrls.map((url) => ({ setting: 'ICON_URL', url })),
  ];
}

async function checkLink({ setting, url, isImage }: Link): Promise<Finding[]> {
  const fix = `Set ${setting} to an address that answers; ignore this if only this machine cannot reach it.`;
  try {
    const answer = await fetch(url, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    if (!answer.ok) return [hint(`${setting}, ${url}, answers with status ${answer.status}.`, fix)];
    const type = answer.headers.get('content-type') ?? '';
    if (isImage && !type.startsWith('image/'))
      return [
        hint(`${setting}, ${url}, is not an image (${type || 'no content type'}).`, `Set ${setting} to the address of an image.`),
      ];
    return [];
  } catch (error) {
    return [hint(`${setting}, ${url}, does not answer (${explainNetworkError(error)}).`, fix)];
  }
}
