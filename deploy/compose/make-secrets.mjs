/**
 * Runs at each start of docker-compose.yml: generates the missing secrets and writes the files that contain them. An existing
 * secret is not changed, so a restart, an upgrade or a lost container changes none. Each folder is a volume that only the services
 * that need it can read.
 */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const FOYER_USER = 10001;
const { FOYER_URL = 'http://localhost:3000', HYDRA_URL = 'http://localhost:4444' } = process.env;

const generateSecret = () => randomBytes(32).toString('base64url');

const passwords = {
  superuser: readOrCreate('/secrets/postgres/superuser', generateSecret),
  foyer: readOrCreate('/secrets/own/foyer-database', generateSecret),
  hydra: readOrCreate('/secrets/own/hydra-database', generateSecret),
};
readOrCreate('/secrets/postgres-init/roles.sql', () =>
  ['foyer', 'hydra']
    .map((name) => `create role ${name} login password '${passwords[name]}';\ncreate database ${name} owner ${name};\n`)
    .join(''),
);

readOrCreate('/secrets/foyer/system', generateSecret, FOYER_USER);
const hookKey = readOrCreate('/secrets/foyer/hook', generateSecret, FOYER_USER);
readOrCreate('/secrets/operator/token', generateSecret, FOYER_USER);
readOrCreate('/secrets/database/url', () => `postgres://foyer:${passwords.foyer}@postgres:5432/foyer`, FOYER_USER);
readOrCreate('/secrets/demo/seed', generateSecret, FOYER_USER);

// The credentials of the gateway at the demo providers, and the values with which the demo providers verify them.
for (const provider of ['google', 'microsoft']) {
  write(`/secrets/providers/${provider}`, readOrCreate(`/secrets/foyer/${provider}`, generateSecret, FOYER_USER), FOYER_USER);
}
const applePrivateKey = readOrCreate('/secrets/foyer/apple', generateKey, FOYER_USER);
write('/secrets/providers/apple', createPublicKey(applePrivateKey).export({ type: 'spki', format: 'pem' }), FOYER_USER);

// Written at every start, because the addresses may change. The secrets in the file come from their own files.
write('/secrets/hydra/hydra.yml', hydraConfig(readOrCreate('/secrets/own/hydra-system', generateSecret)));

function generateKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

/** The scopes of OpenID Connect that request claims, and its claims that apps can receive. */
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

/** Hydra reads JSON as YAML. Secrets in a file do not appear in the list of processes or in the environment. */
function hydraConfig(systemSecret) {
  const toUrl = (path) => `${FOYER_URL}${path}`;
  return JSON.stringify(
    {
      // The default pool has only twice as many connections as there are cores and keeps half of them open, so requests would wait.
      dsn: `postgres://hydra:${passwords.hydra}@postgres:5432/hydra?sslmode=disable&max_conns=40&max_idle_conns=40`,
      secrets: { system: [systemSecret] },
      // The clients here have random secrets, which more iterations would not make safer.
      oauth2: { hashers: { pbkdf2: { iterations: 1000 } }, token_hook: tokenHook() },
      urls: {
        self: { issuer: HYDRA_URL },
        login: toUrl('/login'),
        registration: toUrl('/register'),
        consent: toUrl('/consent'),
        logout: toUrl('/logout'),
        error: toUrl('/error'),
        post_logout_redirect: toUrl('/logout/callback'),
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

/** Before it issues a token, Hydra asks Foyer whether the person may still have it (docs/token-hook.md). */
function tokenHook() {
  const config = { in: 'header', name: 'X-Foyer-Hook-Key', value: hookKey };
  return { url: 'http://console:3002/hooks/token', auth: { type: 'api_key', config } };
}

/** @returns the content of the file, which is created with the result of `make` if it does not exist */
function readOrCreate(path, make, owner) {
  if (!existsSync(path)) write(path, make(), owner);
  return readFileSync(path, 'utf8');
}

/** Writes the whole file or nothing, because a file that was half written when the process was killed would remain as a secret. */
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
