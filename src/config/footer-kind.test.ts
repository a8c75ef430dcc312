import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';

const toFooter = (env: Record<string, string>) => loadConfig(env).config.app.footer;

/** @returns the fault without the value, which the fault repeats */
function explainFault(value: string): string {
  try {
    loadConfig({ FOOTER_LINKS: value });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.join('\n').replace(/^FOOTER_LINKS: ".*" (?=is |has |does )/s, '');
    throw error;
  }
  return '';
}

describe('FOOTER_LINKS', () => {
  it('[GEN-5] contains addresses in any language, which take precedence over the settings for German and English', () => {
    const links = {
      terms: { fr: 'https://example.org/cgu' },
      imprint: { fr: 'https://example.org/mentions', en: 'https://example.org/about' },
    };
    const separateSettings = { IMPRINT_URL_DE: 'https://example.org/impressum', IMPRINT_URL_EN: 'https://example.org/imprint' };
    expect(toFooter({ FOOTER_LINKS: JSON.stringify(links), ...separateSettings })).toEqual([
      {
        id: 'imprint',
        urls: { de: 'https://example.org/impressum', en: 'https://example.org/about', fr: 'https://example.org/mentions' },
      },
      { id: 'terms', urls: { fr: 'https://example.org/cgu' } },
    ]);
  });

  it.each([
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['a path', '/imprint'],
    ['an address without a scheme', '//example.org/imprint'],
    ['a password', 'https://someone:secret@example.org/'],
    ['a line break', 'https://example.org/\n'],
    ['a number', 7],
  ])('[GEN-5] refuses %s, and names the link and the language', (_, url) => {
    expect(explainFault(JSON.stringify({ imprint: { fr: url } }))).toMatch(/^has an address of imprint in fr that /);
  });

  it.each([
    ['[]', 'is not a JSON object of links'],
    ['{"imprint": "https://example.org"}', 'has imprint in another form than {"fr": "https://…"}'],
    ['{"about": {}}', 'has "about", which is not one of imprint, privacy, terms, sfdr'],
    ['{"imprint": {"<b>": "https://example.org"}}', 'has imprint in "<b>", which is not the tag of a known language (BCP 47)'],
  ])('[GEN-5] refuses %s', (value, fault) => {
    expect(explainFault(value)).toBe(fault);
  });
});
