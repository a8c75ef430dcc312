/**
 * What a browser calls itself, in two words: so that a person or an operator recognises a session. Only these words are
 * stored, and nothing is decided by them, because anybody can send any User-Agent.
 */
import bowser from 'bowser';

/** Longer ones are cut before anything is searched in them. */
const LONGEST = 400;
/** Finding the words takes as long as a statement; most people have one of few browsers. */
const MOST_KEPT = 500;
const kept = new Map<string, string | null>();

const NAMES: ReadonlySet<string> = new Set([...Object.values(bowser.BROWSER_MAP), ...Object.values(bowser.OS_MAP)]);

/** @returns "Firefox, Windows", one of the two where only one is known, or null */
export function browserWords(userAgent: string): string | null {
  const text = userAgent.slice(0, LONGEST);
  const known = kept.get(text);
  if (known !== undefined) return known;
  const words = toWords(text);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(text, words);
  return words;
}

function toWords(text: string): string | null {
  if (text === '') return null;
  const { browser, os } = bowser.parse(text);
  // For an unknown browser the library returns what it calls itself, which may be a sentence to the reader of a mail.
  const words = [browser.name, os.name].filter((name) => name !== undefined && NAMES.has(name));
  return words.length === 0 ? null : words.join(', ');
}
