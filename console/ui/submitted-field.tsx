/** A field whose text takes effect when it is complete: with Enter, or when the field loses the focus. */
import { useState } from 'react';
import { ExactInput } from './exact-input.js';
import { Field } from './field.js';

interface SubmittedFieldProps {
  label: string;
  /** The text that is in effect. */
  value?: string | undefined;
  placeholder?: string;
  maxLength: number;
  /** @param text the trimmed text @returns what is wrong with it */
  findFault?(text: string): string | undefined;
  /** @param text the trimmed text, which differs from the value and has no fault */
  onSubmit(text: string): void;
}

export function SubmittedField({ label, value = '', placeholder, maxLength, findFault, onSubmit }: SubmittedFieldProps) {
  // Until something is typed, the field shows the value, which may change when a name is loaded.
  const [typedText, setTypedText] = useState<string>();
  const shownText = typedText ?? value;
  const [isTried, setIsTried] = useState(false);
  const text = shownText.trim();
  const fault = text === '' ? undefined : findFault?.(text);
  const submit = (): void => {
    setIsTried(true);
    if (text !== value && fault === undefined) onSubmit(text);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={label} error={isTried ? fault : undefined}>
        {(wiring) => (
          <ExactInput
            {...wiring}
            type="search"
            maxLength={maxLength}
            placeholder={placeholder}
            value={shownText}
            onChange={setTypedText}
            onBlur={submit}
          />
        )}
      </Field>
    </form>
  );
}
