/** The logo of the client, from the client's server. It is hidden if it cannot be loaded. */
import { useRef } from 'react';
import type { ClientState } from '../../src/contract/page-state.js';
import { useBrokenImage } from '../browser/broken-image.js';
import { InBothThemes } from './in-both-themes.js';

export function ClientLogo({ of }: { of: Pick<ClientState, 'logo_url' | 'logo_dark_url'> }) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image);
  return (
    <InBothThemes dark={of.logo_dark_url}>
      <img ref={image} className="logo" alt="" src={of.logo_url} referrerPolicy="no-referrer" hidden={broken} />
    </InBothThemes>
  );
}
