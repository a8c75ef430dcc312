// Writes src/accounts/account/confusables.txt from Unicode's confusables.txt (UTS 39), reduced to the characters of usernames and of
// their NFD.
// Usage: node scripts/confusables.mjs <path of confusables.txt>
import { readFileSync, writeFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
if (path === undefined)
  throw new Error(
    'Usage: node scripts/confusables.mjs PATH, where PATH is confusables.txt from https://www.unicode.org/Public/security/',
  );

const USABLE = /^[\p{L}\p{Nd}\p{M}._@+-]$/u;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const text = readFileSync(path, 'utf8');
const [, version] = /^# Version: (\S+)/m.exec(text) ?? [];
const groups = new Map();
for (const [, source, target] of text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)) {
  const character = String.fromCodePoint(Number.parseInt(source, 16));
  // Usernames are stored in NFKC, and a skeleton begins with NFD, so other characters never occur.
  const isUsed = character.normalize('NFKC') === character || character.normalize('NFD') === character;
  if (!USABLE.test(character) || RIGHT_TO_LEFT.test(character) || !isUsed) continue;
  groups.set(target, [...(groups.get(target) ?? []), source]);
}
const lines = [...groups].map(([target, sources]) => `${target}:${sources.join(' ')}`);
writeFileSync(
  'src/accounts/account/confusables.txt',
  `# Characters that look alike: Unicode ${version}, UTS 39, confusables.txt, reduced to the characters of usernames and of their NFD. Written by
# scripts/confusables.mjs. © Unicode, Inc., under the Unicode licence (https://www.unicode.org/license.txt).
# Each line: the prototype, then the characters that stand for it. Code points in hexadecimal.
${lines.join('\n')}
`,
);
process.stdout.write(`${groups.size} prototypes of Unicode ${version}\n`);
