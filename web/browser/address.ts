/** Leaves the page for another address. It is an object, so that tests can replace the methods. */
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
