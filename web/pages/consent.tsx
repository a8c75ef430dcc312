/** The consent page: the person allows or denies the scopes that an app requests (CON-1 … 7). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { Form, SubmitButton } from '../ui/form.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';
import { ClientPolicy } from '../ui/client-policy.js';
import { Notice } from '../ui/notice.js';
import { ConsentAlert } from './consent-alert.js';
import { ConsentScopes } from './consent-scopes.js';
import { ConsentValues } from './consent-values.js';

export function heading({ consent: { client, error } }: PageOf<'consent'>) {
  if (client.name) return phrase('consent.heading', { client: client.name });
  return phrase(error === 'failed' ? 'consent.heading_broken' : 'consent.heading_unnamed');
}

/** The heading, in which the name of the app is emphasized. */
function MarkedHeading({ state: { consent } }: { state: PageOf<'consent'> }) {
  const { name } = consent.client;
  const way = <span />;
  if (name) return <MarkedPhrase i18nKey="consent.heading_marked" components={{ client: <Isolated text={name} />, way }} />;
  if (consent.error === 'failed') return <MarkedPhrase i18nKey="consent.heading_broken" />;
  return <MarkedPhrase i18nKey="consent.heading_unnamed_marked" components={{ way }} />;
}

export function Page({ state }: { state: PageOf<'consent'> }) {
  const { consent, app } = state;
  const hidden = {
    [FIELDS.consentChallenge]: consent.consent_challenge,
    [FIELDS.xsrf]: consent.xsrf_token,
    [FIELDS.ticket]: consent.ticket,
  };
  const top = (
    <>
      <Heading heading={heading(state)} markedHeading={<MarkedHeading state={state} />} client={consent.client} />
      <ConsentAlert consent={consent} app={app} />
    </>
  );

  if (consent.error === 'failed') {
    return (
      <div className="flow">
        {top}
        {consent.redirect_uri && <RefusalLink url={consent.redirect_uri} label="app.back" />}
      </div>
    );
  }
  if (consent.error === 'invalid-scope-requested') {
    return (
      <Form className="flow" action={PATHS.consentReject} hidden={hidden}>
        {top}
        <BackToApp state={state} />
      </Form>
    );
  }
  return (
    <Form className="flow" action={PATHS.consentAccept} hidden={hidden}>
      {top}
      {consent.account && <AccountChip account={consent.account} label="account.signed_in_as" />}
      {consent.device && <DeviceWarning />}
      <ConsentScopes scopes={consent.scopes} />
      <ConsentValues scopes={consent.scopes} />
      <div className="stack">
        <AnswerButtons state={state} />
        <ClientPolicy client={consent.client} />
      </div>
    </Form>
  );
}

/** Warns that an attacker may have started the request and may wait for the access on their own device (RFC 8628, section 5.4). */
function DeviceWarning() {
  const { t } = useTranslation();
  return (
    <Notice tone="warning" message={t('consent.device')}>
      <p>{t('consent.device_text')}</p>
    </Notice>
  );
}

function AnswerButtons({ state: { consent } }: { state: PageOf<'consent'> }) {
  const { t } = useTranslation();
  const busyLabel = t('app.one_moment');
  return (
    <div className="pair">
      {consent.redirect_uri ? (
        <RefusalLink url={consent.redirect_uri} label="consent.deny" />
      ) : (
        <SubmitButton label={t('consent.deny')} busyLabel={busyLabel} formAction={PATHS.consentReject} />
      )}
      <SubmitButton primary label={t('consent.allow')} busyLabel={busyLabel} />
    </div>
  );
}

/** Leads to the app and reports the refusal to it, if the challenge can no longer be rejected with a form (CON-5). */
function RefusalLink({ url, label }: { url: string; label: MessageKey }) {
  const { t } = useTranslation();
  return (
    <a className="btn" href={url}>
      {t(label)}
    </a>
  );
}

/** Rejects a request that cannot be allowed because of its invalid scopes. The app receives an error. */
function BackToApp({ state: { consent } }: { state: PageOf<'consent'> }) {
  const { t } = useTranslation();
  const { name } = consent.client;
  const label = name ? t('app.back_to', { name }) : t('app.back');
  return <SubmitButton label={label} busyLabel={t('app.one_moment')} />;
}
