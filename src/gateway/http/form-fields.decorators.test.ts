import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { gatewayBodyPipe } from './body-rules.js';
import { Challenge } from './form-fields.decorators.js';

class Form {
  @Challenge()
  challenge = '';
}

const readChallenge = async (challenge: unknown): Promise<string> =>
  (await gatewayBodyPipe().read(Form, { challenge })).challenge;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('Challenge', () => {
  it.each([900, 901, 902])('accepts a sealed challenge of %i bytes only if its unused bits are zero', async (bytes) => {
    const body = randomBytes(bytes).toString('base64url');
    const padding = '='.repeat((4 - (body.length % 4)) % 4);
    const spellings = Array.from(ALPHABET).map((character) => body.slice(0, -1) + character + padding);
    const decodedBytes = Buffer.from(body, 'base64url');
    const equalSpellings = spellings.filter((spelling) => Buffer.from(spelling, 'base64url').equals(decodedBytes));
    const challenges = await Promise.all(equalSpellings.map(readChallenge));
    expect(challenges.filter((challenge) => challenge !== '')).toEqual([body + padding]);
  });

  it.each(['0f8fad5b-d9cb-469f-a165-70867728950e', 'a'.repeat(32), 'short'])('accepts the id %s', async (id) => {
    expect(await readChallenge(id)).toBe(id);
  });

  it.each([[undefined], [null], [7], [['x']], [{}], [''], ['a=b'], ['==='], ['a b'], ['<script>'], ['\0']])(
    'treats %p as missing',
    async (value) => {
      expect(await readChallenge(value)).toBe('');
    },
  );

  it('treats a text of 20,000 characters as missing', async () => {
    expect(await readChallenge('x'.repeat(20_000))).toBe('');
  });
});
