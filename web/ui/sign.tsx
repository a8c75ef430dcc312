/** The signpost: heading, and above it the app's logo or the doorway of an outcome, below it a quiet line. */
import { useRef } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientState } from '../../src/contract/page-state.js';
import { useArrival } from '../browser/arrival.js';
import type { MessageKey, Phrase } from '../i18n/phrase.js';
import { ClientLogo } from './client-logo.js';
import { BackIcon } from './icons.js';

export interface Outcome {
  tone?: 'danger' | 'warning' | 'success';
  Icon: ComponentType;
}

interface Props {
  heading: Phrase;
  /** The same words with elements among them. */
  marked?: ReactNode;
  client?: ClientState | undefined;
  outcome?: Outcome;
  /** The page above this one. */
  back?: { href: string; label: MessageKey };
  /** Title of the window, where a script puts this heading in the place of another. */
  arrivesAs?: string | null;
  children?: ReactNode;
}

export function Sign({ heading, marked, client, outcome, back, arrivesAs = null, children }: Props) {
  const { t } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  useArrival(arrivesAs, title);
  return (
    <div className="sign">
      {back && (
        <a className="back" href={back.href}>
          <BackIcon /> {t(back.label)}
        </a>
      )}
      {client?.logo_url && <ClientLogo url={client.logo_url} />}
      {outcome && (
        <div className={outcome.tone ? `niche ${outcome.tone}` : 'niche'}>
          <outcome.Icon />
        </div>
      )}
      <h1 ref={title} tabIndex={arrivesAs === null ? undefined : -1}>
        {marked ?? t(...heading)}
      </h1>
      {children}
    </div>
  );
}
