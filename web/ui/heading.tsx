/** The heading of a page, with the logo of the client or the icon of a result above it and a text below it. */
import { useRef, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientState } from '../../src/contract/page-state.js';
import { useViewChange } from '../browser/view-change.js';
import type { MessageKey, Phrase } from '../i18n/phrase.js';
import { ClientLogo } from './client-logo.js';
import { BackIcon } from './icons.js';

export interface Outcome {
  tone?: 'danger' | 'warning' | 'success';
  Icon: ComponentType;
}

interface Props {
  heading: Phrase;
  /** The heading as elements, to be shown in place of the plain text. */
  markedHeading?: ReactNode;
  client?: ClientState | undefined;
  outcome?: Outcome;
  /** Link to the previous or the parent page. The link is above the heading. */
  backLink?: { href: string; label: MessageKey } | undefined;
  /** Title of the document if a script shows this heading in place of another one. */
  newTitle?: string | null;
  children?: ReactNode;
}

export function Heading({ heading, markedHeading, client, outcome, backLink, newTitle = null, children }: Props) {
  const { t } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  useViewChange(newTitle, title);
  return (
    <div className="heading">
      {backLink && (
        <a className="back" href={backLink.href}>
          <BackIcon /> {t(backLink.label)}
        </a>
      )}
      {client?.logo_url && <ClientLogo client={client} />}
      {outcome && (
        <div className={outcome.tone ? `outcome ${outcome.tone}` : 'outcome'}>
          <outcome.Icon />
        </div>
      )}
      <h1 ref={title} tabIndex={newTitle === null ? undefined : -1}>
        {markedHeading ?? t(...heading)}
      </h1>
      {children}
    </div>
  );
}
