/** `foyer languages check`: checks files of languages before a start, without a running Foyer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PHRASES } from '../../locales/phrases.js';
import { runLine } from '../support/operator-story.js';

const { 'language.name': _name, 'language.dates': _dates, ...EN } = PHRASES.en;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'languages-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

const check = (...more: string[]) => runLine(['languages', 'check', folder, ...more], { env: {} });

describe('foyer languages check', () => {
  it('reports complete and partial files and the resulting languages, and ends with 0', async () => {
    write('de.json', { 'login.submit': 'Hinein' });
    write('tr.json', EN);
    const { code, out, err } = await check();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^LOCALE +NAME +DATES +DIR\n/);
    expect(out).toMatch(/^tr +Türkçe +tr +ltr$/m);
    expect(out).toMatch(/^ar +العربية +ar\S* +rtl$/m);
    const { faults, languages } = JSON.parse((await check('--json')).out) as { faults: string[]; languages: object[] };
    expect(faults).toEqual([]);
    expect(languages).toContainEqual({ locale: 'tr', name: 'Türkçe', dates: 'tr', dir: 'ltr' });
  });

  it('reports each fault with its file and its key, or line and column, and ends with 1', async () => {
    write('de.json', '{\n  "login.submit": "Hinein",\n}');
    write('fr.json', { 'login.submti': 'x', 'app.back_to': 'Retour' });
    expect(await check()).toEqual({
      code: 1,
      out: [
        'de.json: is not JSON: line 3, column 1: Expected double-quoted property name',
        'fr.json: login.submti: is not a key of this version; did you mean login.submit?',
        'fr.json: app.back_to: lacks {{name}}',
        '',
      ].join('\n'),
      err: '',
    });
    expect(JSON.parse((await check('--json')).out)).toMatchObject({ faults: expect.arrayContaining([expect.any(String)]) });
  });

  it('reports every missing phrase of a language with which Foyer would start, and ends with 1', async () => {
    const lost = Object.keys(EN)
      .filter((key) => /^(login|consent)\./.test(key))
      .slice(0, 80);
    write('tr.json', Object.fromEntries(Object.entries(EN).filter(([key]) => !lost.includes(key))));
    const { code, out } = await check();
    expect(code).toBe(1);
    expect(out.trim().split('\n').sort()).toEqual(lost.map((key) => `tr.json: ${key}: is missing`).sort());
  });

  it('shows a key of a file without control characters', async () => {
    write('fr.json', { 'login.\u001b[2J': 'x' });
    expect((await check()).out).toContain('login.\uFFFD[2J');
  });

  it('ends with 1 for a missing directory, and with 2 without an argument', async () => {
    rmSync(folder, { recursive: true });
    const { code, out } = await check();
    expect([code, out]).toEqual([1, `the directory ${JSON.stringify(folder)} cannot be read (ENOENT)\n`]);
    folder = mkdtempSync(join(tmpdir(), 'languages-check-'));
    expect((await runLine('languages check', { env: {} })).code).toBe(2);
  });
});
