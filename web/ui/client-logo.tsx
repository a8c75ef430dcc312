/** The logo of a client, loaded from the client's server. */
import { useRef, type ReactNode } from 'react';
import type { ClientState } from '../../src/contract/page-state.js';
import { useBrokenImage } from '../browser/broken-image.js';
import { ThemedImage } from './themed-image.js';

interface Props {
  client: Pick<ClientState, 'logo_url' | 'logo_dark_url'>;
  /** The largest ratio of width to height for which there is room. */
  widest?: number;
  /** Shown if the logo cannot be loaded or is too wide. */
  instead?: ReactNode;
}

export function ClientLogo({ client, widest, instead = null }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image, widest);
  return (
    <>
      <ThemedImage dark={client.logo_dark_url}>
        <img ref={image} className="logo" alt="" src={client.logo_url} referrerPolicy="no-referrer" hidden={broken} />
      </ThemedImage>
      {broken && instead}
    </>
  );
}
