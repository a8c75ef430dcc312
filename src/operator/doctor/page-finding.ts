/** Compares the page to which Hydra redirected with the page of Foyer that its settings should name. */
import type { ConfiguredPage } from '../cli/init/upstream-pages.js';
import { describeDifference } from './address-difference.js';
import { fault, ok, type Finding } from './finding.js';

export interface SeenPage {
  page: ConfiguredPage;
  publicUrl: string;
  /** Address to which Hydra redirected; undefined if it did not get there. */
  found: string | undefined;
  isUnset: boolean;
  /** Builds the finding for a page that is not set: a hint or a fault. */
  unset: (what: string, fix: string) => Finding;
  /** What happens to people if the page is not set. */
  otherwise: string;
}

const FALLBACK = '/oauth2/fallbacks/';

/** Whether the address is a fallback page of Hydra, to which it redirects if no page is set. */
export function isFallbackPage(found: string | undefined): boolean {
  return found !== undefined && new URL(found).pathname.startsWith(FALLBACK);
}

export function toPageFindings({ page, publicUrl, found, isUnset, unset, otherwise }: SeenPage): Finding[] {
  const { path, setting, key } = page;
  const wanted = `${publicUrl}${path}`;
  if (found === undefined) return [];
  if (found === wanted) return [ok(`${setting} of Hydra is ${wanted}.`)];
  const fix = `Set ${setting} (urls.${key}) of Hydra to ${wanted}, and restart Hydra.`;
  if (isUnset) return [unset(`${setting} of Hydra is not set: ${otherwise}.`, fix)];
  return [fault(`${setting} of Hydra is ${found}: ${describeDifference(found, wanted)}.`, fix)];
}
