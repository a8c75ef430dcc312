const LONGEST = 40;

/** What a caller sent, as an answer repeats it. */
export function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}
