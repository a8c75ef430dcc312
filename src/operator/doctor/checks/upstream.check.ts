/** Checks the servers at the two addresses of Hydra, its version and its issuer, and whether its admin API is public. */
import type { Config } from '../../../config/config.js';
import type { UpstreamInspection } from '../../../hydra/inspection/inspect-upstream.js';
import { NEWEST_RELEASE, OLDEST_RELEASE, compareReleases, toReleaseName, findRelease } from '../../../hydra/versions.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const upstreamCheck: Check = {
  title: 'Hydra',
  async run(examination) {
    const { inspection } = await examination.upstream();
    if (await isEmbeddedStopped(examination)) {
      return [hint('The embedded Hydra runs only while Foyer runs.', 'Start Foyer (npm start), then run the doctor again.')];
    }
    return checkUpstream(examination.config, inspection);
  },
};

export function checkUpstream({ hydra }: Pick<Config, 'hydra'>, inspection: UpstreamInspection): Finding[] {
  if (inspection.publicAtAdmin && inspection.adminAtPublic) {
    return [
      fault(
        'HYDRA_ADMIN_URL and HYDRA_PUBLIC_URL are swapped.',
        'Swap the two values. In Hydra the admin port is SERVE_ADMIN_PORT (4445), the public one SERVE_PUBLIC_PORT (4444).',
      ),
    ];
  }
  return [...checkAdminApi(hydra.adminUrl, inspection), ...checkPublicApi(hydra.publicUrl, inspection)];
}

async function isEmbeddedStopped(examination: Examination): Promise<boolean> {
  const { inspection } = await examination.upstream();
  const isSilent = inspection.admin.state === 'silent' && inspection.public.state === 'silent';
  return examination.config.embedded && isSilent && !(await examination.isRunning());
}

function checkAdminApi(url: string, { admin, publicAtAdmin }: UpstreamInspection): Finding[] {
  switch (admin.state) {
    case 'silent':
      return [
        fault(
          `No server answers at HYDRA_ADMIN_URL, ${url} (${admin.reason}).`,
          'Start Hydra, or set HYDRA_ADMIN_URL to its admin API: SERVE_ADMIN_HOST and SERVE_ADMIN_PORT of Hydra, 4445 by default.',
        ),
      ];
    case 'other':
      return [explainForeignAdmin(url, admin.status, publicAtAdmin)];
    case 'as-expected':
      return [
        ...checkVersion(url, admin.version),
        ...(admin.isReady
          ? []
          : [
              fault(
                `Hydra at ${url} reports that it is not ready.`,
                'Read the log of Hydra; usually its DSN is wrong, or its migrations were not run.',
              ),
            ]),
      ];
  }
}

function explainForeignAdmin(url: string, status: number, isPublic: boolean): Finding {
  if (isPublic) {
    return fault(
      `HYDRA_ADMIN_URL, ${url}, is the public API of Hydra.`,
      'Set HYDRA_ADMIN_URL to the admin port of Hydra (SERVE_ADMIN_PORT, 4445 by default).',
    );
  }
  if (status === 401 || status === 403) {
    return fault(
      `The server in front of HYDRA_ADMIN_URL, ${url}, refuses access (status ${status}).`,
      'Set HYDRA_ADMIN_TOKEN, or HYDRA_ADMIN_TOKEN_FILE, to a token that this server accepts.',
    );
  }
  return fault(
    `The server at HYDRA_ADMIN_URL, ${url}, is not the admin API of Hydra (status ${status}).`,
    'Set HYDRA_ADMIN_URL to the address of the admin API, without /admin at the end.',
  );
}

function checkVersion(url: string, version: string | null): Finding[] {
  const release = findRelease(version ?? '');
  const range = `${toReleaseName(OLDEST_RELEASE)} to ${toReleaseName(NEWEST_RELEASE)}`;
  if (!release) {
    return [
      hint(
        `Hydra at ${url} does not report its version (${version ?? 'nothing'}).`,
        `Foyer is tested with Hydra ${range}; check that your version is in this range.`,
      ),
    ];
  }
  if (compareReleases(release, OLDEST_RELEASE) < 0) {
    return [
      fault(
        `Hydra ${version} is too old: the oldest release tested with Foyer is ${toReleaseName(OLDEST_RELEASE)}.`,
        `Update Hydra to ${toReleaseName(OLDEST_RELEASE)} or later.`,
      ),
    ];
  }
  // A patch release of a tested version is treated as tested.
  if (compareReleases([release[0], release[1], 0], NEWEST_RELEASE) > 0) {
    return [
      hint(
        `Hydra ${version} is newer than the releases tested with Foyer (${range}).`,
        'Check whether a newer Foyer is available.',
      ),
    ];
  }
  return [ok(`Hydra ${version} answers at ${url}.`)];
}

function checkPublicApi(url: string, inspection: UpstreamInspection): Finding[] {
  if (inspection.public.state === 'silent') {
    return [
      fault(
        `No server answers at HYDRA_PUBLIC_URL, ${url} (${inspection.public.reason}).`,
        'Set HYDRA_PUBLIC_URL to the address at which browsers reach Hydra, which is also its issuer: URLS_SELF_ISSUER (urls.self.issuer).',
      ),
    ];
  }
  if (inspection.public.state === 'other') {
    return [
      fault(
        `The server at HYDRA_PUBLIC_URL, ${url}, is not an OpenID provider (status ${inspection.public.status}).`,
        'Set HYDRA_PUBLIC_URL to the public address of Hydra, as in its URLS_SELF_ISSUER (urls.self.issuer).',
      ),
    ];
  }
  return [checkIssuer(url, inspection.public), ...(inspection.adminAtPublic ? [explainExposedAdminApi(url)] : [])];
}

function checkIssuer(
  url: string,
  { issuer, authorizationEndpoint }: Extract<UpstreamInspection['public'], { state: 'as-expected' }>,
): Finding {
  const fix =
    'Set URLS_SELF_ISSUER (urls.self.issuer) of Hydra and HYDRA_PUBLIC_URL of Foyer to the same address, which browsers use; localhost and 127.0.0.1 are different addresses.';
  if (issuer.replace(/\/+$/, '') !== url) return fault(`The issuer of Hydra is ${issuer}, but HYDRA_PUBLIC_URL is ${url}.`, fix);
  if (!URL.canParse(authorizationEndpoint) || new URL(authorizationEndpoint).origin !== new URL(url).origin) {
    return fault(
      `Hydra sends apps to ${authorizationEndpoint} for a sign-in, which is not at HYDRA_PUBLIC_URL.`,
      "Remove URLS_SELF_PUBLIC (urls.self.public) from Hydra's configuration, or set it to the issuer.",
    );
  }
  return ok(`The issuer of Hydra is HYDRA_PUBLIC_URL, ${url}.`);
}

function explainExposedAdminApi(url: string): Finding {
  return fault(
    `The admin API of Hydra answers at the public address, ${url}/admin: anybody who reaches it can sign in as any person.`,
    'Allow only Foyer and operators to reach the admin port of Hydra (SERVE_ADMIN_HOST, SERVE_ADMIN_PORT), and remove /admin from the public proxy.',
  );
}
