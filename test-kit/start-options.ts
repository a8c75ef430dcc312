/** The options of each mode. Unknown options are refused: a misspelled one would otherwise be ignored. */
import type { DockerOptions, EmbeddedOptions, StartOptions, UpstreamOptions } from './installation.js';
import { KitError } from './kit-error.js';

const OPTIONS = {
  embedded: { mode: true, settings: true, providers: true } satisfies Record<keyof EmbeddedOptions, true>,
  docker: { mode: true, settings: true, hydraImage: true, foyerImage: true, mailboxImage: true } satisfies Record<
    keyof DockerOptions,
    true
  >,
  upstream: { mode: true, settings: true, hydraPublicUrl: true, hydraAdminUrl: true, port: true } satisfies Record<
    keyof UpstreamOptions,
    true
  >,
};

/** @throws KitError naming an unknown mode, or all options that the mode does not have */
export function requireKnownOptions(options: StartOptions): void {
  const mode = options.mode ?? 'embedded';
  if (!Object.hasOwn(OPTIONS, mode)) {
    throw new KitError(`startFoyer has no mode ${JSON.stringify(mode)}; there are: ${Object.keys(OPTIONS).join(', ')}`);
  }
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTIONS[mode], name));
  if (unknown.length === 0) return;
  throw new KitError(
    `startFoyer in mode ${mode} has no option ${unknown.join(', ')}; there are: ${Object.keys(OPTIONS[mode]).join(', ')}`,
  );
}
