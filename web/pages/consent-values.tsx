/** Shows the current values that the app would receive for the requested scopes, in a list that opens without script. */
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimState, ScopeState } from '../../src/contract/page-state.js';
import { Isolated } from '../i18n/isolated.js';
import type { MessageKey } from '../i18n/phrase.js';

const TITLES = new Map<string, MessageKey>([
  ['name', 'claim.name'],
  ['preferred_username', 'claim.preferred_username'],
  ['picture', 'claim.picture'],
  ['locale', 'claim.locale'],
  ['updated_at', 'claim.updated_at'],
  ['given_name', 'claim.given_name'],
  ['family_name', 'claim.family_name'],
  ['middle_name', 'claim.middle_name'],
  ['nickname', 'claim.nickname'],
  ['profile', 'claim.profile'],
  ['website', 'claim.website'],
  ['gender', 'claim.gender'],
  ['birthdate', 'claim.birthdate'],
  ['zoneinfo', 'claim.zoneinfo'],
  ['email', 'claim.email'],
  ['email_verified', 'claim.email_verified'],
  ['address', 'claim.address'],
  ['phone_number', 'claim.phone_number'],
  ['phone_number_verified', 'claim.phone_number_verified'],
  ['groups', 'claim.groups'],
]);

export function ConsentValues({ scopes }: { scopes: readonly ScopeState[] }) {
  const { t } = useTranslation();
  const values = new Map(scopes.flatMap(({ values = [] }) => values.map((value) => [value.claim, value])));
  if (values.size === 0) return null;
  return (
    <details className="small unfolds">
      <summary>{t('consent.values')}</summary>
      <div className="stack">
        <dl className="facts">
          {[...values.values()].map((value) => (
            <Fragment key={value.claim}>
              <dt>
                <Title claim={value} />
              </dt>
              <dd>
                {typeof value.value === 'string' ? <Isolated text={value.value} /> : t(value.value ? 'claim.yes' : 'claim.no')}
              </dd>
            </Fragment>
          ))}
        </dl>
        <p className="quiet-text">{t('consent.values_about')}</p>
      </div>
    </details>
  );
}

/** A title of the installation has priority over the built-in title. A claim without any title is shown under its name. */
function Title({ claim: { claim, title } }: { claim: ClaimState }) {
  const { t } = useTranslation();
  const key = TITLES.get(claim);
  return <>{title ?? (key ? t(key) : claim)}</>;
}
