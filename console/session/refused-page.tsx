/** The page that states why the sign-in to the console was refused, and what to do. */
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';
import { PlainPage } from '../shell/plain-page.js';
import { PageHeading } from '../ui/page-heading.js';
import { PATHS, buildSignInUrl } from './session.js';

const route = getRouteApi('/refused');

const REASONS: Readonly<Record<string, readonly [title: PhraseKey, text: PhraseKey]>> = {
  not_operator: ['refused.not_operator', 'refused.not_operator_text'],
  second_factor: ['refused.second_factor', 'refused.second_factor_text'],
  expired: ['refused.expired', 'refused.expired_text'],
  other_person: ['refused.other_person', 'refused.other_person_text'],
  unavailable: ['refused.unavailable', 'refused.unavailable_text'],
  denied: ['refused.denied', 'refused.denied_text'],
};

export function RefusedPage() {
  const { t } = useTranslation();
  const { reason = '', request } = route.useSearch();
  const [title, text] = (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined) ?? ['refused.other', 'refused.other_text'];
  return (
    <PlainPage>
      <PageHeading title={t(title)} />
      <p>{t(text)}</p>
      <a className="button primary" href={buildSignInUrl(`${PATHS.base}/`)}>
        {t(reason === 'not_operator' ? 'refused.other_account' : 'refused.again')}
      </a>
      {request && (
        <p className="muted small">
          {t('fault.request')} <code>{request}</code>
        </p>
      )}
    </PlainPage>
  );
}
