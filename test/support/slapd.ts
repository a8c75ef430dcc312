/**
 * A private OpenLDAP server with people and groups, on one free port in plain text and on another with TLS, with its own
 * certificate authority. It ends with the test process.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LdapSettings } from '../../src/config/source-settings.js';
import { buildUserSourcesKind } from '../../src/config/source-kinds.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { waitUntil } from './upstream-waiting.js';

const PROGRAM = '/usr/sbin/slapd';
const MODULES = '/usr/lib/ldap';
const SCHEMAS = '/etc/ldap/schema';
const START_TIMEOUT_MS = 180_000;
/** The longest time limit that the settings allow, which a busy machine alone does not reach. */
const TIMEOUT_MS = 20_000;

export const SUFFIX = 'dc=example,dc=com';
export const PEOPLE = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
export const SEARCHER = { dn: `cn=searcher,${SUFFIX}`, password: 'search account 7' };
const ROOT = { dn: `cn=root,${SUFFIX}`, password: 'root password 1' };

/** @returns why slapd cannot be started here, or null */
export function whyNoSlapd(): string | null {
  if (!existsSync(PROGRAM)) return `no ${PROGRAM} (Debian: apt-get install slapd ldap-utils)`;
  if (!existsSync('/usr/bin/ldapmodify')) return 'no ldapmodify (Debian: apt-get install ldap-utils)';
  return existsSync('/usr/bin/openssl') ? null : 'no openssl';
}

export interface SlapdPerson {
  uid: string;
  password: string;
  mail?: string;
  displayName?: string;
}

export class Slapd {
  private constructor(
    readonly directory: string,
    private readonly process: ChildProcess,
    private readonly ports: { plain: number; tls: number },
    /** PEM of the certificate authority. */
    readonly ca: string,
  ) {}

  /** @param directives further lines of the database in `slapd.conf` */
  static async start(directives: readonly string[] = []): Promise<Slapd> {
    const directory = await mkdtemp(join(tmpdir(), 'foyer-slapd-'));
    const [plain = 0, tls = 0] = await findFreePorts(2);
    await mkdir(join(directory, 'data'));
    makeCertificates(directory);
    await writeFile(join(directory, 'slapd.conf'), buildConfiguration(directory, directives));
    const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${tls}/`;
    const config = join(directory, 'slapd.conf');
    execFileSync('/usr/sbin/slapadd', ['-f', config], { input: buildEntries(), stdio: ['pipe', 'ignore', 'inherit'] });
    // slapd ends when the pipe closes, as the test process ends.
    const script = '"$@" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -KILL $server; wait $server';
    const child = spawn('sh', ['-c', script, 'sh', PROGRAM, '-f', config, '-h', urls, '-d', '0'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await waitUntil(START_TIMEOUT_MS, () => isListening(tls));
    return new Slapd(directory, child, { plain, tls }, await readFile(join(directory, 'ca.pem'), 'utf8'));
  }

  get plainUrl(): string {
    return `ldap://localhost:${this.ports.plain}`;
  }

  get tlsUrl(): string {
    return `ldaps://localhost:${this.ports.tls}`;
  }

  get plainPort(): number {
    return this.ports.plain;
  }

  get tlsPort(): number {
    return this.ports.tls;
  }

  /** Settings as `USER_SOURCES` reads them. */
  settings(more: Record<string, unknown> = {}): LdapSettings {
    const [settings] = readSources([this.entry(more)]);
    if (!settings) throw new Error('no settings');
    return settings;
  }

