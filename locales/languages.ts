/**
 * The languages of an installation: those that ship (`locales`) and those of LOCALES_DIR. The file name is the language tag, from which
 * name, direction and forms of dates follow. `src/config/language-files.ts` reads and checks the files of an installation.
 */
import { FALLBACK_LOCALE, findNearestLocale, type Locale, type TextDirection } from '../src/contract/locale.js';
import { PHRASES, type Phrases } from './phrases.js';

/** Keys that describe the language itself. If one is missing, its value is derived from the language tag. */
export const ABOUT_LANGUAGE = { name: 'language.name', dates: 'language.dates' } as const;

export interface Language {
  locale: Locale;
  /** The name of the language in that language. */
  name: string;
  /** The language tag with which dates are formatted. */
  dates: string;
  dir: TextDirection;
  /** The phrases of all keys. */
  phrases: Phrases;
}

/** Scripts that are written from right to left. Not every JavaScript engine knows them (`Intl.Locale.getTextInfo`). */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

export function toLanguage(locale: Locale, phrases: Phrases): Language {
  const texts: Readonly<Record<string, string | undefined>> = phrases;
  const dir = RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
  const name = texts[ABOUT_LANGUAGE.name] ?? findName(locale);
  // Dates get Latin digits like the numbers in the phrases. By default, browsers of different ages use different digits for Arabic.
  const dates = texts[ABOUT_LANGUAGE.dates] ?? (dir === 'rtl' ? `${locale}-u-nu-latn` : locale);
  return { locale, name, dates, dir, phrases: { ...phrases, [ABOUT_LANGUAGE.name]: name, [ABOUT_LANGUAGE.dates]: dates } };
}

/** @returns the name of the language in that language, with a capital: `Français` */
function findName(locale: Locale): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** The languages that an installation offers, in the order of its language switch. */
export class Languages {
  /** The language tags; at least one. */
  readonly locales: readonly Locale[];
  readonly #languages: ReadonlyMap<Locale, Language>;
  readonly #fallback: Language;

  /** @param languages at least one */
  constructor(languages: readonly Language[]) {
    this.#languages = new Map(languages.map((language) => [language.locale, language]));
    this.locales = [...this.#languages.keys()];
    const fallback = this.#languages.get(FALLBACK_LOCALE) ?? languages[0];
    if (!fallback) throw new Error('An installation must offer at least one language.');
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

  findNearest(tag: string): Locale | undefined {
    return findNearestLocale(tag, this.locales);
  }

  /** @param tag language tag of an account or a queued mail, whose language may no longer be offered */
  get(tag: string): Language {
    return this.#languages.get(this.findNearest(tag) ?? '') ?? this.#fallback;
  }
}

/** The languages that ship, in the order of their tags. */
export const SHIPPED = new Languages(Object.entries(PHRASES).map(([locale, phrases]) => toLanguage(locale, phrases)));
