/**
 * A key of the locales with its values, for `t(...phrase)`. The keys come from `en.json`, so the compiler checks them
 * (I18-1).
 */
import type en from '../../locales/en.json';

type KeyOf<Keys> = Keys extends `${infer Stem}_one` ? Stem : Keys extends `${string}_other` ? never : Keys;

/** Plural forms (`…_one`, `…_other`) have one key, without the ending. */
export type MessageKey = KeyOf<keyof typeof en>;

/** A `count` also chooses the plural form. */
export type Values = Readonly<Record<string, string | number>>;

export type Phrase = readonly [key: MessageKey, values: Values];

export function phrase(key: MessageKey, values: Values = {}): Phrase {
  return [key, values];
}
