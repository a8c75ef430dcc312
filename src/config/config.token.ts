/** Injection token of the `Config` value. */
export const CONFIG = Symbol('Config');
