/** The page "confirm that it is you", before a change that needs a fresh proof (MAN-14) or a page that needs a sign-in. */
import type { ManageConfirmState } from '../../contract/manage-state.js';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { PageOptions, PageOutcome } from '../../gateway/page/outcome.js';
import { buildPaths } from '../../mfa/registry.js';
import type { ManagePages } from './manage-pages.js';
import type { ManageContext } from './manage-session.js';
import { defined } from '../../config/defined.js';

export interface Confirmation {
  methods: ManageConfirmState['methods'];
  mail?: ManageConfirmState['mail'];
  factor?: ManageConfirmState['factor'];
  method: string;
  next: string;
  error?: ManageConfirmState['error'];
  options: PageOptions;
}

const NEXT_PATHS: readonly string[] = [
  PATHS.manage,
  PATHS.manageMfa,
  ...buildPaths(FACTOR_PATHS.register),
  ...buildPaths(FACTOR_PATHS.replace),
  PATHS.manageRecoveryCodes,
  PATHS.managePassword,
  PATHS.manageUsername,
  PATHS.manageDeletion,
  PATHS.manageData,
  PATHS.manageEmail,
  PATHS.manageEmailCode,
  PATHS.manageDevices,
  PATHS.manageApps,
  PATHS.manageActivity,
];

const SEALED_TEXT = /^[\w-]{1,900}$/;

export function buildConfirmPage(pages: ManagePages, manageContext: ManageContext, confirmation: Confirmation): PageOutcome {
  const { methods, mail, factor, method, next, error = null, options } = confirmation;
  const { retryAfterSeconds } = options;
  const manage_confirm: ManageConfirmState = {
    error,
    methods,
    method,
    next,
    ...(mail ? { mail } : {}),
    ...(factor ? { factor } : {}),
    ...defined({ retry_after: retryAfterSeconds }),
  };
  return pages.buildPage(manageContext, { page: 'manage_confirm', ...pages.buildFrame(manageContext), manage_confirm }, options);
}

/** @returns the path of a known page of the account area, with its sealed text; the overview for any other address */
export function toNextPath(url: string | undefined): string {
  const [path, sealedText] = (url ?? '').split(`?${MANAGE_QUERY.kept}=`);
  const knownPath = NEXT_PATHS.find((nextPath) => nextPath === path);
  if (knownPath === undefined || sealedText === undefined) return knownPath ?? PATHS.manage;
  return SEALED_TEXT.test(sealedText) ? `${knownPath}?${MANAGE_QUERY.kept}=${sealedText}` : knownPath;
}
