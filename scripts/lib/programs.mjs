/** The programs of the build, which `scripts/bundle.mjs` bundles. */
import { join } from 'node:path';

/** By the folder of `dist`. Each folder has a bundle of its own, because the image of the gateway has no `embedded`. */
export const PROGRAMS = { src: ['main.js', 'operator/cli/main.js'], embedded: ['start.js'] };

/** @returns {string} where a program without its bundle is */
export function toUnbundledPath(program) {
  return program.replace(/\.js$/, '.unbundled.js');
}

/** @returns {string[]} the paths of all programs below a folder that contains `dist` */
export function listProgramPaths(root) {
  return Object.entries(PROGRAMS).flatMap(([folder, paths]) => paths.map((path) => join(root, 'dist', folder, path)));
}
