/** Derives the passwords of the demo accounts from a key. They are easy to read and type, and the same for the same key. */
import type { Keys } from '../../src/config/keys.js';

const WORDS = [
  'Ahorn Anker Apfel Bach Birke Boot Brot Buche Burg Dorf Eiche Erle Falke Feder Feld Fink',
  'Garten Gipfel Glas Hafen Hafer Hagel Hammer Hecht Hof Honig Igel Insel Kanne Karte Kiefer Klee',
  'Kranich Kreide Lampe Laub Leiter Linde Luchs Markt Mohn Mond Moos Nebel Nest Ofen Otter Perle',
  'Pinsel Quelle Rabe Regen Ruder Salz Segel Stein Tanne Teich Turm Ufer Wald Wiese Wolke Zeder',
].flatMap((line) => line.split(' '));

/** @param key at least 7 random bytes. The password contains only about 28 bits of information, so it does not reveal the key */
export function toReadablePassword(key: Buffer): string {
  const words = [0, 1, 2].map((index) => WORDS[key.readUInt8(index) % WORDS.length]);
  const digits = 100 + (key.readUInt32BE(3) % 900);
  return [...words, digits].join('-');
}

/** Each person's password comes from other bytes of one key. */
const FIRST_BYTES = { maria: 0, olga: 8, klara: 16 } as const;

export function deriveDemoPassword(keys: Keys, person: keyof typeof FIRST_BYTES): string {
  return toReadablePassword(keys.derive('demo-account').subarray(FIRST_BYTES[person]));
}
