/**
 * The return address after connecting a provider: a page of the account area, or an app to which pages may link (GEN-6, S-17).
 */
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { toWebUrl } from '../../hydra/client-links.js';

interface ReturnOptions {
  config: Pick<Config, 'publicUrl' | 'app'>;
  /** The app that opened this session. Its address was validated then. */
  returnTo: { url: string } | null;
}

/** @returns a path of the account area or an absolute address; the overview if the address is not allowed */
export function toReturnAddress(returnUrl: string, { config, returnTo }: ReturnOptions): string {
  const absoluteUrl = toWebUrl(returnUrl.startsWith('/') ? `${config.publicUrl}${returnUrl}` : returnUrl);
  if (absoluteUrl === undefined) return PATHS.manage;
  const url = new URL(absoluteUrl);
  if (url.origin === new URL(config.publicUrl).origin) {
    const isInManage = url.pathname === PATHS.manage || url.pathname.startsWith(`${PATHS.manage}/`);
    return isInManage ? `${url.pathname}${url.search}${url.hash}` : PATHS.manage;
  }
  const origins = [...config.app.returnOrigins, ...(returnTo ? [returnTo.url] : [])].map((address) => toWebUrl(address));
  return origins.some((origin) => origin !== undefined && new URL(origin).origin === url.origin) ? absoluteUrl : PATHS.manage;
}
