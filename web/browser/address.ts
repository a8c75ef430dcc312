/** Leaves the page for another address. An object, so that a test can replace the method. */
export const address = {
  goTo(url: string): void {
    location.assign(url);
  },
  goBack(): void {
    history.back();
  },
};

/** For a call after which the page is left. The promise never settles, so the page does not change before it unloads. */
export function leaveFor(url: string): Promise<never> {
  address.goTo(url);
  return new Promise(() => undefined);
}
