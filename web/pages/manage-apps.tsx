/** The apps that have access to the account, with plain forms that revoke the access or single scopes. */
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { ManagedAppState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { REQUIRED_SCOPE, SAME_PERMISSION } from '../../src/contract/scopes.js';
import { Isolated } from '../i18n/isolated.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase } from '../i18n/phrase.js';
import { QuestionButton } from '../ui/account/question-button.js';
import { DOT, formatLongDate } from '../ui/account/dates.js';
import { AppIcon } from '../ui/account/icons.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
import { Moment } from '../ui/account/moment.js';
import { ClientLogo } from '../ui/client-logo.js';
import { Disclosure } from '../ui/account/disclosure.js';
import { RowAction } from '../ui/account/row-action.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { SCOPE_TITLES } from '../ui/scope-titles.js';

export const heading = (_: PageOf<'manage_apps'>) => phrase('manage_apps.heading');

export function Page({ state }: { state: PageOf<'manage_apps'> }) {
  const { t } = useTranslation();
  const { apps, incomplete } = state.manage_apps;
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        <p>{t(apps.length > 0 ? 'manage_apps.text' : 'manage_apps.none')}</p>
      </Heading>
      <LastChange frame={state} />
      {apps.length > 0 && (
        <ul className="rows">
          {apps.map((app) => (
            <App key={app.id} state={state} app={app} />
          ))}
        </ul>
      )}
      {apps.length > 1 && (
        <QuestionButton
          action={PATHS.manageApps}
          hidden={toHiddenFields(state)}
          label={t('manage_apps.remove_all')}
          question={t('manage_apps.remove_all_question')}
          submitLabel="manage_apps.remove_all_now"
        />
      )}
      {incomplete && <p className="quiet-text small">{t('manage_apps.incomplete')}</p>}
      {apps.length > 0 && <p className="quiet-text small">{t('manage_apps.tokens')}</p>}
    </div>
  );
}

function App({ state, app }: { state: PageOf<'manage_apps'>; app: ManagedAppState }) {
  const { t } = useTranslation();
  const hasShownName = app.scopes.some(({ id }) => id === SAME_PERMISSION.name);
  const scopes = app.scopes.filter(({ id }) => !(hasShownName && id === SAME_PERMISSION.olderName));
  const titledScopes = scopes.map(({ id, title }) => {
    const words = SCOPE_TITLES[id];
    return { id, title: title ?? (words ? t(words) : id) };
  });
  const optionalScopes = titledScopes.filter(({ id }) => id !== REQUIRED_SCOPE);
  const hidden = { ...toHiddenFields(state), [FIELDS.key]: app.id };
  return (
    <li className="row">
      <span className="tile app">
        {app.logo_url === undefined ? <AppIcon /> : <ClientLogo client={app} maxRatio={2} fallback={<AppIcon />} />}
      </span>
      <span className="what">
        <b>
          <Isolated text={app.name} />
        </b>
        <small>
          {titledScopes.map(({ id, title }, index) => (
            <Fragment key={id}>
              {index > 0 && DOT}
              <Isolated text={title} />
            </Fragment>
          ))}
        </small>
        {app.granted_at !== null && (
          <small>{t('manage_apps.since', { day: formatLongDate(app.granted_at, t('language.dates')) })}</small>
        )}
        {app.last_used_at !== null && (
          <small>
            <MarkedPhrase i18nKey="manage_apps.last" components={{ time: <Moment iso={app.last_used_at} withYear /> }} />
          </small>
        )}
      </span>
      <RowAction
        action={PATHS.manageApps}
        hidden={hidden}
        label={t('manage_apps.remove')}
        name={t('manage_apps.remove_name', { name: app.name })}
      >
        {!app.trusted && optionalScopes.length > 0 && <Narrowing hidden={hidden} name={app.name} scopes={optionalScopes} />}
      </RowAction>
    </li>
  );
}

interface NarrowingProps {
  hidden: Readonly<Record<string, string>>;
  /** Name of the app. */
  name: string;
  scopes: readonly { id: string; title: string }[];
}

/** The form that revokes single scopes: the scopes that are not ticked. */
function Narrowing({ hidden, name, scopes }: NarrowingProps) {
  const { t } = useTranslation();
  return (
    <Disclosure className="btn compact" summary={t('manage_apps.narrow')} name={t('manage_apps.narrow_name', { name })}>
      <Form className="stack" action={PATHS.manageAppScopes} hidden={hidden}>
        <p className="small">{t('manage_apps.narrow_text')}</p>
        <div>
          {scopes.map(({ id, title }) => (
            <label key={id} className="check">
              <input type="checkbox" name={FIELDS.scopes} value={id} defaultChecked /> <Isolated text={title} />
            </label>
          ))}
        </div>
        <div className="actions">
          <SubmitButton className="compact" label={t('manage_apps.narrow_now')} busyLabel={t('app.one_moment')} />
        </div>
      </Form>
    </Disclosure>
  );
}
