/** The page with new recovery codes, shown once. */
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { ManagePages } from '../session/manage-pages.js';
import type { ManageContext } from '../session/manage-session.js';

export function buildNewCodesPage(pages: ManagePages, manageContext: ManageContext, codes: string[]): PageOutcome {
  const manage_recovery_codes = { error: null, left: codes.length, codes };
  return pages.buildPage(manageContext, {
    page: 'manage_recovery_codes',
    ...pages.buildFrame(manageContext),
    manage_recovery_codes,
  });
}
