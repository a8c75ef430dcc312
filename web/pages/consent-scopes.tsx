/**
 * Shows the requested scopes as rows. A required scope and a scope that was granted before are fixed; the person can untick any other
 * scope (CON-3, CON-4).
 */
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { ScopeState } from '../../src/contract/page-state.js';
import { SAME_PERMISSION } from '../../src/contract/scopes.js';
import type { MessageKey } from '../i18n/phrase.js';
import { SCOPE_TITLES } from '../ui/scope-titles.js';
import { WarningIcon } from '../ui/icons.js';
import * as icons from './scope-icons.js';

interface BuiltInScope {
  Icon: ComponentType;
  text: MessageKey;
}

const OFFLINE_SCOPE: BuiltInScope = { Icon: icons.BackgroundIcon, text: 'scope.offline_text' };

const BUILT_IN_SCOPES = new Map<string, BuiltInScope>([
  ['openid', { Icon: icons.IdCardIcon, text: 'scope.openid_text' }],
  ['profile', { Icon: icons.PersonIcon, text: 'scope.profile_text' }],
  ['email', { Icon: icons.MailIcon, text: 'scope.email_text' }],
  ['address', { Icon: icons.AddressIcon, text: 'scope.address_text' }],
  ['phone', { Icon: icons.PhoneIcon, text: 'scope.phone_text' }],
  ['id', { Icon: icons.SlidersIcon, text: 'scope.account_text' }],
  ['offline', OFFLINE_SCOPE],
  ['offline_access', OFFLINE_SCOPE],
  ['folder', { Icon: icons.FolderIcon, text: 'scope.folder_text' }],
]);

export function ConsentScopes({ scopes }: { scopes: readonly ScopeState[] }) {
  const { t } = useTranslation();
  if (scopes.length === 0) return null;
  const hasShownName = scopes.some(({ id }) => id === SAME_PERMISSION.name);
  const visibleScopes = scopes.filter(({ id }) => !(hasShownName && id === SAME_PERMISSION.olderName));
  const newScopes = visibleScopes.filter((scope) => !scope.granted);
  const grantedScopes = visibleScopes.filter((scope) => scope.granted);
  return (
    <>
      <fieldset>
        <legend className="label">{t(grantedScopes.length > 0 ? 'consent.new' : 'consent.shared')}</legend>
        <ul className="rows">
          {newScopes.map((scope) => (
            <li key={scope.id}>{scope.required ? <RequiredRow scope={scope} /> : <OptionalRow scope={scope} />}</li>
          ))}
        </ul>
      </fieldset>
      {grantedScopes.length > 0 && <GrantedScopes scopes={grantedScopes} />}
    </>
  );
}

/** The scopes that were granted before, in a list that opens without script. The person is not asked for these scopes again. */
function GrantedScopes({ scopes }: { scopes: readonly ScopeState[] }) {
  const { t } = useTranslation();
  return (
    <details className="small unfolds">
      <summary>{t('consent.granted')}</summary>
      <ul className="rows">
        {scopes.map((scope) => (
          <li key={scope.id} className="row">
            <ScopeDescription scope={scope} />
            <input type="hidden" name={FIELDS.scopes} value={scope.id} />
            <input type="hidden" name={FIELDS.granted} value={scope.id} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function RequiredRow({ scope }: { scope: ScopeState }) {
  const { t } = useTranslation();
  return (
    <div className="row wraps">
      <ScopeDescription scope={scope} />
      <input type="hidden" name={FIELDS.scopes} value={scope.id} />
      <span className="aside">{t('consent.required')}</span>
    </div>
  );
}

function OptionalRow({ scope }: { scope: ScopeState }) {
  return (
    <label className="row">
      <ScopeDescription scope={scope} />
      <input type="checkbox" name={FIELDS.scopes} value={scope.id} defaultChecked />
    </label>
  );
}

/**
 * The texts of the installation have priority over the built-in texts. With a title of the installation, the built-in description is not
 * shown. A scope without any title is shown under its name.
 */
function ScopeDescription({ scope }: { scope: ScopeState }) {
  const { t } = useTranslation();
  const builtInScope = BUILT_IN_SCOPES.get(scope.id);
  const Icon = builtInScope?.Icon ?? icons.KeyIcon;
  const words = SCOPE_TITLES[scope.id];
  const title = scope.title ?? (words ? t(words) : scope.id);
  const description = scope.description ?? (builtInScope && !scope.title ? t(builtInScope.text) : undefined);
  return (
    <>
      <Icon />
      <span className="what">
        <b>{title}</b>
        {description && <small>{description}</small>}
        {scope.empty && <small>{t('consent.nothing_on_file')}</small>}
        {scope.far_reaching && (
          <small className="warns">
            <WarningIcon /> {t('consent.far_reaching')}
          </small>
        )}
      </span>
    </>
  );
}
