/** Builds the operator console: one page, one script, one stylesheet, and the phrases of each language, below `/console/`. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Operators have current browsers: these are the oldest with native dialogs, popovers and everything else that is used. */
const BROWSERS = ['chrome114', 'edge114', 'firefox125', 'safari17', 'ios17'];

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: BROWSERS,
    cssTarget: BROWSERS,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
});
