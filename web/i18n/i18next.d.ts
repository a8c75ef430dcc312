import type en from '../../locales/en.json';

/** Restricts the keys of `t` to the keys of the locales. In the browser, the namespace has the name of the page. */
declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false;
    nsSeparator: false;
    resources: { translation: typeof en };
  }
}
