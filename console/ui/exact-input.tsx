/** A text field for names, ids and codes: the browser does not complete, spell-check or capitalise them. */
import type { ComponentProps } from 'react';

interface ExactInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  value: string;
  onChange(text: string): void;
}

export function ExactInput({ onChange, ...attributes }: ExactInputProps) {
  return (
    <input
      {...attributes}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
