/** One address of a page of Foyer in Hydra's settings, compared with the page to which Hydra redirected. */
import type { ConfiguredPage } from '../cli/init/upstream-pages.js';
import { addressDifference } from './address-difference.js';
import { fault, ok, type Finding } from './finding.js';

export interface SeenPage {
  page: ConfiguredPage;
  publicUrl: string;
  /** Undefined if it was not seen. */
  found: string | undefined;
  isUnset: boolean;
  /** The finding for an address that is not set. */
  unset: (what: string, fix: string) => Finding;
  /** What happens to people if it is not set. */
  otherwise: string;
}

const FALLBACK = '/oauth2/fallbacks/';

/** Without an address Hydra redirects to a page of its own. */
export function isHydrasOwn(found: string | undefined): boolean {
  return found !== undefined && new URL(found).pathname.startsWith(FALLBACK);
}

export function pageFinding({ page, publicUrl, found, isUnset, unset, otherwise }: SeenPage): Finding[] {
  const { path, setting, key } = page;
  const wanted = `${publicUrl}${path}`;
  if (found === undefined) return [];
  if (found === wanted) return [ok(`${setting} leads to ${wanted}.`)];
  const fix = `Set ${setting} (urls.${key}) of Hydra to ${wanted} and restart it.`;
  if (isUnset) return [unset(`${setting} of Hydra is not set: ${otherwise}.`, fix)];
  return [fault(`${setting} of Hydra leads to ${found}: ${addressDifference(found, wanted)}.`, fix)];
}
