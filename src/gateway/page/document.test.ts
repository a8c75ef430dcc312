import { describe, expect, it } from '@jest/globals';
import type { PageState } from '../../contract/page-state.js';
import { documentOf } from './document.js';

const hostile = `</div></script><script>alert(1)</script>" onload="x" ' & \u2028 <!--`;
const state: PageState = {
  page: 'oauth_error',
  locale: 'en',
  locale_source: 'default',
  app: { name: hostile, login_address: '', footer_links: [] },
  oauth_error: { error: hostile, error_description: '' },
};
const assets = {
  styles: ['/assets/a.css'],
  icons: [],
  preloads: ['/assets/b.js'],
  scripts: ['/assets/c.js'],
  phrases: { en: '/assets/d.js' },
};
const rendered = { title: hostile, markup: '<p>safe</p>', rootClass: 'shell', page: 'oauth_error', modules: [] } as const;

describe('documentOf', () => {
  const html = documentOf({ state, rendered, assets, theme: 'dark', dir: 'rtl' });

  it('[GEN-1] carries the state in an attribute, and nothing of it gets out', () => {
    const attribute = /data-state="([^"]*)"/.exec(html)?.[1] ?? '';
    expect(attribute).not.toMatch(/[<>"']/);
    expect(html).not.toContain('<script>');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('onload="x"');
  });

  it('has no inline script or style', () => {
    expect(html).not.toMatch(/ style=|<style| on[a-z]+="/);
  });

  it('[I18-5] says language and direction, and where the phrases of each language are', () => {
    expect(html).toContain('<html lang="en" dir="rtl"');
    expect(html).toContain('data-phrases="{&quot;en&quot;:&quot;/assets/d.js&quot;}"');
  });

  it('fixes a theme where the installation does', () => {
    expect(html).toContain('data-theme="dark"');
    expect(documentOf({ state, rendered, assets, theme: 'system', dir: 'ltr' })).not.toContain('data-theme');
  });
});
