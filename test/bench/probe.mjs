/**
 * A module that is loaded into the process of the gateway (`node --import`) and reports its CPU time and memory on every platform. On
 * Linux it reports the thread pool, which hashes, and the main thread separately.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const TASKS = '/proc/self/task';
const NS_PER_MS = 1_000_000;

function readUsage() {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, ...readThreads(), rssBytes: process.memoryUsage.rss() };
}

function readThreads() {
  try {
    const all = readdirSync(TASKS).map((task) => ({
      isMain: task === String(process.pid),
      isPool: readFileSync(`${TASKS}/${task}/comm`, 'utf8').startsWith('libuv-worker'),
      ms: Number(readFileSync(`${TASKS}/${task}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS,
    }));
    const sum = (threads) => threads.reduce((total, { ms }) => total + ms, 0);
    if (!all.some(({ isPool }) => isPool)) return {};
    const [poolMs, mainMs] = [sum(all.filter(({ isPool }) => isPool)), sum(all.filter(({ isMain }) => isMain))];
    return { poolMs, mainMs, mainKernelMs: readKernelMs() };
  } catch {
    return {};
  }
}

/** Reads field 15 of proc_pid_stat(5), which is in hundredths of a second. */
function readKernelMs() {
  const stat = readFileSync(`${TASKS}/${process.pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[12]) * 10;
}

const session = new Session();

async function startProfile() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
}

async function stopProfile(file) {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  writeFileSync(file, JSON.stringify(profile));
}

const HANDLERS = { readUsage, startProfile, stopProfile };

process.on('message', ({ id, name, value }) => {
  Promise.resolve(HANDLERS[name](value)).then(
    (answer) => process.send?.({ id, answer }),
    (error) => process.send?.({ id, error: String(error) }),
  );
});
// The listener does not keep the process running.
process.channel?.unref();
// The gateway ends when the benchmark ends for any reason.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
