/** The name under which the build knows a page's phrases in one language. */
import type { PageName } from '../../src/contract/page-state.js';

export function phrasesModule(locale: string, page: PageName): string {
  return `virtual:page-phrases/${locale}-${page.replaceAll('_', '-')}`;
}
