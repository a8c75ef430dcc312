/** Recovery codes that were just made: shown this once, whichever page made them. */
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { AreaEdge } from './manage-pages.js';
import type { Guest } from './manage-session.js';

export function newCodesPage(edge: AreaEdge, guest: Guest, codes: string[]): PageOutcome {
  const manage_recovery_codes = { error: null, left: codes.length, codes };
  return edge.page(guest, { page: 'manage_recovery_codes', ...edge.frame(guest), manage_recovery_codes });
}
