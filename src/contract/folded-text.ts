/** Folds the case of a text: lower case after upper case makes ß equal to ss and ſ equal to s; lower case alone does not. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
