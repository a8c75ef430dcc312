/** The phrases of the browser's i18next, again after each change of language. */
import type { i18n as I18n } from 'i18next';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { isLocale } from '../../src/contract/locale.js';
import type { Locale } from '../../src/contract/locale.js';
import { phrasesOf } from '../phrases/phrases.js';
import type { Phrases } from '../phrases/phrases.js';

/** @param rendered the language of the server's markup; hydration speaks it even when the change comes at once */
export function useLivePhrases(i18n: I18n, rendered: Locale): Phrases {
  const subscribe = useCallback(
    (changed: () => void) => {
      i18n.on('languageChanged', changed);
      return () => i18n.off('languageChanged', changed);
    },
    [i18n],
  );
  const current = useSyncExternalStore(
    subscribe,
    () => (isLocale(i18n.language) ? i18n.language : rendered),
    () => rendered,
  );
  return useMemo(() => phrasesOf(i18n, current), [i18n, current]);
}
