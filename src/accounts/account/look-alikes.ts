/**
 * Two usernames look alike if they share a skeleton (UTS 39, section 4). The comparison also finds look-alikes within one
 * script, such as `paypa1`, or a Cyrillic word whose letters look Latin. The data is in `confusables.txt`.
 */
import { readFileSync } from 'node:fs';
import { foldText } from '../../contract/folded-text.js';

/** Small capitals of the Latin letters below, in the same order. UTS 39 distinguishes them from these letters; readers do not. */
const SMALL_CAPITALS = 'ᴀʙᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴘʀᴛᴜʏ';
const PLAIN_LETTERS = 'abdefghijklmnprtuy';

let prototypes: ReadonlyMap<string, string> | undefined;

/** A name has a second skeleton if its capitals matter: `PayPaI` looks like `PayPal`, `paypai` does not. */
export function toSkeletons(username: string): string[] {
  return [...new Set([toFoldedSkeleton(foldText(username)), toFoldedSkeleton(foldText(toSkeleton(username)))])];
}

/** Skeletons without separators and with `l` for `i`, so that `ad-min` and `ADMlN` are equal to `admin`. */
export function toPlainSkeletons(username: string): string[] {
  return toSkeletons(username.replace(/[._+-]/g, '')).map((skeleton) => skeleton.replaceAll('i', 'l'));
}

function toFoldedSkeleton(name: string): string {
  return foldText(toSkeleton(name));
}

function toSkeleton(text: string): string {
  prototypes ??= readPrototypes();
  const prototypeMap = prototypes;
  return Array.from(text.normalize('NFD'), toPlainLetter)
    .map((character) => prototypeMap.get(character) ?? character)
    .join('')
    .normalize('NFD');
}

function toPlainLetter(character: string): string {
  return PLAIN_LETTERS.charAt(SMALL_CAPITALS.indexOf(character)) || character;
}

function readPrototypes(): ReadonlyMap<string, string> {
  return new Map(
    readFileSync(new URL('confusables.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .flatMap((line) => {
        const [prototype = '', sources = ''] = line.split(':').map(toCharacters);
        return Array.from(sources, (source): [string, string] => [source, prototype]);
      }),
  );
}

function toCharacters(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split(' ').map((hex) => Number.parseInt(hex, 16)));
}
