/** Reports, while a person types, whether a new password is common. The dictionary is loaded when the first character is typed. */
import { useEffect, useState } from 'react';
import { isCommonPassword, type CommonPasswords } from '../../src/contract/common-passwords.js';

/** `unknown` until the dictionary is loaded, and if it cannot be loaded. The server checks the password in any case. */
export type Commonness = 'common' | 'uncommon' | 'unknown';

export function useCommonness(password: string): Commonness {
  const [dictionary, setDictionary] = useState<CommonPasswords | null>(null);
  const isTyped = password !== '';
  useEffect(() => {
    if (!isTyped) return;
    import('./common-password-list.js').then(
      ({ default: list }) => setDictionary(new Set(list.split('\n'))),
      // The strength meter works without the dictionary.
      () => undefined,
    );
  }, [isTyped]);
  if (dictionary === null) return 'unknown';
  return isCommonPassword(password, dictionary) ? 'common' : 'uncommon';
}
