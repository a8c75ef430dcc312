/**
 * A circle with the initials of a person. The initials are decoration, because the name is beside them or in the menu that they open, and
 * so the stylesheet draws them: the name of a button does not contain them.
 */
export function Initials({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  return <span className={`face ${isLarge ? 'large' : ''}`} data-letters={toInitials(name)} aria-hidden="true" />;
}

function toInitials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}
