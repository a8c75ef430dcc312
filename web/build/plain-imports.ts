/**
 * Vite wraps every dynamic import in a loader that preloads what the chunk needs. Here the document itself names all of
 * it, so the loader is replaced by the bare import: less to send, and one thing less that can fail.
 */
const HELPER = '\0vite/preload-helper.js';

export function plainImports() {
  return {
    name: 'foyer:plain-imports',
    enforce: 'pre' as const,
    resolveId: (id: string) => (id === HELPER ? id : null),
    load: (id: string) => (id === HELPER ? 'export const __vitePreload = (load) => load();' : null),
  };
}
