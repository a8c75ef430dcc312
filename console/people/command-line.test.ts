import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { formatCommand, quoteArgument } from './command-line.js';

/** Texts with characters that have a meaning in a shell, or that nobody sees. */
const TEXTS = [
  'maria.musterfrau',
  "o'brien",
  "it's 'quoted' twice",
  '$(touch /tmp/x) `id` $HOME',
  'two words',
  'a\\b',
  '; exit 1 #',
  '*?[a]{b,c}~',
  '!history',
  'two\nlines',
  'back\\slash and \u202E hidden',
  '\u0007bell',
  '\u{E0041}tag',
  '=equals',
  '%50',
  '“typographic” — äöü',
];

describe('a quoted argument', () => {
  it.each(TEXTS)('is read by a shell as %j', (text) => {
    const output = execFileSync('bash', ['--norc', '-c', `printf %s ${quoteArgument(text)}`], {
      env: { LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    expect(output).toBe(text);
  });

  it('stays unquoted if it is harmless, and never contains a hidden character', () => {
    expect(quoteArgument('maria.musterfrau@example.org')).toBe('maria.musterfrau@example.org');
    for (const text of TEXTS) expect(quoteArgument(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('is quoted if it is empty', () => {
    expect(quoteArgument('')).toBe("''");
  });
});

describe('a command', () => {
  it('contains command, operands and options', () => {
    const command = {
      words: ['account', 'sessions', 'end', 'maria'],
      options: [['session', 'n4bQ'], ['yes'], ['reason', 'On the phone']] as const,
    };
    expect(formatCommand(command)).toBe(`foyer account sessions end maria --session n4bQ --yes --reason 'On the phone'`);
  });

  it('joins a value that looks like an option to the name of its option', () => {
    const command = { words: ['account', 'disable', 'maria'], options: [['reason', "--it's over"]] as const };
    expect(formatCommand(command)).toBe(String.raw`foyer account disable maria --reason='--it'\''s over'`);
  });
});
