/** Runs jobs in parallel, in the order of a queue. */

/**
 * @template Work
 * @param {readonly Work[]} queue
 * @param {number} lanes maximum number of parallel jobs
 * @param {(work: Work) => Promise<void>} run
 */
export async function runInLanes(queue, lanes, run) {
  const waiting = [...queue];
  const lane = async () => {
    for (let work = waiting.shift(); work; work = waiting.shift()) await run(work);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
