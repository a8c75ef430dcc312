/** Case folding over both cases takes ß with ss and ſ with s, which lower case alone does not. */
export function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
