/** Where somebody comes back to after connecting a provider: the area, or an app that may be linked anyway (GEN-6, S-17). */
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { webUrl } from '../../hydra/client-links.js';

interface Allowed {
  config: Pick<Config, 'publicUrl' | 'app'>;
  /** The app that this session came from, as it was checked then. */
  returnTo: { url: string } | null;
}

/** @returns a path of the area or an absolute address; the area's first page for whatever is not allowed */
export function returnAddress(wanted: string, { config, returnTo }: Allowed): string {
  const given = webUrl(wanted.startsWith('/') ? `${config.publicUrl}${wanted}` : wanted);
  if (given === undefined) return PATHS.manage;
  const url = new URL(given);
  if (url.origin === new URL(config.publicUrl).origin) {
    const isInManageSession = url.pathname === PATHS.manage || url.pathname.startsWith(`${PATHS.manage}/`);
    return isInManageSession ? `${url.pathname}${url.search}${url.hash}` : PATHS.manage;
  }
  const origins = [...config.app.returnOrigins, ...(returnTo ? [returnTo.url] : [])].map((address) => webUrl(address));
  return origins.some((origin) => origin !== undefined && new URL(origin).origin === url.origin) ? given : PATHS.manage;
}
