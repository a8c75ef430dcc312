/** Lets this process load the TypeScript of the project. For `import`, and for `node --import`. */
import * as module from 'node:module';
import * as hooks from './typescript-hooks.mjs';

// Node 20 has no hooks in the same thread.
if (module.registerHooks) module.registerHooks(hooks);
else module.register('./typescript-hooks.mjs', import.meta.url);
