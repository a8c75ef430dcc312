import type { PageState } from '../../src/contract/page-state.js';

/** Pages whose heading is the error. */
const ABOUT_ERRORS: readonly string[] = ['oauth_error', 'server_error', 'manage_error'];
/** Codes that inform and do not mean that the input was wrong. */
const INFORMATION = /^cancelled$|\bstale$/;

/** Tells whether the page shows an error of a form that was sent. */
export function hasError(state: PageState): boolean {
  if (ABOUT_ERRORS.includes(state.page)) return false;
  const content: unknown = (state as unknown as Record<string, unknown>)[state.page];
  const error = typeof content === 'object' && content !== null && 'error' in content ? content.error : null;
  return typeof error === 'string' && error !== '' && !INFORMATION.test(error);
}

/** The title of the document: heading and name of the installation. */
export function windowTitle(heading: string, appName: string): string {
  // Removes the soft hyphens, which are only for narrow pages.
  return `${heading} · ${appName}`.replaceAll('\u00ad', '');
}
