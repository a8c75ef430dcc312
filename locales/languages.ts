/**
 * The languages of an installation: those that ship (`locales`) and those of LOCALES_DIR, with what follows from the name of
 * their file. `src/config/language-files.ts` reads and checks the files of an installation.
 */
import { FALLBACK_LOCALE, nearestLocale, type Locale, type TextDirection } from '../src/contract/locale.js';
import { PHRASES, type Phrases } from './phrases.js';

/** Keys that say something of the language itself. Each may be missing; then it is derived from the language tag. */
export const ABOUT_LANGUAGE = { name: 'language.name', dates: 'language.dates' } as const;

export interface Language {
  locale: Locale;
  /** In the language itself. */
  name: string;
  /** The language tag whose forms of dates are used. */
  dates: string;
  dir: TextDirection;
  /** Of all keys. */
  phrases: Phrases;
}

/** Scripts that are written from right to left. Not every engine says so (`Intl.Locale.getTextInfo`). */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

export function toLanguage(locale: Locale, phrases: Phrases): Language {
  const texts: Readonly<Record<string, string | undefined>> = phrases;
  const dir = RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
  const name = texts[ABOUT_LANGUAGE.name] ?? nameOf(locale);
  // The digits of counts and codes in the phrases; browsers of different age have different ones for Arabic.
  const dates = texts[ABOUT_LANGUAGE.dates] ?? (dir === 'rtl' ? `${locale}-u-nu-latn` : locale);
  return { locale, name, dates, dir, phrases: { ...phrases, [ABOUT_LANGUAGE.name]: name, [ABOUT_LANGUAGE.dates]: dates } };
}

/** As it begins a line of a list: `Français`. */
function nameOf(locale: Locale): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** The languages that an installation offers, in the order of its language switch. */
export class Languages {
  /** At least one. */
  readonly locales: readonly Locale[];
  readonly #languages: ReadonlyMap<Locale, Language>;
  readonly #fallback: Language;

  /** @param languages at least one */
  constructor(languages: readonly Language[]) {
    this.#languages = new Map(languages.map((language) => [language.locale, language]));
    this.locales = [...this.#languages.keys()];
    const fallback = this.#languages.get(FALLBACK_LOCALE) ?? languages[0];
    if (!fallback) throw new Error('An installation offers at least one language.');
    this.#fallback = fallback;
  }

  get fallback(): Locale {
    return this.#fallback.locale;
  }

  all(): Language[] {
    return [...this.#languages.values()];
  }

  find(locale: Locale): Language | undefined {
    return this.#languages.get(locale);
  }

  nearest(tag: string): Locale | undefined {
    return nearestLocale(tag, this.locales);
  }

  /** @param tag of an account or a waiting mail: perhaps of a language that is not offered, or not any more */
  of(tag: string): Language {
    return this.#languages.get(this.nearest(tag) ?? '') ?? this.#fallback;
  }
}

/** All that ship, in the order of their tags. */
export const SHIPPED = new Languages(Object.entries(PHRASES).map(([locale, phrases]) => toLanguage(locale, phrases)));
