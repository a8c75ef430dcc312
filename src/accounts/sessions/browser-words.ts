/**
 * What a browser calls itself, in two words: so that a person or an operator recognises a session. Only these words are
 * stored, and nothing is decided by them, because anybody can send any User-Agent.
 */
type Names = readonly (readonly [RegExp, string])[];

/** The first that fits: most browsers name others too, for the sake of old servers. */
const BROWSERS: Names = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];
const SYSTEMS: Names = [
  [/\biPad\b/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
/** Longer ones are cut before anything is searched in them. */
const LONGEST = 400;

/** @returns "Firefox, Windows", one of the two where only one is known, or null */
export function browserWords(userAgent: string): string | null {
  const text = userAgent.slice(0, LONGEST);
  const words = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([pattern]) => pattern.test(text))?.[1] ?? []);
  return words.length === 0 ? null : words.join(', ');
}
