/**
 * A Jest runtime that loads modules with Node itself. All test files of a process share the modules that they
 * import, so these are loaded and optimised once, while the runtime of Jest loads and compiles them again for every file.
 * Jest still runs the tests. Modules cannot be replaced, and there is no coverage.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toMap } from './compiled-typescript.mjs';
import { setJestGlobals } from './jest-globals.mjs';
import './register-typescript.mjs';

const require = createRequire(import.meta.url);
let files = 0;

// React's development build records a stack for each element of a page, which takes a sixth of the processor time of the flows.
const kind = process.env.NODE_ENV;
process.env.NODE_ENV = 'production';
for (const name of ['react', 'react/jsx-runtime', 'react-dom/server']) require(name);
process.env.NODE_ENV = kind;

/** The source map of each file that a stack trace names. */
class SourceMaps extends Map {
  get(file) {
    const path = /^file:.*\.tsx?(\?|$)/.test(file) ? fileURLToPath(file) : undefined;
    return path && toMap(path);
  }
}

export default class SharedModulesRuntime {
  #environment;
  #fakeTimers;
  #sourceMaps = new SourceMaps();

  constructor(config, environment) {
    this.#fakeTimers = config.fakeTimers;
    this.#environment = environment;
  }

  /** Loads Jest's own modules. The module that holds the tests of a file is new for each file. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Runs a test file each time that it is imported. */
  unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?run=${(files += 1)}`);
  }

  setGlobalsForRuntime(globals) {
    setJestGlobals({ ...globals, jest: this.#jest() });
  }

  getSourceMaps() {
    return this.#sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {
    // Required by Jest.
  }

  leaveTestCode() {
    // Required by Jest.
  }

  teardown() {
    this.#environment.moduleMocker.restoreAllMocks();
  }

  #jest() {
    const { moduleMocker, fakeTimersModern: timers } = this.#environment;
    return {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      useFakeTimers: (options) => timers.useFakeTimers({ ...this.#fakeTimers, ...options }),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    };
  }
}
