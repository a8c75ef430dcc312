/** Sets up a factor in the account area, as a new factor or as a replacement (MAN-4, MAN-11, MAN-12). */
import { useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { FACTOR_CALLS, FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { MANAGE_QUERY } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import type { FactorAddedAnswer } from '../../src/contract/rpc.js';
import { leaveFor } from '../browser/address.js';
import { FACTORS, findEnrollable, isEnrollable } from '../factors/registry.js';
import { phrase } from '../i18n/phrase.js';
import { CodesPage } from '../ui/account/codes-page.js';
import { BACK_TO_MFA, toHiddenFields, buildSettingsUrl, useRpcClient } from '../ui/account/manage-frame.js';
import { Heading } from '../ui/heading.js';

export function heading({ manage_factor: { factor, replaces } }: PageOf<'manage_factor'>) {
  const setUp = findEnrollable(factor)?.setUp;
  return phrase((replaces ? setUp?.replaceHeading : setUp?.heading) ?? 'settings.two_factor');
}

export function Page({ state }: { state: PageOf<'manage_factor'> }) {
  const { t } = useTranslation();
  const { factor: name, setup, error, replaces, others = [], retry_after } = state.manage_factor;
  const action = (replaces ? FACTOR_PATHS.replace : FACTOR_PATHS.register)(name);
  const calls = useRpcClient(state, action);
  const doneUrl = `${buildSettingsUrl('mfa-success')}&${MANAGE_QUERY.factor}=${name}`;
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <CodesPage frame={state} codes={codes} appName={state.app.name} factor={name} live />;

  const confirm = async (body: object) => {
    const answer = await calls.post<FactorAddedAnswer>(FACTOR_CALLS.verify(name), body);
    if (answer.kind === 'failed') return answer;
    if (!answer.body.recovery_codes?.length) return leaveFor(doneUrl);
    setCodes(answer.body.recovery_codes);
    return null;
  };
  const setUp = findEnrollable(name)?.setUp;
  const text = replaces ? setUp?.replaceText : setUp?.text;
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_MFA}>
        {text && <p>{t(text)}</p>}
      </Heading>
      {setUp && (
        <setUp.View
          setup={setup}
          error={error}
          retryAfterSeconds={retry_after}
          action={action}
          hidden={toHiddenFields(state)}
          calls={calls}
          begin={(body) => calls.post<object>(FACTOR_CALLS.init(name), body)}
          confirm={confirm}
          replaces={replaces}
          otherLink={null}
          linkWithoutScript={buildAlternative(others, t)}
        />
      )}
    </div>
  );
}

/** @returns a link to a kind that can be set up without script; null if there is none */
function buildAlternative(others: readonly string[], t: TFunction) {
  const otherFactor = FACTORS.filter(isEnrollable).find(({ name, setUp }) => others.includes(name) && setUp.worksWithoutScript);
  return otherFactor ? <a href={FACTOR_PATHS.register(otherFactor.name)}>{t(otherFactor.setUp.heading)}</a> : null;
}
