import type en from '../../locales/console/en.json';

/** Restricts the keys of `t` to the keys of the phrases. */
declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false;
    nsSeparator: false;
    resources: { translation: typeof en };
  }
}
