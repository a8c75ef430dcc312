/** Several pieces of work side by side, each begun in its turn as soon as a lane is free. */

/**
 * @template Work
 * @param {readonly Work[]} queue
 * @param {number} lanes how many at a time
 * @param {(work: Work) => Promise<void>} run
 */
export async function inLanes(queue, lanes, run) {
  const waiting = [...queue];
  const lane = async () => {
    for (let work = waiting.shift(); work; work = waiting.shift()) await run(work);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
