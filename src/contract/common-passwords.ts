/**
 * Decides which passwords are common (VAL-1). Server and page use the same rule: the server refuses such passwords, and the page
 * shows the fault while a person types. The dictionary is a parameter, because server and page load it differently.
 */
import { foldText } from './folded-text.js';

export type CommonPasswords = ReadonlySet<string>;

/** Lists of `@zxcvbn-ts/language-common` and `-de`. The first list also contains the English words that are used as passwords. */
export interface PublishedLists {
  common: { 'passwords-common': readonly string[] };
  german: { commonWords: readonly string[]; firstnames: readonly string[]; lastnames: readonly string[] };
}

/** German words and names of clubs and brands that the published lists do not contain. */
const ADDITIONS = `
  losung zugangscode einloggen anmeldung toor benutzer nutzer rechner twitter instagram yahoo hotmail gmail github ubuntu
  lassmichrein oeffnedich sesamoeffnedich halloduda moin gruezi ichliebedich liebedich schatzilein hasi haesschen spatz
  spatzi engelchen einhorn welpe kirsche erdbeere himbeere nudel sonnenblume lilie tulpe god traeumer traumfrau fortnite
  roblox worldofwarcraft fussballgott eishockey bmw harleydavidson bayernmuenchen muenchen1860 1860muenchen bvb hsv koeln
  effzeh eintracht eintrachtfrankfurt leverkusen unionberlin stpauli sturmgraz nuernberg bielefeld karlsruhe wiesbaden
  rostock uwe sparkasse volksbank kundenservice sommerzeit winterzeit ballerina sexgott accessgranted keineahnung foo baz
  0815 4711 47110815 fc08 s04 mainz05 1fckoeln fcb1900 123hallo hallo123hallo only4you i1love2you nr1
`;

/** Rows, columns and zigzags of keyboards, digits and the alphabet. Any part of a row is common, in both directions. */
const ROWS = [
  '01234567890',
  '13579',
  '24680',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertzuiop',
  'qwertyuiop',
  'asdfghjkl',
  'yxcvbnm',
  'zxcvbnm',
  'qweasdyxc',
  'qweasdzxc',
  'qaywsxedcrfvtgb',
  'qazwsxedcrfvtgb',
  'xaq12wsx',
  '1qay2wsx3edc4rfv',
  '1qaz2wsx3edc4rfv',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
];
const SEQUENCES = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
const MIN_SEQUENCE_LENGTH = 3;

/** Characters that replace letters in a word. */
const DISGUISES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
/** Matches an ending that people add because of a rule: a year, a few digits, a punctuation mark. */
const ENDING = /^(.*?)[\d!?.,;:_#*+$@&%-]{0,6}$/su;
/** Words with a shorter stem are stored whole: otherwise, `kx4711` would make `kx` with any other digits common. */
const MIN_STEM_LENGTH = 4;

/** @returns the words of the lists and of `ADDITIONS`, in the form that `isCommonPassword` needs for lookups */
export function toCommonPasswords({ common, german }: PublishedLists): CommonPasswords {
  const lists = [common['passwords-common'], german.commonWords, german.firstnames, german.lastnames];
  return new Set([...lists.flat(), ...ADDITIONS.trim().split(/\s+/)].map(toEntry));
}

function toEntry(word: string): string {
  const normalizedWord = normalize(word);
  const start = toStem(normalizedWord);
  return start.length >= MIN_STEM_LENGTH ? start : normalizedWord;
}

/** @returns whether the password is common as it is, or without replaced characters, its ending or both */
export function isCommonPassword(password: string, dictionary: CommonPasswords): boolean {
  const normalizedPassword = normalize(password);
  const candidates = [
    normalizedPassword,
    removePunctuation(normalizedPassword),
    toStem(normalizedPassword),
    toStem(removeDisguise(normalizedPassword)),
    removeDisguise(toStem(normalizedPassword)),
  ];
  return (
    isRepetition(normalizedPassword) || candidates.some((text) => isKnown(text, dictionary) || isKnown(halve(text), dictionary))
  );
}

function isKnown(text: string, dictionary: CommonPasswords): boolean {
  return dictionary.has(text) || (text.length >= MIN_SEQUENCE_LENGTH && SEQUENCES.some((row) => row.includes(text)));
}

function normalize(text: string): string {
  return foldText(text).replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter);
}

function toStem(text: string): string {
  return ENDING.exec(text)?.[1] ?? text;
}

function removeDisguise(text: string): string {
  return text.replace(/[@43!1057$]/g, (character) => DISGUISES[character] ?? character);
}

function removePunctuation(text: string): string {
  return text.replace(/[!?.,;:_#*+$@&%-]+$/, '');
}

/** @returns `schatz` for `schatzschatz`, which is as easy to guess; otherwise the text */
function halve(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** Whether the text only repeats one to three characters: `aaaaaa`, `121212`, `abcabcabc`. */
function isRepetition(text: string): boolean {
  return text !== '' && /^(.{1,3}?)\1+$/su.test(text);
}
