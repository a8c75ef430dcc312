/** Tells whether an image could not be loaded, even if it failed before hydration. */
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

export function useBrokenImage(image: RefObject<HTMLImageElement | null>): boolean {
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let gone = false;
    image.current?.decode().catch(() => gone || setBroken(true));
    return () => {
      gone = true;
    };
  }, [image]);
  return broken;
}
