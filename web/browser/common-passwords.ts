/** Tells while somebody types whether a new password is common. The dictionary is loaded with the first character. */
import { useEffect, useState } from 'react';
import { isCommonPassword, type CommonPasswords } from '../../src/contract/common-passwords.js';

/** `unknown` while the dictionary is not loaded, or if it cannot be: the server checks the password again. */
export type Commonness = 'common' | 'uncommon' | 'unknown';

export function useCommonness(password: string): Commonness {
  const [dictionary, setDictionary] = useState<CommonPasswords | null>(null);
  const isTyped = password !== '';
  useEffect(() => {
    if (!isTyped) return;
    import('./common-password-list.js').then(
      ({ default: list }) => setDictionary(new Set(list.split('\n'))),
      // The meter works without it.
      () => undefined,
    );
  }, [isTyped]);
  if (dictionary === null) return 'unknown';
  return isCommonPassword(password, dictionary) ? 'common' : 'uncommon';
}
