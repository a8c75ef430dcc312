/** Recovery codes that were just made: shown this once, whichever page made them. */
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { ManagePages } from './manage-pages.js';
import type { ManageContext } from './manage-session.js';

export function newCodesPage(edge: ManagePages, current: ManageContext, codes: string[]): PageOutcome {
  const manage_recovery_codes = { error: null, left: codes.length, codes };
  return edge.page(current, { page: 'manage_recovery_codes', ...edge.frame(current), manage_recovery_codes });
}
