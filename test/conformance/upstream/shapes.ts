/** Parts of answers that several themes compare, cut to what a gateway or a browser depends on. */
import type { SetCookie } from '../../../test-kit/cookie-jar.js';

export interface CookieBrief {
  name: string;
  httpOnly: boolean;
  path: string;
  maxAgeSeconds: number | undefined;
}

/** A cookie of the upstream without what depends on the client's id and on dev mode. */
export const cookieBrief = ({ name, httpOnly, path, maxAgeSeconds }: SetCookie): CookieBrief => ({
  name: name.replace(/^ory_hydra_/, '').replace(/(_dev)?(_\d+)?$/, ''),
  httpOnly,
  path,
  maxAgeSeconds,
});
