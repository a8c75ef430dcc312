/**
 * Tells whether an image cannot be shown: it could not be loaded, even before hydration, or it is too wide.
 * @param widest the largest allowed ratio of width to height
 */
import { useEffect, useState, type RefObject } from 'react';

export function useBrokenImage(image: RefObject<HTMLImageElement | null>, widest = Infinity): boolean {
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let gone = false;
    const { current } = image;
    const markBroken = () => gone || setBroken(true);
    current?.decode().then(() => current.naturalWidth <= widest * current.naturalHeight || markBroken(), markBroken);
    return () => {
      gone = true;
    };
  }, [image, widest]);
  return broken;
}
