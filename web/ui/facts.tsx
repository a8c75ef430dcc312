/** Codes for operators, in small print. Empty values are left out. */
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../i18n/phrase.js';

interface Fact {
  name: MessageKey;
  value: string;
  /** Language of the value, if it differs from the page. */
  lang?: string;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  const { t } = useTranslation();
  const known = facts.filter(({ value }) => value !== '');
  if (known.length === 0) return null;
  return (
    <dl className="facts">
      {known.map(({ name, value, lang }) => (
        <Fragment key={name}>
          <dt>{t(name)}</dt>
          <dd lang={lang}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
