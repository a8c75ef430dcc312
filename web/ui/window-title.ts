/** Builds the title of the document, and decides whether the title reports an error. */
import type { PageState } from '../../src/contract/page-state.js';

/** Pages whose heading is the error. */
const ERROR_PAGES: readonly string[] = ['oauth_error', 'server_error', 'manage_error'];
/** Codes that inform the person and do not report wrong input. */
const INFORMATION = /^(cancelled|changed|connect)$|\bstale$/;

/** @returns whether the page shows an error that its heading does not name */
export function hasError(state: PageState): boolean {
  if (ERROR_PAGES.includes(state.page)) return false;
  // The only form whose errors about empty fields have no code.
  if (state.page === 'login' && state.login.missing.length > 0) return true;
  const content: unknown = (state as unknown as Record<string, unknown>)[state.page];
  const error = typeof content === 'object' && content !== null && 'error' in content ? content.error : null;
  return typeof error === 'string' && error !== '' && !INFORMATION.test(error);
}

/** @returns the title of the document: the heading and the name of the installation */
export function buildWindowTitle(heading: string, appName: string): string {
  // Removes the soft hyphens, which are only for narrow pages.
  return `${heading} · ${appName}`.replaceAll('\u00ad', '');
}
