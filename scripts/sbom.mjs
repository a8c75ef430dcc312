/**
 * `npm run sbom`: writes the packages that a gateway needs (including native packages for every platform), as CycloneDX 1.5, from the
 * lock file to standard output. `npm sbom` is not used, because it omits production packages that development packages need as well,
 * and because its serial number and time differ in each run.
 */
import { readFileSync } from 'node:fs';

const { name, version, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** @param {string} integrity of the lock: an algorithm, a hyphen and Base64 */
function toHash(integrity) {
  const [algorithm, content] = integrity.split('-');
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') };
}

const components = Object.entries(packages)
  .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
  .map(([path, { version: packageVersion, integrity, license }]) => {
    const packageName = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return {
      type: 'library',
      name: packageName,
      version: packageVersion,
      purl: `pkg:npm/${packageName.replace('@', '%40')}@${packageVersion}`,
      hashes: [toHash(integrity)],
      ...(license ? { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] } : {}),
    };
  });
const application = { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` };
const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: application }, components };
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
