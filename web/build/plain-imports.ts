/**
 * Vite wraps every dynamic import in a function that preloads the dependencies of the chunk. The document already preloads all
 * of them, so this plugin replaces the function with the plain import, which is smaller.
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
