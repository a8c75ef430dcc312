import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../../../test/support/test-config.js';
import type { Config } from '../../../config/config.js';
import { checkBrand, checkImages } from './looks.check.js';

const config = testConfig();
const examine = (app: Partial<Config['app']>) =>
  checkBrand({ ...config.app, ...app }).map(({ level, what }) => `${level}: ${what}`);

describe('[LKS-6] the doctor about colours', () => {
  it('reports nothing without a brand colour', () => expect(examine({})).toEqual([]));

  it.each<[Partial<Config['app']>, string[]]>([
    [
      { brandColour: '#1a7f5a' },
      [
        'ok: On light pages BRAND_COLOUR #1a7f5a fills buttons, with white text (contrast 5.0).',
        'ok: On dark pages BRAND_COLOUR #1a7f5a fills buttons, with white text (contrast 5.0).',
      ],
    ],
    [
      { brandColour: '#ffd24a' },
      [
        'ok: On light pages BRAND_COLOUR #ffd24a fills buttons, with black text (contrast 14.6); it hardly differs from the page (contrast 1.3 of 3), so buttons get an edge.',
        'ok: On dark pages BRAND_COLOUR #ffd24a fills buttons, with black text (contrast 14.6).',
      ],
    ],
    [
      { brandColour: '#12213f', theme: 'dark' },
      [
        'hint: On dark pages BRAND_COLOUR #12213f fills buttons, with white text (contrast 16.0); it hardly differs from the page (contrast 1.0 of 3), so buttons get an edge.',
      ],
    ],
    [
      { brandColour: '#12213f', brandColourDark: '#8fb4ff' },
      [
        'ok: On light pages BRAND_COLOUR #12213f fills buttons, with white text (contrast 16.0).',
        'ok: On dark pages BRAND_COLOUR_DARK #8fb4ff fills buttons, with black text (contrast 10.1).',
      ],
    ],
  ])('reports the fill of buttons for %j', (app, sentences) => expect(examine(app)).toEqual(sentences));
});

describe('[LKS-6] the doctor about images', () => {
  const examineApp = (app: Partial<Config['app']>, publicUrl = 'https://login.example') => {
    const mail = { ...config.mail, server: { host: 'mail.example', port: 465, encryption: 'tls' as const } };
    return checkImages({ app: { ...config.app, ...app }, publicUrl, mail }).map(({ level, what }) => `${level}: ${what}`);
  };

  it('reports nothing about images that browsers and mails show', () => {
    const logoUrl = 'https://a.example/logo.png';
    expect(examineApp({ logoUrl, logoDarkUrl: logoUrl, iconUrls: ['https://a.example/i.svg'], touchIconUrl: logoUrl })).toEqual(
      [],
    );
    expect(examineApp({ iconUrls: ['http://localhost:9/i.svg'] }, 'http://localhost:3000')).toEqual([]);
  });

  it.each<[Partial<Config['app']>, string]>([
    [{ logoUrl: 'http://a.example/l.png' }, 'fault: LOGO_URL, http://a.example/l.png, is not shown'],
    [
      { iconUrls: ['https://a.example/i.png', 'http://localhost:9/i.png'] },
      'fault: ICON_URL, http://localhost:9/i.png, is not shown',
    ],
    [{ logoUrl: 'https://a.example/l.svg' }, 'hint: Mails show the name instead of LOGO_URL'],
    [{ logoDarkUrl: 'https://a.example/l.svg' }, 'hint: Mails show the logo of LOGO_URL, or the name, instead of LOGO_DARK_URL'],
    [{ touchIconUrl: 'https://a.example/t.svg' }, 'hint: TOUCH_ICON_URL is an SVG, which Apple devices do not show.'],
  ])('reports the image of %j, which is not shown everywhere', (app, sentence) =>
    expect(examineApp(app)).toEqual([expect.stringContaining(sentence)]),
  );
});
