/** The lists from which the person selects a factor to verify (MFV-3) or to enrol (MFV-2). */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { Later } from '../ui/account/later.js';
import { MethodRows } from '../ui/account/method-rows.js';
import { Notice } from '../ui/notice.js';
import { toFaultCode, toHiddenFields, Step, buildViewUrl } from '../factors/step.js';
import type { BrowserFactor, ViewProps } from '../factors/factor.js';
import { FACTORS, isEnrollable } from '../factors/registry.js';

export function ChooseView({ heading, mfa }: ViewProps) {
  const { t } = useTranslation();
  const { fault } = useFault(toFaultCode(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>{t('mfa.choose_text')}</p>
      </Step>
      <FaultAlert fault={fault} />
      <MethodRows
        rows={listRegisteredFactors(mfa).flatMap(({ name, Icon, verify: { row } }) => {
          return row ? [{ name, Icon, href: buildViewUrl(mfa, { method: name }), ...row }] : [];
        })}
      />
      <Links mfa={mfa} factors={listRegisteredFactors(mfa).filter(({ verify: { row } }) => !row)} />
    </div>
  );
}

export function EnrolView({ heading, mfa, app }: ViewProps) {
  const { t } = useTranslation();
  const { fault } = useFault(toFaultCode(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>
          <FactorReason mfa={mfa} appName={app.name} />
        </p>
      </Step>
      <FaultAlert fault={fault} />
      <Notice tone="warning" message={t('mfa.no_factor')}>
        <p>{t('mfa.no_factor_text')}</p>
      </Notice>
      <MethodRows
        rows={FACTORS.filter(isEnrollable)
          .filter(({ name }) => mfa.factors.some((factor) => factor.name === name && factor.offered))
          .map(({ name, Icon, setUp: { heading: title, row: text } }) => {
            return { name, Icon, href: buildViewUrl(mfa, { setup: name }), title, text };
          })}
      />
      {mfa.later_until !== undefined && (
        <Later laterUntil={mfa.later_until} action={PATHS.mfaVerify} hidden={toHiddenFields(mfa)} />
      )}
    </div>
  );
}

/** @returns links to the other factors; null if there are none */
export function buildOtherLinks(mfa: MfaVerificationState, currentName: string): ReactNode {
  const otherFactors = listRegisteredFactors(mfa).filter(({ name }) => name !== currentName);
  return otherFactors.length > 0 ? <Links mfa={mfa} factors={otherFactors} /> : null;
}

function Links({ mfa, factors }: { mfa: MfaVerificationState; factors: readonly BrowserFactor[] }) {
  const { t } = useTranslation();
  return factors.map(({ name, verify: { use } }) => (
    <a key={name} className="btn quiet" href={buildViewUrl(mfa, { method: name })}>
      {t(use)}
    </a>
  ));
}

/** @returns the kinds of factor that the person has */
function listRegisteredFactors({ factors }: MfaVerificationState): BrowserFactor[] {
  return FACTORS.filter(({ name }) => factors.some((factor) => factor.name === name && factor.registered));
}

/** Names who requires a second factor: the account, the app or the installation. For an app without a name, it names the installation. */
function FactorReason({ mfa: { wanted_by: wantedBy, client }, appName }: { mfa: MfaVerificationState; appName: string }) {
  if (wantedBy === 'client' && client?.name) {
    const components = { client: <Isolated text={client.name} />, name: <b /> };
    return <MarkedPhrase i18nKey="mfa.wanted_by_client" components={components} />;
  }
  const key = wantedBy === 'account' ? 'mfa.wanted_by_account' : 'mfa.wanted_by_app';
  return <MarkedPhrase i18nKey={key} components={{ app: <Isolated text={appName} /> }} />;
}
