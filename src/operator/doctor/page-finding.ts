/** Compares the page to which Hydra redirected with the page of Foyer that the settings of Hydra should name. */
import type { ConfiguredPage } from '../cli/init/upstream-pages.js';
import { describeDifference } from './address-difference.js';
import { fault, ok, type Finding } from './finding.js';

export interface PageComparison {
  page: ConfiguredPage;
  publicUrl: string;
  /** Address to which Hydra redirected; undefined if the test stopped earlier. */
  actual: string | undefined;
  isUnset: boolean;
  /** Builds the finding for a page that is not set: a hint or a fault. */
  toUnsetFinding: (what: string, fix: string) => Finding;
  /** What happens to people if the page is not set. */
  consequence: string;
}

/** Hydra puts the path of its public address before it. */
const FALLBACK = '/oauth2/fallbacks/';

/** Whether the address is a fallback page of Hydra, to which Hydra redirects if no page is set. */
export function isFallbackPage(address: string | undefined): boolean {
  return address !== undefined && new URL(address).pathname.includes(FALLBACK);
}

export function toPageFindings({ page, publicUrl, actual, isUnset, toUnsetFinding, consequence }: PageComparison): Finding[] {
  const { path, setting, key } = page;
  const expected = `${publicUrl}${path}`;
  if (actual === undefined) return [];
  if (actual === expected) return [ok(`${setting} of Hydra is ${expected}.`)];
  const fix = `Set ${setting} (urls.${key}) of Hydra to ${expected}, and restart Hydra.`;
  if (isUnset) return [toUnsetFinding(`${setting} of Hydra is not set: ${consequence}.`, fix)];
  return [fault(`${setting} of Hydra is ${actual}: ${describeDifference(actual, expected)}.`, fix)];
}
