/** The signpost: heading, and above it the app's logo or the doorway of an outcome, below it a quiet line. */
import type { ComponentType, ReactNode } from 'react';
import type { ClientState } from '../../src/contract/page-state.js';
import type { Phrase } from '../phrases/phrase.js';
import { Say } from '../phrases/say.js';
import { ClientLogo } from './client-logo.js';

export interface Outcome {
  tone?: 'danger' | 'warning' | 'success';
  Icon: ComponentType;
}

interface Props {
  heading: Phrase;
  client?: ClientState | undefined;
  outcome?: Outcome;
  children?: ReactNode;
}

export function Sign({ heading, client, outcome, children }: Props) {
  return (
    <div className="sign">
      {client?.logo_url && <ClientLogo url={client.logo_url} />}
      {outcome && (
        <div className={outcome.tone ? `niche ${outcome.tone}` : 'niche'}>
          <outcome.Icon />
        </div>
      )}
      <h1>
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
