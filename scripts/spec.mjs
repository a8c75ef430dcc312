/** `npm run spec`: lists the requirements that have no passing test or a failed one, by area, from the last report of each project. */
import { say } from './lib/progress.mjs';
import { readReport, listReportedProjects } from './lib/reports.mjs';
import { readRequirements, evaluateRequirements } from './lib/requirements.mjs';

const requirements = readRequirements();
const projects = listReportedProjects();
if (projects.length === 0) say('There is no report yet: run `npm test` first.\n');
const { rows, unknownIds } = evaluateRequirements(
  requirements,
  projects.flatMap((project) => readReport(project) ?? []),
);

const WORDS = { missing: 'no passing test', failing: 'a test fails' };
for (const area of new Set(rows.map((row) => row.area))) {
  const matchingRows = rows.filter((row) => row.area === area);
  const provenRows = matchingRows.filter(({ state }) => state === 'proven');
  say(`${area}: ${provenRows.length} of ${matchingRows.length} proven`);
  for (const { id, title, state } of matchingRows) {
    if (state !== 'proven') say(`  ! ${id.padEnd(7)} ${WORDS[state]}: ${title}`);
  }
}

const unprovenRows = rows.filter(({ state }) => state !== 'proven');
for (const id of unknownIds) say(`  ! ${id.padEnd(7)} is named by a test but is not a row of the specification`);
say(`\nRead from the reports of ${projects.join(', ') || 'no project'}.`);
say(`Rows proven: ${rows.length - unprovenRows.length} of ${rows.length}.`);
process.exitCode = unprovenRows.length + unknownIds.length === 0 ? 0 : 1;
