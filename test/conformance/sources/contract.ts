/** The contract of every user source, tested with the fake and with real sources. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeveralPeople, SourceUnavailable } from '../../../src/sources/source.errors.js';
import type { PersonKey, UserSource } from '../../../src/sources/user-source.port.js';

export const MARIA = { uid: 'maria', password: 'kupfer linde 4821', mail: 'maria@example.com', displayName: 'Maria Musterfrau' };

export interface SourceUnderTest {
  /** Has `MARIA`, who signs in by username and by address, and two people with the address `double@example.com`. */
  source: UserSource;
  /** False if the source cannot list its people. */
  canListPeople?: false;
  /** Makes the source stop answering. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Names that an attacker could type to match another person, or everybody. */
const HOSTILE_NAMES = [
  '*',
  'm*',
  'maria)(uid=*',
  '*)(|(uid=*',
  'maria\\',
  '\\6daria',
  '(maria)',
  'uid=maria',
  '',
  ' ',
  '\u0000',
  'maria\u0000',
];
/** Spellings of `maria` with invisible characters, which a directory ignores (RFC 4518, section 2.2), and one with spaces. */
const SPELLINGS = ['mar\u00adia', 'mar\u200bia', 'ma  ria', 'maria\u00ad'];

export function sourceContract(name: string, start: () => Promise<SourceUnderTest>): void {
  describe(`[SRC-4] a user source: ${name}`, () => {
    let sourceUnderTest: SourceUnderTest;

    beforeAll(async () => {
      sourceUnderTest = await start();
    });
    afterAll(() => sourceUnderTest.close());

    const getPerson = async (key: PersonKey) => {
      const person = await sourceUnderTest.source.find(key);
      if (!person) throw new Error('nobody was found');
      return person;
    };

    it('finds a person by each name, always under the same id, and by the id', async () => {
      const { subject } = await getPerson({ identifier: 'maria' });
      expect(subject).not.toBe('');
      expect((await getPerson({ identifier: 'MARIA' })).subject).toBe(subject);
      expect((await getPerson({ identifier: 'maria@example.com' })).subject).toBe(subject);
      expect((await getPerson({ subject })).subject).toBe(subject);
    });

    it('describes a person in the same way with the right password and without a password', async () => {
      const person = await getPerson({ identifier: 'maria' });
      const verdict = await sourceUnderTest.source.verify(person, MARIA.password);
      const expectedMembers = {
        username: 'maria',
        email: 'maria@example.com',
        displayName: 'Maria Musterfrau',
        emailVerified: false,
        isActive: true,
      };
      expect(verdict).toMatchObject({ kind: 'proven', person: { subject: person.subject, ...expectedMembers } });
      expect(await sourceUnderTest.source.describe(person)).toEqual(verdict.kind === 'proven' && verdict.person);
    });

    it.each(['kupfer linde 482', 'kupfer linde 48211', 'KUPFER LINDE 4821', '*'])('refuses the password %s', async (password) => {
      expect(await sourceUnderTest.source.verify(await getPerson({ identifier: 'maria' }), password)).toMatchObject({
        kind: 'refused',
      });
    });

    it.each(HOSTILE_NAMES.map((identifier) => [JSON.stringify(identifier), identifier]))(
      'finds nobody by the name %s',
      async (_, identifier) => {
        expect(await sourceUnderTest.source.find({ identifier })).toBeNull();
        expect(await sourceUnderTest.source.find({ subject: identifier })).toBeNull();
      },
    );

    it.each(SPELLINGS.map((identifier) => [JSON.stringify(identifier), identifier]))(
      'does not accept %s for maria, because its failures would be counted separately',
      async (_, identifier) => {
        expect(await sourceUnderTest.source.find({ identifier })).toBeNull();
      },
    );

    it('finds nobody by a name that two people have', async () => {
      const result = await sourceUnderTest.source.find({ identifier: 'double@example.com' }).catch((error: unknown) => error);
      if (result !== null) expect(result).toBeInstanceOf(SeveralPeople);
    });

    it('is inspected by the doctor', async () => {
      const { servers, search, usernames } = await sourceUnderTest.source.inspect(100);
      expect(servers.filter(({ fault }) => fault !== undefined)).toEqual([]);
      const canListPeople = sourceUnderTest.canListPeople !== false;
      expect(search).toEqual(canListPeople ? expect.objectContaining({ isComplete: true }) : 'not-listed');
      expect(usernames.includes('maria')).toBe(canListPeople);
    });

    it('reports that it is unavailable, and never that a password is wrong', async () => {
      const person = await getPerson({ identifier: 'maria' });
      await sourceUnderTest.stop();
      await expect(sourceUnderTest.source.find({ identifier: 'maria' })).rejects.toBeInstanceOf(SourceUnavailable);
      await expect(sourceUnderTest.source.verify(person, MARIA.password)).rejects.toBeInstanceOf(SourceUnavailable);
      const { servers } = await sourceUnderTest.source.inspect(100);
      expect(servers.every(({ fault }) => fault !== undefined)).toBe(true);
    });
  });
}
