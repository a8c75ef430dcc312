/** The logo of the client, from the client's server. */
import { useRef, type ReactNode } from 'react';
import type { ClientState } from '../../src/contract/page-state.js';
import { useBrokenImage } from '../browser/broken-image.js';
import { InBothThemes } from './in-both-themes.js';

interface Props {
  of: Pick<ClientState, 'logo_url' | 'logo_dark_url'>;
  /** Width for each height that there is room for. */
  widest?: number;
  /** What is shown where the logo cannot be. */
  instead?: ReactNode;
}

export function ClientLogo({ of, widest, instead = null }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image, widest);
  return (
    <>
      <InBothThemes dark={of.logo_dark_url}>
        <img ref={image} className="logo" alt="" src={of.logo_url} referrerPolicy="no-referrer" hidden={broken} />
      </InBothThemes>
      {broken && instead}
    </>
  );
}
