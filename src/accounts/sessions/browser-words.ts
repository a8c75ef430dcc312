/**
 * Describes a browser by its name and operating system, so that a person or an operator recognises a session. Only these words are
 * stored, and no decision depends on them, because anybody can send any User-Agent.
 */
import bowser from 'bowser';

/** Longer User-Agents are cut before they are parsed. */
const MAX_USER_AGENT_LENGTH = 400;
/** Maximum number of cached results. Parsing takes as long as a database statement, and most people use one of a few browsers. */
const MAX_CACHED_RESULTS = 500;
const cache = new Map<string, string | null>();

const NAMES: ReadonlySet<string> = new Set([...Object.values(bowser.BROWSER_MAP), ...Object.values(bowser.OS_MAP)]);

/** @returns words such as "Firefox, Windows"; only one of the two if the other is unknown, and null if both are */
export function toBrowserWords(userAgent: string): string | null {
  const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
  const cachedWords = cache.get(text);
  if (cachedWords !== undefined) return cachedWords;
  const words = toWords(text);
  if (cache.size >= MAX_CACHED_RESULTS) cache.clear();
  cache.set(text, words);
  return words;
}

function toWords(text: string): string | null {
  if (text === '') return null;
  const { browser, os } = bowser.parse(text);
  // For an unknown browser the library returns text from the User-Agent, which may be a message for the reader of a mail.
  const words = [browser.name, os.name].filter((name) => name !== undefined && NAMES.has(name));
  return words.length === 0 ? null : words.join(', ');
}
