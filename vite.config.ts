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

/**
 * Few requests: what pages share is one file, what only the account area and the second step share is another; each page
 * and each language is one more. The library for security keys comes when a key is asked for.
 */
const ACCOUNT =
  /\/web\/(ui\/account|browser\/calls)\/|\/contract\/(rpc|password-strength|area-state|mfa-fields)\.|\/styles\/account\.css/;
const APART = /\/pages\/|virtual:page-phrases\/|\.svg$|\/@simplewebauthn\//;
const CHUNKS = {
  groups: [
    // First, because a group takes what its modules import along.
    { name: 'client', test: (id: string) => !APART.test(id) && !ACCOUNT.test(id), priority: 1 },
    { name: 'account', test: ACCOUNT },
  ],
};

export default defineConfig(({ isSsrBuild, mode }) => ({
  root: 'web',
  // React's development build, which `npm start` would load otherwise, costs several times the CPU of a page.
  define: isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify(mode) } : {},
  ssr: { noExternal: ['react', 'react-dom', 'i18next', 'react-i18next', 'html-parse-stringify'] },
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
    // The server loads every page before its first answer, so one file is enough.
    rolldownOptions: isSsrBuild
      ? { output: { codeSplitting: false } }
      : { input: ['web/client.tsx', 'web/icon.svg'], output: { codeSplitting: CHUNKS } },
  },
}));
