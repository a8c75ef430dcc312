/**
 * The field for a code of six digits, with its error directly above (VAL-4). Digits may be pasted in groups; the spaces are
 * ignored. After an RPC call, a wrong code is selected, so that typing replaces it.
 */
import { useEffect, useRef, type InputEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import { ARABIC_DIGITS, toAsciiDigits } from '../../../src/contract/typed-digits.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { Field } from '../field.js';
import { useSubmission } from '../form.js';
import { findAlertId, FaultAlert, type Fault, type FaultCode, type FaultWords } from './fault.js';

const FIELD_CODES: readonly FaultCode[] = ['invalid verification code'];
const SIX_DIGITS = /^\d{6}$/;
/** Without script, the server removes the spaces and replaces Arabic digits. */
const TYPED_DIGITS = ` *([0-9${ARABIC_DIGITS}] *){6}`;

interface Props {
  fault: Fault | null;
  words?: FaultWords | undefined;
  hint?: string;
  /** Message for an empty or malformed code, if the code does not come from an authenticator app. */
  missingMessage?: MessageKey;
  autoFocus?: boolean;
  disabled?: boolean;
  /** True if the code is not submitted, because the factor token of the verified code is submitted instead. */
  unnamed?: boolean;
  /** Submits the form when the sixth digit is typed or the code is pasted; only once, and only before the first error. */
  shouldAutoSubmit?: boolean;
}

export function CodeField({ fault, words, hint, missingMessage, autoFocus = false, shouldAutoSubmit = false, ...input }: Props) {
  const { t } = useTranslation();
  const { disabled = false, unnamed = false } = input;
  const isSending = useSubmission() !== null;
  const wasSent = useRef(false);
  const isWrong = fault !== null && FIELD_CODES.includes(fault.code);
  // An error that is rendered with the page has the count 0: the field is empty then.
  const field = useSelectionOnError(isWrong ? fault.count : 0);
  const isSentByLastDigit = shouldAutoSubmit && fault === null;
  const sendWhenFull = ({ currentTarget: { form, value }, nativeEvent }: InputEvent<HTMLInputElement>) => {
    if (!isSentByLastDigit || wasSent.current || !SIX_DIGITS.test(toDigits(value)) || !isTyped(nativeEvent)) return;
    wasSent.current = true;
    form?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
  };
  return (
    <>
      <FaultAlert fault={fault} words={words} fieldCodes={FIELD_CODES} />
      <Field
        name={FIELDS.code}
        className="code"
        label={t('factor.code')}
        hint={isSentByLastDigit ? t('factor.code_sends_itself') : hint}
        hintNeedsScript={isSentByLastDigit}
        alertId={findAlertId(fault, FIELD_CODES)}
        requiredMessage={t(missingMessage ?? 'factor.code_missing')}
      >
        {({ name, onInput, ...wiring }) => (
          <div className="box">
            <input
              {...wiring}
              ref={field}
              name={unnamed ? undefined : name}
              type="text"
              autoComplete="one-time-code"
              inputMode="numeric"
              pattern={TYPED_DIGITS}
              spellCheck={false}
              autoFocus={isWrong || (autoFocus && fault === null)}
              readOnly={isSending}
              disabled={disabled}
              onInput={(event) => {
                onInput?.();
                sendWhenFull(event);
              }}
            />
          </div>
        )}
      </Field>
    </>
  );
}

/** Selects the content of the field after each wrong code. @param count `count` of the error; 0 if there is nothing to select */
function useSelectionOnError(count: number) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (count === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [count]);
  return field;
}

export function toDigits(code: string | undefined): string {
  return toAsciiDigits(code ?? '').replaceAll(/\s/g, '');
}

/**
 * @returns whether a person typed a digit or pasted a code; password managers and tests fill in the whole code and press the button
 *   themselves
 */
function isTyped({ data, inputType }: globalThis.InputEvent): boolean {
  return data?.length === 1 || inputType === 'insertFromPaste';
}
