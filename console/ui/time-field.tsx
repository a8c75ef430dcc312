/** A field for a date and a time, in the time zone of the browser. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fromLocalField, toLocalField } from '../activity/local-times.js';
import { Field } from './field.js';

interface TimeFieldProps {
  label: string;
  /** ISO 8601; undefined without a time. */
  value: string | undefined;
  isMissing?: boolean;
  onChange(value: string | undefined): void;
}

export function TimeField({ label, value, isMissing = false, onChange }: TimeFieldProps) {
  const { t } = useTranslation();
  // The browser reports a year at its first digit, so the typed text is kept until the field loses the focus.
  const [typedText, setTypedText] = useState<string>();
  const [isIncomplete, setIsIncomplete] = useState(false);
  return (
    <Field label={label} className="time" error={isIncomplete || isMissing ? t('filter.time_incomplete') : undefined}>
      {(wiring) => (
        <input
          {...wiring}
          type="datetime-local"
          max="9999-12-31T23:59"
          value={typedText ?? toLocalField(value)}
          onChange={({ currentTarget: { value: text } }) => {
            setTypedText(text);
            onChange(fromLocalField(text));
          }}
          // The browser reports no value for a date without a time: a list would look filtered, but it would not be.
          onBlur={({ currentTarget: { value: text, validity } }) => {
            const isFault = validity.badInput || (text !== '' && fromLocalField(text) === undefined);
            setIsIncomplete(isFault);
            if (!isFault) setTypedText(undefined);
          }}
        />
      )}
    </Field>
  );
}
