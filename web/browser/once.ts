/** Runs an action once after hydration. */
import { useEffect, useEffectEvent } from 'react';

export function useOnce(act: () => void): void {
  const begin = useEffectEvent(act);
  useEffect(() => begin(), []);
}
