import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { PageState } from '../../contract/page-state.js';
import { THEME_COLOURS, buildDocument } from './document.js';

const hostileText = `</div></script><script>alert(1)</script>" onload="x" ' & \u2028 <!--`;
const state: PageState = {
  page: 'oauth_error',
  locale: 'en',
  locale_source: 'default',
  app: { name: hostileText, login_address: '', footer_links: [] },
  oauth_error: { error: hostileText, error_description: '' },
};
const assets = {
  styles: ['/assets/a.css'],
  icons: [],
  preloads: ['/assets/b.js'],
  scripts: ['/assets/c.js'],
  phrases: { en: '/assets/d.js' },
};
const renderedPage = { title: hostileText, markup: '<p>safe</p>', rootClass: 'shell', page: 'oauth_error', modules: [] } as const;

describe('buildDocument', () => {
  const html = buildDocument({ state, renderedPage, assets, theme: 'dark', dir: 'rtl' });

  it('[GEN-1] contains the state in an attribute, which no value of the state can end', () => {
    const attribute = /data-state="([^"]*)"/.exec(html)?.[1] ?? '';
    expect(attribute).not.toMatch(/[<>"']/);
    expect(html).not.toContain('<script>');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('onload="x"');
  });

  it('has no inline script or style', () => {
    expect(html).not.toMatch(/ style=|<style| on[a-z]+="/);
  });

  it('[I18-5] names the language, the direction, and the files with the phrases of each language', () => {
    expect(html).toContain('<html lang="en" dir="rtl"');
    expect(html).toContain('data-phrases="{&quot;en&quot;:&quot;/assets/d.js&quot;}"');
  });

  it('fixes the theme if the installation does', () => {
    expect(html).toContain('data-theme="dark"');
    expect(buildDocument({ state, renderedPage, assets, theme: 'system', dir: 'ltr' })).not.toContain('data-theme');
  });

  it('[LKS-2] gives the bars of the browser the colour of the surface in the shown theme', () => {
    const [, light, dark] = /--surface: light-dark\((#\w+), (#\w+)\)/.exec(readFileSync('web/styles/tokens.css', 'utf8')) ?? [];
    expect(THEME_COLOURS).toEqual({ light, dark });
    const findMetas = (theme: 'system' | 'dark') =>
      buildDocument({ state, renderedPage, assets, theme, dir: 'ltr' }).match(/<meta name="theme-color"[^>]*>/g);
    expect(findMetas('dark')).toEqual([`<meta name="theme-color" content="${dark}">`]);
    expect(findMetas('system')).toEqual([
      `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}">`,
      `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}">`,
    ]);
  });

  it('[LKS-2] links the icons of the installation', () => {
    const icons = [
      { rel: 'icon', url: 'https://a.example/i.png' },
      { rel: 'icon', url: 'https://a.example/i.svg?v="2"' },
      { rel: 'apple-touch-icon', url: 'https://a.example/t.png' },
    ] as const;
    const htmlWithIcons = buildDocument({ state, renderedPage, assets: { ...assets, icons }, theme: 'system', dir: 'ltr' });
    expect(htmlWithIcons.match(/<link rel="[^"]*icon"[^>]*>/g)).toEqual([
      '<link rel="icon" href="https://a.example/i.png">',
      '<link rel="icon" type="image/svg+xml" href="https://a.example/i.svg?v=&quot;2&quot;">',
      '<link rel="apple-touch-icon" href="https://a.example/t.png">',
    ]);
  });
});
