/** Compares the page to which Hydra redirected with the page of Foyer that the settings of Hydra should name. */
import type { ConfiguredPage } from '../cli/init/upstream-pages.js';
import { describeDifference } from './address-difference.js';
import { fault, ok, type Finding } from './finding.js';

export interface SeenPage {
  page: ConfiguredPage;
  publicUrl: string;
  /** Address to which Hydra redirected; undefined if the test stopped earlier. */
  found: string | undefined;
  isUnset: boolean;
  /** Builds the finding for a page that is not set: a hint or a fault. */
  toUnsetFinding: (what: string, fix: string) => Finding;
  /** What happens to people if the page is not set. */
  consequence: string;
}

const FALLBACK = '/oauth2/fallbacks/';

/** Whether the address is a fallback page of Hydra, to which it redirects if no page is set. */
export function isFallbackPage(found: string | undefined): boolean {
  return found !== undefined && new URL(found).pathname.startsWith(FALLBACK);
}

export function toPageFindings({ page, publicUrl, found, isUnset, toUnsetFinding, consequence }: SeenPage): Finding[] {
  const { path, setting, key } = page;
  const wanted = `${publicUrl}${path}`;
  if (found === undefined) return [];
  if (found === wanted) return [ok(`${setting} of Hydra is ${wanted}.`)];
  const fix = `Set ${setting} (urls.${key}) of Hydra to ${wanted}, and restart Hydra.`;
  if (isUnset) return [toUnsetFinding(`${setting} of Hydra is not set: ${consequence}.`, fix)];
  return [fault(`${setting} of Hydra is ${found}: ${describeDifference(found, wanted)}.`, fix)];
}
