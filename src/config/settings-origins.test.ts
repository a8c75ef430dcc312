import { describe, expect, it } from '@jest/globals';
import { listSettings } from './settings-origins.js';
import { SETTINGS, type Setting } from './settings.js';

const ALL_SETTINGS = Object.values(SETTINGS).flatMap((section) => Object.values<Setting>(section));
const find = (env: Record<string, string>, name: string) => listSettings(env).find((setting) => setting.name === name);

describe('the settings that operators see', () => {
  it('are all settings', () => {
    const names = listSettings({}).map(({ name }) => name);
    expect(names.toSorted()).toEqual(ALL_SETTINGS.map(({ name }) => name).toSorted());
  });

  it('have an origin', () => {
    expect(find({ PUBLIC_URL: ' https://login.example.org ' }, 'PUBLIC_URL')).toMatchObject({
      origin: 'environment',
      value: 'https://login.example.org',
      file: null,
      secret: false,
    });
    expect(find({ SMTP_URL_FILE: '/run/secrets/smtp' }, 'SMTP_URL')).toMatchObject({
      origin: 'file',
      value: null,
      file: '/run/secrets/smtp',
      secret: true,
    });
    expect(find({ PORT: '' }, 'PORT')).toMatchObject({ origin: 'default', value: null, default: '3000' });
  });

  it('[OPR-3] never reveal a secret, whichever setting contains it', () => {
    const secret = 'smtps://mail:hunter2-secret@mail.example.org';
    const env = Object.fromEntries(ALL_SETTINGS.map(({ name }) => [name, secret]));
    expect(JSON.stringify(listSettings(env))).not.toContain('hunter2');
    const url = 'postgres://foyer:p@ss/wo?rd#x@db.example.org/foyer';
    const json = JSON.stringify(listSettings({ DATABASE_URL: url, PUBLIC_URL: url }));
    expect(['p@ss', '@ss', 'wo?rd', 'rd#x'].filter((part) => json.includes(part))).toEqual([]);
    const webUrls = ['https://me:hun,ter"2 x@a.example.org', 'https://a.example.org/?api-key=hunter2&name=x'];
    for (const webUrl of webUrls) {
      const { value } = find({ PUBLIC_URL: webUrl }, 'PUBLIC_URL') ?? {};
      expect(value).toMatch(/^https:\/\/(…@)?a\.example\.org/);
      expect(value).not.toMatch(/hun|ter/);
    }
  });
});
