import { describe, expect, it } from '@jest/globals';
import { loadConfig, surveyConfig } from './load-config.js';
import { stylesheet } from './style-kind.js';

const VALID_STYLESHEET = `
/* "@import" and url(http://old.example/) in a comment, and a brace: } */
.card { border-width: 2px; background: url("https://cdn.example/a(1).png") }
.brand::after { content: "} @import {"; mask: url(data:image/svg+xml,%3Csvg%20/%3E) }
@media (width < 600px) { :root { --radius: 0 } }
`;

const explainFault = (css: string) => {
  const reading = stylesheet.read(css);
  return 'fault' in reading ? reading.fault : null;
};

describe('[LKS-3] the stylesheet of an installation', () => {
  it('is not changed, apart from white space at its ends', () => {
    expect(stylesheet.read(VALID_STYLESHEET)).toEqual({ value: VALID_STYLESHEET });
    const { config } = loadConfig({ STYLE_FILE: '/etc/foyer/style.css' }, () => VALID_STYLESHEET);
    expect(config.app.style).toBe(VALID_STYLESHEET.trim());
  });

  it.each([
    ['@import "other.css"; .a{}', 'has @import'],
    ['.a{} @IMPORT url(https://a.example/b.css);', 'has @import'],
    ['@font-face{font-family:A;src:url(https://a.example/a.woff2)}', 'has @font-face'],
    ['.a{background:url(http://a.example/b.png)}', 'has the address "http://a.example/b.png"'],
    [".a{background:url('//a.example/b.png')}", 'has the address "//a.example/b.png"'],
    ['.a{background:url(b.png)}', 'has the address "b.png"'],
    ['.a{background:url(javascript:alert)}', 'has the address "javascript:alert"'],
    ['.a{background:url(data:text/html,x)}', 'has the address "data:text/html,x"'],
    ['.a{background:url(https://a.example/a b)}', 'has an address that cannot be read'],
    ['@import "a"; .a{background:url(b.png)', 'addresses); is not a stylesheet: it has a { without a }'],
    ['.a{color:red', 'is not a stylesheet: it has a { without a }'],
    ['.a{color:red}}', 'is not a stylesheet: it has a } without a {'],
    ['.a{} /* open', 'is not a stylesheet: it has a comment without an end'],
    ['<!doctype html><style>.a{}</style>', 'is not a stylesheet'],
    ['nothing of the kind', 'is not a stylesheet'],
    [`.a{}${' '.repeat(64 * 1024)}`, 'is longer than 64 KB'],
  ])('is refused if it is wrong (%#)', (css, fault) => expect(explainFault(css)).toContain(fault));

  it('prevents the start if it is missing or wrong, with a fault that names the setting', () => {
    const failToRead = () => {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    };
    expect(surveyConfig({ STYLE_FILE: '/no/style.css' }, failToRead).faults).toEqual([
      'STYLE_FILE: the file "/no/style.css" cannot be read (ENOENT)',
    ]);
    expect(surveyConfig({ STYLE_FILE: '/style.css' }, () => '@import "x";').faults[0]).toMatch(
      /^STYLE_FILE: the file "\/style.css" has @import/,
    );
  });
});

describe('[LKS-2] settings for dark pages', () => {
  it('require the settings for all pages', () => {
    const env = { LOGO_DARK_URL: 'https://a.example/b.svg', BRAND_COLOUR_DARK: '#ffffff' };
    expect(surveyConfig(env).faults).toEqual([
      'LOGO_DARK_URL: requires LOGO_URL, which is not set',
      'BRAND_COLOUR_DARK: requires BRAND_COLOUR, which is not set',
    ]);
    expect(surveyConfig({ ...env, LOGO_URL: 'https://a.example/a.svg', BRAND_COLOUR: '#000000' }).faults).toEqual([]);
  });
});
