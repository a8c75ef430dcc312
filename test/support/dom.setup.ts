/** Prepares tests with a DOM. */
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react');
  // No test asserts a duration, and on a busy machine a page may take longer than the second that `findBy…` waits by default.
  configure({ asyncUtilTimeout: 60_000 });
}

export {};
