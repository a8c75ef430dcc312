/**
 * One field of the forms for a new account and for missing details: username, display name, address, or an attribute that the
 * installation selects.
 */
import { useTranslation } from 'react-i18next';
import type { RegistrationFieldFault, RegistrationFieldState } from '../../../src/contract/registration-state.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { Field } from '../field.js';
import { DangerIcon } from '../icons.js';

/** Standard attributes whose value is one text. */
const ATTRIBUTES = [
  ...(['given_name', 'family_name', 'middle_name', 'nickname', 'profile', 'website'] as const),
  ...(['gender', 'birthdate', 'zoneinfo', 'phone_number'] as const),
];

const LABELS = new Map<string, MessageKey>([
  ...ATTRIBUTES.map((name) => [name, `claim.${name}`] as const),
  ['username', 'sign_up.username'],
  ['display_name', 'sign_up.display_name'],
  ['email', 'sign_up.email'],
]);

const FAULTS: Record<RegistrationFieldFault, MessageKey> = {
  missing: 'sign_up.missing',
  format: 'sign_up.wrong',
  characters: 'sign_up.characters',
  'too-short': 'sign_up.too_short',
  'too-long': 'sign_up.too_long',
  reserved: 'sign_up.reserved',
  taken: 'sign_up.taken',
  domain: 'sign_up.domain',
  source: 'sign_up.source',
};

/** What browsers fill in (HTML, section 4.10.18.7.1). */
const AUTOCOMPLETE = new Map([
  ['username', 'username'],
  ['display_name', 'name'],
  ['email', 'email'],
  ['given_name', 'given-name'],
  ['family_name', 'family-name'],
  ['middle_name', 'additional-name'],
  ['nickname', 'nickname'],
  ['phone_number', 'tel'],
  ['birthdate', 'bday'],
  ['website', 'url'],
]);

const MAX_LENGTHS = new Map([
  ['username', 64],
  ['display_name', 128],
  ['email', 254],
]);

interface Props {
  field: RegistrationFieldState;
  /** Name of the input. */
  inputName: string;
  autoFocus: boolean;
}

export function RegistrationField({ field, inputName, autoFocus }: Props) {
  const { t } = useTranslation();
  const { name, kind, value, required, options = [] } = field;
  const label = useLabel(field);
  const error = field.error && t(name === 'email' && field.error === 'format' ? 'sign_up.email_wrong' : FAULTS[field.error]);
  if (kind === 'flag') return <Flag field={field} label={label} inputName={inputName} error={error} />;
  const requiredMessage = name === 'email' ? t('sign_up.email_wrong') : t('sign_up.missing');
  return (
    <Field
      name={inputName}
      label={required ? label : t('sign_up.optional', { label })}
      error={error}
      hint={name === 'username' ? t('sign_up.username_hint') : undefined}
      {...(required ? { requiredMessage } : {})}
    >
      {(wiring) =>
        kind === 'choice' ? (
          <select {...wiring} defaultValue={value} autoFocus={autoFocus}>
            <option value="">{t('sign_up.choose')}</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...wiring}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete={AUTOCOMPLETE.get(name) ?? 'off'}
            autoCapitalize={name === 'email' || name === 'username' ? 'none' : undefined}
            spellCheck={false}
            maxLength={MAX_LENGTHS.get(name) ?? 200}
            autoFocus={autoFocus}
            defaultValue={value}
          />
        )
      }
    </Field>
  );
}

function useLabel({ name, label }: RegistrationFieldState): string {
  const { t } = useTranslation();
  const key = LABELS.get(name);
  return label ?? (key === undefined ? name : t(key));
}

function Flag({
  field,
  label,
  inputName,
  error,
}: {
  field: RegistrationFieldState;
  label: string;
  inputName: string;
  error: string | undefined;
}) {
  const errorId = `${inputName}-error`;
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          name={inputName}
          value="true"
          defaultChecked={field.value === 'true'}
          aria-describedby={error === undefined ? undefined : errorId}
        />{' '}
        {label}
      </label>
      {error !== undefined && (
        <p className="error" id={errorId}>
          <DangerIcon />
          {error}
        </p>
      )}
    </div>
  );
}
