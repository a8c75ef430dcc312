/** The forms of the sign-up, and the fields that the settings name. */
import { isDomainAllowed, type DetailFault, type SignUp, type SignUpDetails } from '../../../../accounts/changes/sign-up.js';
import type { SignUpField, SignUpSettings } from '../../../../config/config.js';
import { FIELDS } from '../../../../contract/form-fields.js';
import { toDetailField, type RegistrationFieldState } from '../../../../contract/registration-state.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';
import { cutText } from '../../../../config/cut-text.js';

export class ChallengeForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

export class CodeForm extends ChallengeForm {
  @OptionalText(200)
  [FIELDS.code]?: string;
}

/** Limits only the work: the check of a new password has a smaller limit (VAL-1). */
const MAX_PASSWORD_LENGTH = 4096;

export class PasswordForm extends ChallengeForm {
  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.password]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.passwordRepeat]?: string;

  /** JSON of a new passkey, in place of the password. */
  @OptionalText(65_536)
  [FIELDS.credential]?: string;
}

/** Longer than any valid username, name or address. */
const MAX_TEXT_LENGTH = 300;
const MAX_ATTRIBUTE_LENGTH = 200;

const EMAIL: SignUpField = { name: 'email', kind: 'text', isRequired: true };

/** The fields in the order of the form: the address comes last, because the next page is about it. */
const listFields = (fields: readonly SignUpField[]): readonly SignUpField[] => [...fields, EMAIL];

/** @param body the unvalidated fields of the form */
export function readDetails(fields: readonly SignUpField[], body: Readonly<Record<string, unknown>>): SignUpDetails {
  const read = (name: string): string => {
    const value = body[toDetailField(name)];
    return typeof value === 'string' ? cutText(value, MAX_TEXT_LENGTH).trim() : '';
  };
  const details: SignUpDetails = { email: read('email'), attributes: {} };
  const attributes: Record<string, string> = {};
  for (const { name, kind } of fields) {
    const text = read(name);
    if (name === 'username') details.username = text;
    else if (name === 'display_name') details.displayName = text;
    // An empty field has no value, and a checkbox that is not checked is not sent.
    else if (kind === 'flag') attributes[name] = text === 'true' ? 'true' : 'false';
    else if (text !== '') attributes[name] = text;
  }
  if (details.displayName === '') delete details.displayName;
  return { ...details, attributes };
}

/** Finds the faults of the form itself. */
export function findFormFaults(fields: readonly SignUpField[], details: SignUpDetails): DetailFault[] {
  return fields.flatMap(({ name, isRequired }): DetailFault[] => {
    const text = findText(details, name);
    if (text === '' && isRequired) return [{ field: name, code: 'missing' }];
    return Object.hasOwn(details.attributes, name) && text.length > MAX_ATTRIBUTE_LENGTH
      ? [{ field: name, code: 'too-long' }]
      : [];
  });
}

/** Finds the faults that do not depend on other accounts. */
export function findDetailFaults(
  details: SignUpDetails,
  settings: SignUpSettings,
  signUp: Pick<SignUp, 'findFaults'>,
): DetailFault[] {
  const faults = [...findFormFaults(settings.fields, details), ...signUp.findFaults(details)];
  if (faults.some(({ field }) => field === 'email') || isDomainAllowed(details.email, settings)) return faults;
  return [...faults, { field: 'email', code: 'domain' }];
}

/** @returns the details without the fields that the settings no longer name */
export function keepRequestedFields(fields: readonly SignUpField[], details: SignUpDetails): SignUpDetails {
  const texts = listFields(fields).map(({ name }) => [toDetailField(name), findText(details, name)] as const);
  return readDetails(fields, Object.fromEntries(texts));
}

/** @returns the fields as the page shows them; a fault of a field that the form does not have is shown at the address */
export function toFieldStates(
  fields: readonly SignUpField[],
  details: SignUpDetails,
  faults: readonly DetailFault[],
): RegistrationFieldState[] {
  const shownFields = listFields(fields);
  const isShown = (field: string): boolean => shownFields.some(({ name }) => name === field);
  const shownFaults = faults.map(({ field, code }) => ({ field: isShown(field) ? field : 'email', code }));
  return toStates(shownFields, details, shownFaults);
}

/** @returns the fields as a page shows them, each with its first fault */
export function toStates(
  fields: readonly SignUpField[],
  details: SignUpDetails,
  faults: readonly DetailFault[],
): RegistrationFieldState[] {
  const errors = new Map(faults.toReversed().map(({ field, code }) => [field, code] as const));
  return fields.map(({ name, kind, isRequired, options, label }) => ({
    name,
    kind,
    required: isRequired,
    value: findText(details, name),
    ...(label === undefined ? {} : { label }),
    ...(options === undefined ? {} : { options }),
    ...toError(errors.get(name)),
  }));
}

function toError(code: DetailFault['code'] | undefined): Pick<RegistrationFieldState, 'error'> {
  if (code === undefined) return {};
  return { error: code === 'too-costly' || code === 'twice' ? 'format' : code };
}

function findText(details: SignUpDetails, name: string): string {
  if (name === 'email') return details.email;
  if (name === 'username') return details.username ?? '';
  if (name === 'display_name') return details.displayName ?? '';
  return Object.hasOwn(details.attributes, name) ? (details.attributes[name] ?? '') : '';
}
