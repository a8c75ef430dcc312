/** The browsers in which no second factor is asked for, and the buttons that end it: plain forms. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { TrustedBrowserState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { longDate } from '../ui/account/dates.js';
import { BrowserIcon } from '../ui/account/icons.js';
import { hiddenOf } from '../ui/account/manage-frame.js';
import { RowAction } from '../ui/account/row-action.js';
import { Form, SubmitButton } from '../ui/form.js';

interface Props {
  state: PageOf<'manage_mfa'>;
  browsers: readonly TrustedBrowserState[];
}

export function TrustedBrowsers({ state, browsers }: Props) {
  const { t } = useTranslation();
  return (
    <section className="panel">
      <h2>{t('manage_mfa.trusted')}</h2>
      <div>
        <p className="quiet-text small">{t('manage_mfa.trusted_text')}</p>
        <ul className="rows">
          {browsers.map((browser) => (
            <TrustedBrowser key={browser.id} state={state} browser={browser} />
          ))}
        </ul>
        {browsers.length > 1 && (
          <Form action={PATHS.manageTrustedBrowsers} hidden={hiddenOf(state)}>
            <SubmitButton look="compact" label={t('manage_mfa.trusted_end_all')} busyLabel={t('app.one_moment')} />
          </Form>
        )}
      </div>
    </section>
  );
}

function TrustedBrowser({ state, browser }: { state: Props['state']; browser: TrustedBrowserState }) {
  const { t, i18n } = useTranslation();
  const name = browser.name ?? t('manage_mfa.trusted_unknown');
  const day = (moment: string) => ({ day: longDate(moment, i18n.language) });
  return (
    <li className="row">
      <BrowserIcon />
      <span className="what">
        <b>
          {name} {browser.is_this && <span className="tag success">{t('manage_mfa.trusted_this')}</span>}
        </b>
        <small>{t('manage_mfa.used', day(browser.last_used_at))}</small>
        <small>{t('manage_mfa.trusted_until', day(browser.expires_at))}</small>
      </span>
      <RowAction
        action={PATHS.manageTrustedBrowsers}
        hidden={{ ...hiddenOf(state), [FIELDS.key]: browser.id }}
        label={t('manage_mfa.trusted_end')}
        name={t('manage_mfa.trusted_end_name', { name })}
      />
    </li>
  );
}