  /** One entry of `USER_SOURCES`. */
  entry(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      id: 'staff',
      type: 'ldap',
      urls: [this.tlsUrl],
      ca: this.ca,
      bind_dn: SEARCHER.dn,
      bind_password: SEARCHER.password,
      base: PEOPLE,
      timeout_ms: TIMEOUT_MS,
      ...more,
    };
  }

  addPerson({ uid, password, mail, displayName }: SlapdPerson, ou = PEOPLE): void {
    const more = [
      ...(mail === undefined ? [] : [`mail: ${mail}`]),
      ...(displayName === undefined ? [] : [`displayName: ${displayName}`]),
    ];
    this.change([
      `dn: uid=${uid},${ou}`,
      'changetype: add',
      'objectClass: inetOrgPerson',
      `uid: ${uid}`,
      `cn: ${uid}`,
      `sn: ${uid}`,
      `userPassword: ${password}`,
      ...more,
    ]);
  }

  addGroup(cn: string, members: readonly string[]): void {
    const lines = members.map((member) => `member: ${member}`);
    this.change([`dn: cn=${cn},${GROUPS}`, 'changetype: add', 'objectClass: groupOfNames', `cn: ${cn}`, ...lines]);
  }

  /** @param lines LDIF of one change */
  change(lines: readonly string[]): void {
    const options = ['-x', '-H', `ldap://127.0.0.1:${this.ports.plain}`, '-D', ROOT.dn, '-w', ROOT.password, '-e', 'manageDIT'];
    execFileSync('/usr/bin/ldapmodify', options, { input: `${lines.join('\n')}\n`, stdio: ['pipe', 'ignore', 'pipe'] });
  }

  remove(dn: string): void {
    this.change([`dn: ${dn}`, 'changetype: delete']);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin?.end();
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Reads sources as the gateway does. @throws Error with the faults */
export function readSources(entries: readonly unknown[]): readonly LdapSettings[] {
  const reading = buildUserSourcesKind(() => '').read(JSON.stringify(entries));
  if ('fault' in reading) throw new Error(reading.fault);
  return reading.value.filter((one) => one.type === 'ldap');
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function makeCertificates(directory: string): void {
  const openssl = (...args: string[]): void => void execFileSync('/usr/bin/openssl', args, { cwd: directory, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Authority of the tests');
  const names = ['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'];
  openssl(
    'req',
    '-x509',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    ...key,
    '-keyout',
    'server.key',
    '-out',
    'server.pem',
    '-subj',
    '/CN=localhost',
    ...names,
  );
  openssl('req', '-x509', ...key, '-keyout', 'other.key', '-out', 'other.pem', '-subj', '/CN=Another authority');
}

function buildConfiguration(directory: string, directives: readonly string[]): string {
  return [
    ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include ${SCHEMAS}/${name}.schema`),
    `modulepath ${MODULES}`,
    'moduleload back_mdb',
    'moduleload ppolicy',
    `pidfile ${directory}/pid`,
    `TLSCACertificateFile ${directory}/ca.pem`,
    `TLSCertificateFile ${directory}/server.pem`,
    `TLSCertificateKeyFile ${directory}/server.key`,
    // A setting that administrators may have left on: a bind with a name and no password succeeds anonymously.
    'allow bind_v2 bind_anon_cred bind_anon_dn',
    'database mdb',
    `suffix "${SUFFIX}"`,
    `rootdn "${ROOT.dn}"`,
    `rootpw "${ROOT.password}"`,
    `directory ${directory}/data`,
    'overlay ppolicy',
    `ppolicy_default "cn=policy,${SUFFIX}"`,
    'ppolicy_use_lockout',
    ...directives,
    `access to attrs=userPassword by anonymous auth by self write by * none`,
    `access to * by dn="${SEARCHER.dn}" read by users none by anonymous auth`,
    '',
  ].join('\n');
}

function buildEntries(): string {
  return [
    `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example`,
    `dn: ${PEOPLE}\nobjectClass: organizationalUnit\nou: people`,
    `dn: ou=other,${SUFFIX}\nobjectClass: organizationalUnit\nou: other`,
    `dn: ${GROUPS}\nobjectClass: organizationalUnit\nou: groups`,
    `dn: ${SEARCHER.dn}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: searcher\nuserPassword: ${SEARCHER.password}`,
    `dn: cn=policy,${SUFFIX}\nobjectClass: device\nobjectClass: pwdPolicy\ncn: policy\npwdAttribute: userPassword\npwdLockout: TRUE\npwdMaxFailure: 5\npwdLockoutDuration: 0\npwdMustChange: TRUE`,
    '',
  ].join('\n\n');
}
