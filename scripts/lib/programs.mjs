/** The programs of the build, which `scripts/bundle.mjs` bundles. */
import { join } from 'node:path';

/** The programs by folder of `dist`. Each folder has its own bundle, because the image of the gateway does not contain `embedded`. */
export const PROGRAMS = { src: ['main.js', 'operator/cli/main.js'], embedded: ['start.js'] };

/** @returns {string} the path of a program without its bundle */
export function toUnbundledPath(program) {
  return program.replace(/\.js$/, '.unbundled.js');
}

/** @returns {string[]} the paths of all programs below a folder that contains `dist` */
export function listProgramPaths(root) {
  return Object.entries(PROGRAMS).flatMap(([folder, paths]) => paths.map((path) => join(root, 'dist', folder, path)));
}
