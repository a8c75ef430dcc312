/** The signpost: heading, and above it the app's logo or the doorway of an outcome, below it a quiet line. */
import { useRef } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { ClientState } from '../../src/contract/page-state.js';
import { useArrival } from '../browser/arrival.js';
import type { MessageKey, Phrase } from '../phrases/phrase.js';
import { Say, usePhrases } from '../phrases/say.js';
import { ClientLogo } from './client-logo.js';
import { BackIcon } from './icons.js';

export interface Outcome {
  tone?: 'danger' | 'warning' | 'success';
  Icon: ComponentType;
}

interface Props {
  heading: Phrase;
  client?: ClientState | undefined;
  outcome?: Outcome;
  /** The page above this one. */
  back?: { href: string; label: MessageKey };
  /** Title of the window, where a script puts this heading in the place of another. */
  arrivesAs?: string | null;
  children?: ReactNode;
}

export function Sign({ heading, client, outcome, back, arrivesAs = null, children }: Props) {
  const { text } = usePhrases();
  const title = useRef<HTMLHeadingElement>(null);
  useArrival(arrivesAs, title);
  return (
    <div className="sign">
      {back && (
        <a className="back" href={back.href}>
          <BackIcon /> {text(back.label)}
        </a>
      )}
      {client?.logo_url && <ClientLogo url={client.logo_url} />}
      {outcome && (
        <div className={outcome.tone ? `niche ${outcome.tone}` : 'niche'}>
          <outcome.Icon />
        </div>
      )}
      <h1 ref={title} tabIndex={arrivesAs === null ? undefined : -1}>
        <Say phrase={heading} marks={HEADING_MARKS} />
      </h1>
      {children}
    </div>
  );
}

/** The way is quiet, the name is strong; `to` puts the name on a line of its own. */
const HEADING_MARKS = {
  to: (way: ReactNode) => <span className="to">{way}</span>,
  way: (way: ReactNode) => <span>{way}</span>,
};
