/** The logo of a client, loaded from the address in the client's settings. */
import { useRef, type ReactNode } from 'react';
import type { ClientState } from '../../src/contract/page-state.js';
import { useBrokenImage } from '../browser/broken-image.js';
import { ThemedImage } from './themed-image.js';

interface Props {
  client: Pick<ClientState, 'logo_url' | 'logo_dark_url'>;
  /** The largest allowed ratio of width to height. */
  maxRatio?: number;
  /** Shown if the logo cannot be loaded or is too wide. */
  fallback?: ReactNode;
}

export function ClientLogo({ client, maxRatio, fallback = null }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image, maxRatio);
  return (
    <>
      <ThemedImage darkUrl={client.logo_dark_url}>
        <img ref={image} className="logo" alt="" src={client.logo_url} referrerPolicy="no-referrer" hidden={broken} />
      </ThemedImage>
      {broken && fallback}
    </>
  );
}
