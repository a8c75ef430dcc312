/** The options that every instance of i18next shares, on the server and in the browser (I18-4). */
import type { InitOptions } from 'i18next';
import { FALLBACK_LOCALE, LOCALES } from '../../src/contract/locale.js';

/** The connector of i18next reads the limits of the backend from the same object. */
export const I18N_OPTIONS = {
  supportedLngs: [...LOCALES],
  fallbackLng: FALLBACK_LOCALE,
  load: 'currentOnly',
  // Keys are flat: a dot or a colon in one is part of its name.
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  // React escapes. A value that looks like a variable or a nested key stays text.
  interpolation: { escapeValue: false, skipOnVariables: true },
  // A page is hydrated only after its phrases are loaded.
  react: { useSuspense: false },
  maxParallelReads: 10,
  maxRetries: 5,
  retryTimeout: 350,
} satisfies InitOptions;
