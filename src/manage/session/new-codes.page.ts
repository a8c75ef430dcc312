/** Recovery codes that were just made: shown this once, whichever page made them. */
import type { PageOutcome } from '../../gateway/outcome.js';
import type { AreaEdge } from './area-edge.js';
import type { Guest } from './guest.js';

export function newCodesPage(edge: AreaEdge, guest: Guest, codes: string[]): PageOutcome {
  const manage_recovery_codes = { error: null, left: codes.length, codes };
  return edge.page(guest, { page: 'manage_recovery_codes', ...edge.frame(guest), manage_recovery_codes });
}
