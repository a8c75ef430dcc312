/** Parts of answers that several themes compare, reduced to what a gateway or a browser depends on. */
import type { SetCookie } from '../../../test-kit/cookie-jar.js';

export interface CookieBrief {
  name: string;
  httpOnly: boolean;
  path: string;
  maxAgeSeconds: number | undefined;
}

/** Describes a cookie of the upstream without the parts that depend on the id of the client and on dev mode. */
export const cookieBrief = ({ name, httpOnly, path, maxAgeSeconds }: SetCookie): CookieBrief => ({
  name: name.replace(/^ory_hydra_/, '').replace(/(_dev)?(_\d+)?$/, ''),
  httpOnly,
  path,
  maxAgeSeconds,
});
