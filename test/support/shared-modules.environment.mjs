/**
 * The Jest environment for `shared-modules.runtime.mjs`: the global scope of the process itself. Afterwards the process
 * is as it was before the test file.
 */
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** The values of one test file that jest-circus keeps in the global scope, by description. */
const FILE_SYMBOLS = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

export default class SharedModulesEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #env = { ...process.env };
  #exit = process.exit;
  #exitCode = process.exitCode;
  #console = globalThis.console;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Required by Jest.
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    process.exit = this.#exit;
    process.exitCode = this.#exitCode;
    globalThis.console = this.#console;
    const ofFile = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => FILE_SYMBOLS.includes(description));
    for (const symbol of ofFile) delete globalThis[symbol];
  }

  getVmContext() {
    return null;
  }
}
