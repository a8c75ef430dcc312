/**
 * The first start of docker-compose.yml: draws every secret and writes what has to know it. A file that is there stays as
 * it is, so a restart, an upgrade or a lost container changes none. Each folder is a volume that only its service sees.
 */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const FOYER_USER = 10001;
const { FOYER_URL = 'http://localhost:3000', HYDRA_URL = 'http://localhost:4444' } = process.env;

const draw = () => randomBytes(32).toString('base64url');

const passwords = {
  superuser: keep('/secrets/postgres/superuser', draw),
  foyer: keep('/secrets/own/foyer-database', draw),
  hydra: keep('/secrets/own/hydra-database', draw),
};
keep('/secrets/postgres-init/roles.sql', () =>
  ['foyer', 'hydra']
    .map((name) => `create role ${name} login password '${passwords[name]}';\ncreate database ${name} owner ${name};\n`)
    .join(''),
);

keep('/secrets/foyer/system', draw, FOYER_USER);
const hookKey = keep('/secrets/foyer/hook', draw, FOYER_USER);
keep('/secrets/operator/token', draw, FOYER_USER);
keep('/secrets/database/url', () => `postgres://foyer:${passwords.foyer}@postgres:5432/foyer`, FOYER_USER);
keep('/secrets/demo/seed', draw, FOYER_USER);

// What the gateway proves itself with at the stand-ins, and what these know of it.
for (const provider of ['google', 'microsoft']) {
  write(`/secrets/providers/${provider}`, keep(`/secrets/foyer/${provider}`, draw, FOYER_USER), FOYER_USER);
}
const applePrivateKey = keep('/secrets/foyer/apple', newKey, FOYER_USER);
write('/secrets/providers/apple', createPublicKey(applePrivateKey).export({ type: 'spki', format: 'pem' }), FOYER_USER);

// Addresses may move between starts; the secrets in it come from their own files.
write('/secrets/hydra/hydra.yml', hydraConfig(keep('/secrets/own/hydra-system', draw)));

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

/** The scopes that stand for claims, and the claims that apps can receive. */
const DISCOVERY = {
  supported_scope: ['profile', 'email', 'address', 'phone'],
  supported_claims: [
    'name',
    'preferred_username',
    'picture',
    'locale',
    'updated_at',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'profile',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'email',
    'email_verified',
    'address',
    'phone_number',
    'phone_number_verified',
  ],
};

/** Hydra reads JSON as YAML; in a file no secret shows in the list of processes or in the environment. */
function hydraConfig(systemSecret) {
  const at = (path) => `${FOYER_URL}${path}`;
  return JSON.stringify(
    {
      // Otherwise its pool has twice as many connections as cores and keeps half of them: it waits for itself.
      dsn: `postgres://hydra:${passwords.hydra}@postgres:5432/hydra?sslmode=disable&max_conns=40&max_idle_conns=40`,
      secrets: { system: [systemSecret] },
      // Its clients here have random secrets, which no number of iterations makes safer.
      oauth2: { hashers: { pbkdf2: { iterations: 1000 } }, token_hook: tokenHook() },
      urls: {
        self: { issuer: HYDRA_URL },
        login: at('/login'),
        registration: at('/register'),
        consent: at('/consent'),
        logout: at('/logout'),
        error: at('/error'),
        post_logout_redirect: at('/logout/callback'),
      },
      webfinger: {
        oidc_discovery: DISCOVERY,
      },
      serve: { public: { port: Number(new URL(HYDRA_URL).port || 80) } },
      log: { level: 'warn' },
      sqa: { opt_out: true },
    },
    null,
    2,
  );
}

/** Hydra asks before each token whether the person may still have it (docs/token-hook.md). */
function tokenHook() {
  const config = { in: 'header', name: 'X-Foyer-Hook-Key', value: hookKey };
  return { url: 'http://console:3002/hooks/token', auth: { type: 'api_key', config } };
}

/** @returns the content: what was there, or what `make` says now */
function keep(path, make, owner) {
  if (!existsSync(path)) write(path, make(), owner);
  return readFileSync(path, 'utf8');
}

/** Whole or not at all: what a kill leaves half written would be kept as a secret for good. */
function write(path, content, owner) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { flush: true });
  if (owner === undefined) {
    chmodSync(draft, 0o444);
  } else {
    chownSync(draft, owner, owner);
    chmodSync(draft, 0o400);
  }
  renameSync(draft, path);
}
