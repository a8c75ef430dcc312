/**
 * A Vite plugin that puts the text of `web/browser/common-password-list.ts` in place of the module, so that browsers load
 * about half as much. The server never shows it and gets none.
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
