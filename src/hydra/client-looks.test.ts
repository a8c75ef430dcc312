import { describe, expect, it } from '@jest/globals';
import { toLogos } from './client-links.js';
import { ClientLooks } from './client-looks.js';
import type { ClientProfile } from './client-profile.js';

const LOOK = {
  colour: '#1A5FB4',
  colour_dark: '#8fb4ff',
  radius: '4px',
  logo: 'https://app.example/logo.svg',
  logo_dark: 'https://app.example/dark.svg',
  name: 'The App',
};

const buildClient = (look: unknown): ClientProfile => ({
  id: 'app',
  name: 'app-prod-7',
  logoUri: 'https://app.example/registered.png',
  redirectUris: [],
  postLogoutRedirectUris: [],
  isPublic: true,
  skipConsent: false,
  skipLogoutConsent: false,
  foyer: { confirmSession: false, returnUrls: [], look },
});

function applyLook(look: unknown, settings: Partial<ConstructorParameters<typeof ClientLooks>[0]> = {}) {
  const warnings: string[] = [];
  const looks = new ClientLooks({ clientLooks: ['app'], theme: 'system', ...settings }, (id, { field, fault }) =>
    warnings.push(`${id} ${field} ${fault}`),
  );
  const profile = looks.applyTo(buildClient(look));
  looks.applyTo(buildClient(look));
  return { profile, warnings };
}

describe('[LKS-4] the look of a client that the installation names', () => {
  it('is used', () => {
    const { profile, warnings } = applyLook(LOOK);
    expect(profile).toMatchObject({
      name: 'The App',
      logoUri: 'https://app.example/logo.svg',
      logoDarkUri: 'https://app.example/dark.svg',
      look: { brandColour: '#1a5fb4', brandColourDark: '#8fb4ff', brandRadius: '4px' },
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['light', 'https://app.example/logo.svg', undefined],
    ['dark', 'https://app.example/dark.svg', 'https://app.example/dark.svg'],
  ] as const)('has one logo if the theme is %s for everybody', (theme, logo, dark) => {
    expect(toLogos(applyLook(LOOK, { theme }).profile)).toEqual({ logo_url: logo, ...(dark ? { logo_dark_url: dark } : {}) });
  });

  it('may be incomplete: the rest stays as registered', () => {
    const { profile } = applyLook({ radius: '0' });
    expect(profile).toMatchObject({ name: 'app-prod-7', logoUri: 'https://app.example/registered.png' });
    expect(profile.look).toEqual({ brandRadius: '0' });
    expect(applyLook({ name: 'Only a name' }).profile.look).toBeUndefined();
  });

  const FAULTS = {
    colour: 'is not a colour like #1a5fb4',
    radius: 'is not a length like 8px or 0.5rem',
    logo: 'is neither an https address nor a data: image of at most 64 KiB',
    name: 'is empty or longer than 100 characters',
  };
  it.each([
    ['colour', 'red;}body{display:none'],
    ['colour', '#1a5fb'],
    ['colour', '#1a5fb4 '],
    ['colour', 'var(--danger)'],
    ['colour', 7],
    ['colour', ['#1a5fb4']],
    ['colour', 'x'.repeat(1_000_000)],
    ['radius', '</style><script>alert(1)</script>'],
    ['radius', '9999px'],
    ['radius', 'calc(1px)'],
    ['logo', 'javascript:alert(1)'],
    ['logo', 'http://app.example/logo.png'],
    ['logo', 'data:text/html,<script>'],
    ['logo', `data:image/png,${'x'.repeat(70_000)}`],
    ['logo_dark', '//app.example/x.png'],
    ['name', ''],
    ['name', '\u202e'],
    ['name', '\u200b\u2060\u3164'],
    ['name', 'x'.repeat(101)],
    ['name', { toString: 'x' }],
  ])('loses an invalid %s, with one warning about it (%#)', (field, value) => {
    const { profile, warnings } = applyLook({ ...LOOK, [field]: value });
    const [expectedFault] = Object.entries(FAULTS).flatMap(([start, fault]) => (field.startsWith(start) ? [fault] : []));
    const fault = typeof value === 'string' ? expectedFault : 'is not a string';
    expect(warnings).toEqual([`app ${field} ${fault}`, ...(field === 'colour' ? ['app colour_dark requires colour'] : [])]);
    expect(JSON.stringify(profile).length).toBeLessThan(1000);
    expect(profile).not.toEqual(applyLook(LOOK).profile);
  });

  it('has a name without invisible characters, except those that scripts and emoji need', () => {
    const { profile } = applyLook({ ...LOOK, name: 'Te\u200bsc\u00ado \u0645\u06cc\u200c\u0631 \u{1f468}\u200d\u{1f33e}\ufe0f' });
    expect(profile.name).toBe('Tesco \u0645\u06cc\u200c\u0631 \u{1f468}\u200d\u{1f33e}\ufe0f');
  });

  it.each([['a text'], [7], [null], [[]]])('is not used if it is %j', (look) => {
    const { profile, warnings } = applyLook(look);
    expect(profile).toMatchObject({ name: 'app-prod-7' });
    expect(warnings).toEqual(['app look is not a JSON object']);
  });

  it('causes one warning for all unknown members', () => {
    const unknownMembers = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`--x${index}`, 'y']));
    const { profile, warnings } = applyLook({ ...unknownMembers, colour: '#1a5fb4', constructor: 'x' });
    expect(warnings).toEqual(['app an unknown member is not one of colour, colour_dark, radius, logo, logo_dark, name']);
    expect(profile.look).toEqual({ brandColour: '#1a5fb4' });
  });
});

describe('[LKS-5] the look of another client', () => {
  it.each([[[]], [['other']], [['App']]])('is not used if the setting is %j', (clientLooks) => {
    const { profile, warnings } = applyLook(LOOK, { clientLooks });
    expect(profile).toMatchObject({ name: 'app-prod-7', logoUri: 'https://app.example/registered.png' });
    expect(JSON.stringify(profile)).not.toMatch(/1a5fb4|The App|dark\.svg/i);
    expect(warnings).toEqual([]);
  });

  it('is used if the setting names every client', () => {
    expect(applyLook(LOOK, { clientLooks: ['*'] }).profile.name).toBe('The App');
  });
});
