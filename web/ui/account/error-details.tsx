/** The facts about an error that support needs, in small print below the advice, with a button that copies them. */
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';
import { CopyButton } from './copy-button.js';
import '../../styles/account.css';

interface Fact {
  name: MessageKey;
  value: string;
  /** Language of the value, if it differs from the page. */
  lang?: string;
}

interface Props {
  /** Empty values are left out. */
  facts: readonly Fact[];
  /** Shown above the facts. */
  explanation?: string;
  children?: ReactNode;
}

export function ErrorDetails({ facts, explanation, children }: Props) {
  const { t } = useTranslation();
  const knownFacts = facts.filter(({ value }) => value !== '');
  if (knownFacts.length === 0 && !children) return null;
  return (
    <div className="error-details stack small quiet-text">
      {explanation !== undefined && <p>{explanation}</p>}
      {knownFacts.length > 0 && (
        <>
          <dl className="facts">
            {knownFacts.map(({ name, value, lang }) => (
              <Fragment key={name}>
                <dt>{t(name)}</dt>
                <dd>
                  <bdi lang={lang}>{value}</bdi>
                </dd>
              </Fragment>
            ))}
          </dl>
          <CopyButton value={knownFacts.map(({ name, value }) => `${t(name)}: ${value}`).join('\n')} label="facts.copy" />
        </>
      )}
      {children}
    </div>
  );
}
