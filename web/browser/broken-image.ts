/**
 * Tells whether an image cannot be shown: it could not be loaded, even before hydration, or is too wide for its place.
 * @param widest width for each height
 */
import { useEffect, useState, type RefObject } from 'react';

export function useBrokenImage(image: RefObject<HTMLImageElement | null>, widest = Infinity): boolean {
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let gone = false;
    const { current } = image;
    const broke = () => gone || setBroken(true);
    current?.decode().then(() => current.naturalWidth <= widest * current.naturalHeight || broke(), broke);
    return () => {
      gone = true;
    };
  }, [image, widest]);
  return broken;
}
