/** Replaces stylesheets, which these tests do not read; other tests render pages in a real browser. */
export {};
