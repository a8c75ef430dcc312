/**
 * Loaded into the gateway's process beside the product (`node --import`), so that its use of CPU and memory can be asked
 * for from outside on every platform. Where Linux tells it, the thread pool (hashing) and the main thread are told apart.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const TASKS = '/proc/self/task';
const NS_PER_MS = 1_000_000;

function usage() {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, ...threads(), rssBytes: process.memoryUsage.rss() };
}

function threads() {
  try {
    const all = readdirSync(TASKS).map((task) => ({
      isMain: task === String(process.pid),
      isPool: readFileSync(`${TASKS}/${task}/comm`, 'utf8').startsWith('libuv-worker'),
      ms: Number(readFileSync(`${TASKS}/${task}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS,
    }));
    const sum = (some) => some.reduce((total, { ms }) => total + ms, 0);
    if (!all.some(({ isPool }) => isPool)) return {};
    const [poolMs, mainMs] = [sum(all.filter(({ isPool }) => isPool)), sum(all.filter(({ isMain }) => isMain))];
    return { poolMs, mainMs, mainKernelMs: kernelMs() };
  } catch {
    return {};
  }
}

/** Field 15 of proc_pid_stat(5), in hundredths of a second. */
function kernelMs() {
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

const QUESTIONS = { usage, startProfile, stopProfile };

process.on('message', ({ id, name, value }) => {
  Promise.resolve(QUESTIONS[name](value)).then(
    (answer) => process.send?.({ id, answer }),
    (error) => process.send?.({ id, error: String(error) }),
  );
});
// The product ends as it does without a listener here.
process.channel?.unref();
// Whatever happens to the bench, no gateway stays behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
