/**
 * The module hooks of Node for the sources of this project, for `registerHooks` and `register`: they resolve `.js` to the TypeScript
 * beside it, compile it, omit stylesheets, and give tests the globals of the test file that is running.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compiled-typescript.mjs';

const JEST_GLOBALS = new URL('./jest-globals.mjs', import.meta.url).href;
const NO_STYLES = 'data:text/javascript,';

export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  const isOwn = specifier.startsWith('.') && !context.parentURL?.includes('/node_modules/');
  if (isOwn && specifier.endsWith('.css')) return { url: NO_STYLES, shortCircuit: true };
  if (isOwn && specifier.endsWith('.js')) {
    for (const extension of ['.ts', '.tsx']) {
      const url = new URL(specifier.replace(/\.js$/, extension), context.parentURL);
      if (existsSync(fileURLToPath(url))) return { url: url.href, shortCircuit: true };
    }
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!/\.tsx?(\?|$)/.test(url)) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
}
