/** Compiles TypeScript for jest. All of jest's projects share what one of them has compiled. */
import { createTransformer } from '@swc/jest';

export default {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      ...swc,
      // Without the configuration of the project, which says nothing about how a file is compiled.
      getCacheKey: (source, path, request) => swc.getCacheKey(source, path, { ...request, configString: '' }),
    };
  },
};
