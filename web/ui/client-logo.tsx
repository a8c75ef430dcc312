/** The logo of the client, from the client's server. It is hidden if it cannot be loaded. */
import { useRef } from 'react';
import { useBrokenImage } from '../browser/broken-image.js';

export function ClientLogo({ url }: { url: string }) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image);
  return <img ref={image} className="logo" alt="" src={url} referrerPolicy="no-referrer" hidden={broken} />;
}
