/** `foyer/testing`: Hydra and Foyer for the integration tests of an app. See docs/testing.md. */
import { Foyer } from './foyer.js';
import type { StartOptions } from './installation.js';
import { requireKnownStart } from './known-options.js';

export type { Authenticator } from './authenticator.js';
export type { Browser, BrowserOptions, Page } from './browser.js';
export type { ClientOptions, RegisteredClient } from './clients.js';
export type { Foyer } from './foyer.js';
export type { DockerOptions, EmbeddedOptions, FoyerSettings, StartOptions, UpstreamOptions } from './installation.js';
export { KitError, SignInRefused } from './kit-error.js';
export type { Mail, Mailbox, WaitOptions } from './mailbox.js';
export type { Duration } from './movable-clock.js';
export type { DriveResult, DriveResult as Driven, DrivenPage, DriveOptions } from './page-driver.js';
export type { Person, PersonOptions } from './people.js';
export type { SignInOptions } from './sign-in.js';
export type { PreparedSuite, SuiteConfig, SuiteOptions } from './suite.js';
export { SyntheticKey } from './synthetic-key.js';
export { addVirtualAuthenticator } from './virtual-authenticator.js';
export type { VirtualAuthenticator } from './virtual-authenticator.js';

/** @throws KitError for an unknown option or a missing requirement, ConfigError for settings with faults */
export async function startFoyer(options: StartOptions = {}): Promise<Foyer> {
  requireKnownStart(options);
  switch (options.mode) {
    case 'docker':
      return new Foyer(await (await import('./containers.js')).startContainers(options));
    case 'upstream':
      return new Foyer(await (await import('./in-process.js')).startInFrontOfHydra(options));
    default:
      return new Foyer(await (await import('./in-process.js')).startEmbedded(options));
  }
}
