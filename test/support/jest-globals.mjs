/**
 * `@jest/globals` for modules that several test files share: every export stands for that of the test file that is
 * running, because Jest creates new ones for each file.
 */

/** @type {Record<string, any>} */
let current = {};

/** @param {Record<string, unknown>} globals of the test file that runs next */
export function setJestGlobals(globals) {
  current = globals;
}

const present = (read) =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(read(), self, args),
    // A module may keep `it.skip` as well.
    get: (_, member) => (typeof read()[member] === 'function' ? present(() => read()[member]) : read()[member]),
  });

export const afterAll = present(() => current.afterAll);
export const afterEach = present(() => current.afterEach);
export const beforeAll = present(() => current.beforeAll);
export const beforeEach = present(() => current.beforeEach);
export const describe = present(() => current.describe);
export const expect = present(() => current.expect);
export const it = present(() => current.it);
export const jest = present(() => current.jest);
