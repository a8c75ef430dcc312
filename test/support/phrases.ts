/**
 * `locales/phrases.ts` for jest. That module has a top-level await, and jest 30 loads every module of a graph with one
 * several times: three times as many modules, and a fifth of the CPU of a run.
 */
import { createRequire } from 'node:module';
import type { Phrases } from '../../locales/phrases.js';
import { LOCALES } from '../../src/contract/locale.js';
import type { Locale } from '../../src/contract/locale.js';

const read = createRequire(import.meta.url);

export const PHRASES = Object.fromEntries(
  LOCALES.map((locale) => [locale, read(`../../locales/${locale}.json`) as Phrases]),
) as Readonly<Record<Locale, Phrases>>;
