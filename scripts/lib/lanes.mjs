/** Runs jobs in parallel, in the order of a queue. */

/**
 * @template Work
 * @param {readonly Work[]} queue
 * @param {number} lanes maximum number of parallel jobs
 * @param {(work: Work) => Promise<void>} run
 */
export async function runInLanes(queue, lanes, run) {
  const remainingJobs = [...queue];
  const lane = async () => {
    for (let work = remainingJobs.shift(); work; work = remainingJobs.shift()) await run(work);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
