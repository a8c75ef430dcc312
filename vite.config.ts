/**
 * Two builds from one tree: the browser's (hashed files and a manifest for the gateway) and, with `--ssr`, the module
 * that renders pages on the server. The style of both is decided in `web/`; this file only says where things go.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { plainImports } from './web/build/plain-imports.js';
import { pagePhrases } from './web/build/page-phrases.js';

/** The oldest browsers that know `light-dark()` and relative colours; below them nothing is rewritten. */
const BROWSERS = ['chrome125', 'firefox128', 'safari18'];

/** Few requests: what pages share is one file; each page and each language is one more. */
const ONE_CHUNK_BUT_PAGES = {
  groups: [{ name: 'client', test: (id: string) => !/\/pages\/|virtual:page-phrases\/|\.svg$/.test(id) }],
};

export default defineConfig(({ isSsrBuild, mode }) => ({
  root: 'web',
  // React's development build, which `npm start` would load otherwise, costs several times the CPU of a page.
  define: isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify(mode) } : {},
  ssr: { noExternal: ['react', 'react-dom', 'i18next'] },
  publicDir: false,
  plugins: [react(), pagePhrases(), plainImports()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Not in `.vite/`: copies and static servers skip folders that begin with a dot.
    manifest: isSsrBuild ? false : 'manifest.json',
    // The server names what to preload (design.md, section 4), so the loader of Vite would only weigh.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: BROWSERS,
    cssTarget: BROWSERS,
    reportCompressedSize: false,
    rolldownOptions: isSsrBuild
      ? {}
      : { input: ['web/client.tsx', 'web/icon.svg'], output: { codeSplitting: ONE_CHUNK_BUT_PAGES } },
  },
}));
