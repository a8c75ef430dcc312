import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { writeChangeAnnouncedMail } from './change-announced-mail.js';
import { writeDeletionMail } from './deletion-mail.js';

const CONFIG = {
  app: { name: 'Meridian', loginAddress: 'login.example.org' },
  publicUrl: 'https://login.example.org',
};

const VALUES = { due: '2026-11-28T13:25:40Z', keep: 'a-token', change: 'factors', from: '2026-11-28T13:25:40Z', stop: 'a-token' };

const write = (locale: string, values: Record<string, string>) => {
  const notice = { language: SHIPPED.get(locale), username: 'maria', values, queuedAt: new Date('2026-11-21T13:25:40Z') };
  return [
    writeDeletionMail('deletion-requested', { ...notice, kind: 'deletion-requested' }, CONFIG),
    writeChangeAnnouncedMail({ ...notice, kind: 'change-announced' }, CONFIG),
  ].map(({ text }) => text.split('\n\n').filter((part) => !part.startsWith('-- ')));
};

describe('a mail whose values are sealed with a secret that is no longer configured', () => {
  it('omits the date and the advice about the link', () => {
    const [[deletion], change] = write('en', {}) as [string[], string[]];
    expect(deletion).toBe(
      'The deletion of your Meridian account was requested. Until then you can use your account as before. If you’d like to keep it, sign in at login.example.org and open the login settings.',
    );
    expect(change[0]).toBe(
      'Somebody asked the help desk of Meridian to change your account. The help desk couldn’t check who was asking.',
    );
    expect(change.at(-1)).toBe('If you have questions or didn’t expect this, please contact Meridian support.');
  });

  it.each(SHIPPED.locales)('has no gap: %s', (locale) => {
    for (const [part = ''] of write(locale, {})) expect(part).not.toMatch(/ {2}| ,|undefined|\{\{/);
  });
});

describe('a mail with its values', () => {
  it('says when', () => {
    const [[deletion], [change]] = write('en', VALUES) as [string[], string[]];
    expect(deletion).toContain(
      'The deletion of your Meridian account was requested. It will be deleted on 28 November 2026 at 13:25 UTC, with everything that is stored for it.',
    );
    expect(change).toContain(
      'The help desk couldn’t check who was asking. The change will be made on 28 November 2026 at 13:25 UTC at the earliest,',
    );
  });
});
