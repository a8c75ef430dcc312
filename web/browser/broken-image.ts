/**
 * Reports whether an image cannot be shown, because it could not be loaded (also before hydration) or because it is too wide.
 * @param maxRatio the largest allowed ratio of width to height
 */
import { useEffect, useState, type RefObject } from 'react';

export function useBrokenImage(image: RefObject<HTMLImageElement | null>, maxRatio = Infinity): boolean {
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    const { current } = image;
    const markBroken = () => isUnmounted || setBroken(true);
    current?.decode().then(() => current.naturalWidth <= maxRatio * current.naturalHeight || markBroken(), markBroken);
    return () => {
      isUnmounted = true;
    };
  }, [image, maxRatio]);
  return broken;
}
