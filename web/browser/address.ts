/** Where a script leads the person. An object, so that a test can see it without leaving. */
export const address = {
  goTo(url: string): void {
    location.assign(url);
  },
};

/** For a call after which the page is left: what waits for it goes on waiting, so that nothing flickers. */
export function leaveFor(url: string): Promise<never> {
  address.goTo(url);
  return new Promise(() => undefined);
}
