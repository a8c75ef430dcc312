/** Generates the tables of docs/hydra-versions.md from `versions.ts`. */
import { buildMarkedTable, withGeneratedPart } from '../config/generated-part.js';
import { CAPABILITIES, CONSTANTS, NEWEST_RELEASE, OLDEST_RELEASE, compareReleases, toReleaseName } from './versions.js';

const DIFFERENCES = { begin: '<!-- differences:begin · made by `npm run settings` -->', end: '<!-- differences:end -->' };
const COMMON = { begin: '<!-- common:begin · made by `npm run settings` -->', end: '<!-- common:end -->' };

/** @returns the text with current tables @throws if the text has no markers for them */
export function withVersionTables(page: string): string {
  return withGeneratedPart(withGeneratedPart(page, DIFFERENCES, buildDifferenceTable()), COMMON, buildCommonTable());
}

/** Whether all supported releases have a capability. */
const isCommon = ({ since }: { since: Parameters<typeof compareReleases>[0] }): boolean =>
  compareReleases(since, OLDEST_RELEASE) <= 0;

function buildDifferenceTable(): string {
  const rows = Object.values(CAPABILITIES)
    .filter((capability) => !isCommon(capability))
    .map(({ what, since, has, lacks, means }) => `| ${what} | ${lacks} | ${has} | ${toReleaseName(since)} | ${means} |`);
  const [oldestName, newestName] = [toReleaseName(OLDEST_RELEASE), toReleaseName(NEWEST_RELEASE)];
  return buildMarkedTable(DIFFERENCES, [
    `| | ${oldestName} | ${newestName} | since | what it means here |`,
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ]);
}

function buildCommonTable(): string {
  const capabilityRows = Object.values(CAPABILITIES)
    .filter(isCommon)
    .map(({ what, since, has, lacks, means }) => `| ${what} | ${has} (before ${toReleaseName(since)}: ${lacks}) | ${means} |`);
  const rows = CONSTANTS.map(({ what, is, means }) => `| ${what} | ${is} | ${means} |`);
  return buildMarkedTable(COMMON, ['| | Hydra | what it means here |', '| --- | --- | --- |', ...rows, ...capabilityRows]);
}
