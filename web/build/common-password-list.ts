/**
 * Creates a Vite plugin that replaces the module `web/browser/common-password-list.ts` with the text that the module exports, so that
 * browsers load about half as much. The server does not need the list and gets an empty text.
 */
import list from '../browser/common-password-list.js';

export function commonPasswordList() {
  return {
    name: 'foyer:common-password-list',
    load: (id: string, options?: { ssr?: boolean }) => {
      if (!id.endsWith('/web/browser/common-password-list.ts')) return null;
      return `export default ${JSON.stringify(options?.ssr ? '' : list)}`;
    },
  };
}
