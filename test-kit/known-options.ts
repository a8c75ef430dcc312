/**
 * The options of `startFoyer` and of the methods of `Foyer`. Unknown options are refused, because a misspelled option would otherwise be
 * ignored.
 */
import type { BrowserOptions } from './browser.js';
import type { ClientOptions } from './clients.js';
import type { DockerOptions, EmbeddedOptions, StartOptions, UpstreamOptions } from './installation.js';
import { KitError } from './kit-error.js';
import type { DriveOptions } from './page-driver.js';
import type { PersonOptions } from './people.js';
import type { SignInOptions } from './sign-in.js';
import type { SuiteOptions } from './suite.js';

type Names<Options> = Record<keyof Options, true>;

const MODES = {
  embedded: { mode: true, settings: true, providers: true } satisfies Names<EmbeddedOptions>,
  docker: { mode: true, settings: true, hydraImage: true, foyerImage: true, mailboxImage: true } satisfies Names<DockerOptions>,
  upstream: {
    mode: true,
    settings: true,
    hydraPublicUrl: true,
    hydraAdminUrl: true,
    port: true,
  } satisfies Names<UpstreamOptions>,
};

const CALLS = {
  registerClient: {
    redirectUris: true,
    name: true,
    scope: true,
    public: true,
    postLogoutRedirectUris: true,
    metadata: true,
    fields: true,
  } satisfies Names<ClientOptions>,
  createPerson: {
    username: true,
    password: true,
    email: true,
    displayName: true,
    language: true,
    groupName: true,
    secondFactor: true,
  } satisfies Names<PersonOptions>,
  loginAs: { browser: true, remember: true, consent: true, factor: true, totp: true } satisfies Names<SignInOptions>,
  drive: { remember: true, consent: true, logout: true } satisfies Names<DriveOptions>,
  prepareSuite: { suiteUrl: true, alias: true, logout: true } satisfies Names<SuiteOptions>,
  browser: { stopAt: true, language: true, now: true, jar: true } satisfies Names<BrowserOptions>,
};

/** @throws KitError naming all options that the call does not have */
export function requireKnown(call: keyof typeof CALLS, options: object): void {
  requireNames(call, options, CALLS[call]);
}

/** @throws KitError naming an unknown mode, or all options that the mode does not have */
export function requireKnownStart(options: StartOptions): void {
  const mode = options.mode ?? 'embedded';
  if (!Object.hasOwn(MODES, mode)) {
    throw new KitError(`startFoyer has no mode ${JSON.stringify(mode)}; the modes are: ${Object.keys(MODES).join(', ')}`);
  }
  requireNames(`startFoyer in mode ${mode}`, options, MODES[mode]);
}

function requireNames(call: string, options: object, knownNames: Record<string, true>): void {
  const unknownNames = Object.keys(options).filter((name) => !Object.hasOwn(knownNames, name));
  if (unknownNames.length === 0) return;
  throw new KitError(`${call} has no option ${unknownNames.join(', ')}; the options are: ${Object.keys(knownNames).join(', ')}`);
}
