import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { buildTermsKind } from './terms-kind.js';
import type { Terms } from './value-types.js';

const ENGLISH = 'Terms of use\n\nBe kind.\n';
const FILES: Record<string, Uint8Array> = {
  'en.txt': Buffer.from(ENGLISH),
  'de.txt': Buffer.from('Nutzungsbedingungen\r\n\r\nSeien Sie nett.\r\n'),
  'empty.txt': Buffer.from(' \n\n'),
  'latin.txt': Buffer.from([0x46, 0xfc, 0x72]),
  'mark.txt': Buffer.from('\uFEFFTerms\n'),
  'control.txt': Buffer.from('Terms\u0000\n'),
  'large.txt': Buffer.alloc(200 * 1024 + 1, 'a'),
  'title.txt': Buffer.from(`${'a'.repeat(151)}\n`),
};
const USE = { id: 'use', version: '2', files: { en: 'en.txt', de: 'de.txt' } };

const kind = buildTermsKind((path) => {
  const file = FILES[path];
  if (!file) throw Object.assign(new Error('secret path'), { code: 'ENOENT' });
  return file;
});

function read(list: unknown): readonly Terms[] {
  const reading = kind.read(JSON.stringify(list));
  if ('fault' in reading) throw new Error(reading.fault);
  return reading.value;
}

function findFault(list: unknown): string {
  const reading = kind.read(JSON.stringify(list));
  return 'fault' in reading ? reading.fault : '';
}

describe('[TSK-10] TERMS', () => {
  it('has the texts of the files with their titles and hashes', () => {
    const [terms] = read([USE]);
    expect(terms).toMatchObject({ id: 'use', version: '2' });
    expect(Object.keys(terms!)).toEqual(['id', 'version', 'texts']);
    const sha256 = createHash('sha256').update(ENGLISH).digest('hex');
    expect(terms!.texts[0]).toEqual({ locale: 'en', title: 'Terms of use', text: ENGLISH, sha256 });
    expect(terms!.texts[1]).toMatchObject({ locale: 'de', title: 'Nutzungsbedingungen' });
  });

  it('may be for some clients, from a day on, and be postponed until a time', () => {
    const [terms] = read([{ ...USE, clients: ['portal'], from: '2027-01-01', later_until: '2027-02-01T08:00:00+01:00' }]);
    expect(terms).toMatchObject({
      clients: ['portal'],
      from: new Date('2027-01-01T00:00:00Z'),
      laterUntil: new Date('2027-02-01T07:00:00Z'),
    });
  });

  it.each([
    ['{}', {}, 'is not a JSON list'],
    ['an unknown member', [{ ...USE, title: 'a' }], '/0/title is not one of'],
    ['no id', [{ ...USE, id: undefined }], '/0/id is missing'],
    ['an id with other characters', [{ ...USE, id: 'Use.' }], '/0/id is not a name'],
    ['no version', [{ ...USE, version: undefined }], '/0/version is missing'],
    ['a version as a number', [{ ...USE, version: 2 }], '/0/version is not a text'],
    ['an id twice', [USE, { ...USE, version: '3' }], 'has the id use twice'],
    ['no files', [{ ...USE, files: {} }], '/0/files names no file'],
    ['an unknown language', [{ ...USE, files: { german: 'de.txt' } }], '/0/files/german is not named after a known language tag'],
    ['a missing file', [{ ...USE, files: { en: 'none.txt' } }], '/0/files/en names a file that cannot be read (ENOENT)'],
    ['an empty file', [{ ...USE, files: { en: 'empty.txt' } }], '/0/files/en names a file that is empty'],
    ['another encoding', [{ ...USE, files: { en: 'latin.txt' } }], 'is not UTF-8'],
    ['a byte order mark', [{ ...USE, files: { en: 'mark.txt' } }], 'byte order mark'],
    ['control characters', [{ ...USE, files: { en: 'control.txt' } }], 'control characters'],
    ['a large file', [{ ...USE, files: { en: 'large.txt' } }], 'is larger than 200 KiB'],
    ['a long title', [{ ...USE, files: { en: 'title.txt' } }], 'more than 150 characters'],
    ['no client in the list', [{ ...USE, clients: [] }], '/0/clients names no client'],
    ['a day that does not exist', [{ ...USE, from: '2027-02-30' }], '/0/from is not a date'],
    ['another form of a date', [{ ...USE, later_until: '1.2.2027' }], '/0/later_until is not a date'],
    ['dates in the wrong order', [{ ...USE, from: '2027-02-01', later_until: '2027-01-01' }], 'is not later than from'],
  ])('does not accept %s', (_, list, fault) => {
    expect(findFault(list)).toContain(fault);
  });
});
