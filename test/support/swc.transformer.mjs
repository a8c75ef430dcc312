/** Compiles TypeScript for jest's own runtime. */
import { createTransformer } from '@swc/jest';
import { SWC_OPTIONS } from './compiled-typescript.mjs';

export default { createTransformer: () => createTransformer(SWC_OPTIONS) };
