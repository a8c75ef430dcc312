/**
 * Two builds from one tree: the browser's (hashed files and a manifest for the gateway) and, with `--ssr`, the module
 * that renders pages on the server. Their entry points are in `web/`.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { commonPasswordList } from './web/build/common-password-list.js';
import { plainImports } from './web/build/plain-imports.js';
import { smallerScripts } from './web/build/smaller-scripts.js';

/** The oldest browsers in which the pages work and look right (`docs/browsers.md`). Styles are rewritten for them. */
const STYLED_BROWSERS = ['chrome73', 'edge79', 'firefox68', 'safari12.1', 'ios12.2'];
/** The oldest browsers that run the script. Older browsers cannot parse it, and use plain forms. */
const SCRIPTED_BROWSERS = ['chrome85', 'edge85', 'firefox79', 'safari14', 'ios14'];

/**
 * Few chunks, so that few requests are needed: one for the code that all pages share, one for the code that the account area, the
 * second step and some other pages share, and one for each page. The gateway serves the phrases. The library for security keys, the
 * calls to browsers about passkeys, the work before a mail and the list of common passwords are loaded on demand. Helpers of the
 * compiler (`@oxc-project`) are in the files that use them.
 */
const ACCOUNT_MODULES =
  /\/web\/(ui\/account|factors|browser\/calls)\/|\/browser\/(copy|print|typed-fields)\.|\/common-passwords\.|\/contract\/(manage-data-state|rpc|factor-paths|folded-text|password-strength|mfa-fields|registration-state|task-state)\.|\/styles\/account\.css/;
const SEPARATE_MODULES =
  /\/pages\/|\/browser\/(passkeys?[./]|mail-work\.)|\/contract\/oauth-errors\.|\.svg$|\/(@simplewebauthn|altcha-lib)\/|@oxc-project|\/common-password-list\./;
const CHUNKS = {
  groups: [
    // The first group, because a group also includes the modules that its modules import.
    { name: 'client', test: (id: string) => !SEPARATE_MODULES.test(id) && !ACCOUNT_MODULES.test(id), priority: 1 },
    { name: 'account', test: ACCOUNT_MODULES },
  ],
};

/** The script of all pages names every chunk, and hashes cannot be compressed. 36 bits tell the versions of one file apart. */
const FILE_NAMES = {
  entryFileNames: 'assets/[name]-[hash:6].js',
  chunkFileNames: 'assets/[name]-[hash:6].js',
  assetFileNames: 'assets/[name]-[hash:6][extname]',
};

export default defineConfig(({ isSsrBuild, mode }) => ({
  root: 'web',
  // Otherwise `npm start` would load the development build of React, which needs several times the CPU time.
  define: isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify(mode) } : {},
  ssr: { noExternal: ['react', 'react-dom', 'i18next', 'react-i18next', 'html-parse-stringify'] },
  publicDir: false,
  plugins: [react(), commonPasswordList(), plainImports(), smallerScripts()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Not in `.vite/`: some copy tools and static servers skip folders that begin with a dot.
    manifest: isSsrBuild ? false : 'manifest.json',
    // The server lists the files to preload, so the loader of Vite is not needed.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: SCRIPTED_BROWSERS,
    cssTarget: STYLED_BROWSERS,
    reportCompressedSize: false,
    // The server loads every page before its first answer, so one file is enough.
    rolldownOptions: isSsrBuild
      ? { output: { codeSplitting: false } }
      : { input: ['web/client.tsx', 'web/icon.svg'], output: { codeSplitting: CHUNKS, ...FILE_NAMES } },
  },
}));
