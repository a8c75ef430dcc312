/** Opens another address in place of this page. The functions are methods of an object, so that tests can replace them. */
export const address = {
  goTo(url: string): void {
    location.assign(url);
  },
  goBack(): void {
    history.back();
  },
};

/** Leaves the page after a call. The promise never settles, so that the page does not change before it unloads. */
export function leaveFor(url: string): Promise<never> {
  address.goTo(url);
  return new Promise(() => undefined);
}
