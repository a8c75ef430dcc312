/** The options that every instance of i18next shares, on the server and in the browser (I18-4). */
import type { InitOptions } from 'i18next';

/** The connector of i18next reads the limits of the backend from the same object. */
export const I18N_OPTIONS = {
  // Every language has all phrases, which is checked when it is read: another one would only be a second download.
  fallbackLng: false,
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
