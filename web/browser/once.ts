/** Something that a page does by itself, once, when it has come to life. */
import { useEffect, useEffectEvent } from 'react';

export function useOnce(act: () => void): void {
  const begin = useEffectEvent(act);
  useEffect(() => begin(), []);
}
