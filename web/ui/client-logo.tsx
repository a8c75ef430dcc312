/** The logo of the app that asks, from the app's own server: it may be gone, and then nothing is better than a blank tile. */
import { useRef } from 'react';
import { useBrokenImage } from '../browser/broken-image.js';

export function ClientLogo({ url }: { url: string }) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image);
  return <img ref={image} className="logo" alt="" src={url} referrerPolicy="no-referrer" hidden={broken} />;
}
