/** The options that every instance of i18next shares, on the server and in the browser (I18-4). */
import type { InitOptions } from 'i18next';

/** The connector of i18next reads `maxParallelReads`, `maxRetries` and `retryTimeout` from the same object. */
export const I18N_OPTIONS = {
  // Every language has all phrases: English ones replace those that a file of LOCALES_DIR lacks. A fallback language would only be
  // a second download.
  fallbackLng: false,
  load: 'currentOnly',
  // Keys are flat: a dot or a colon is part of the key.
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  // React escapes values. A value that looks like a variable or a nested key stays text.
  interpolation: { escapeValue: false, skipOnVariables: true },
  // A page is hydrated only after its phrases are loaded.
  react: { useSuspense: false },
  maxParallelReads: 10,
  maxRetries: 5,
  retryTimeout: 350,
} satisfies InitOptions;
