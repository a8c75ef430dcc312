/** In the place of stylesheets, which no test reads: pages are drawn by a real browser elsewhere. */
export {};
