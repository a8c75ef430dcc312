/** Tests of the scripts: installed packages, changed sources, locks, test runs, proven requirements. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

type Packages = Record<string, { version: string; integrity?: string; optional?: boolean }>;
interface InstalledPackages {
  isInstalled(lock: { packages?: Packages } | null, installed: { packages?: Packages } | null): boolean;
}
interface FileLock {
  withFileLock<T>(path: string, work: () => Promise<T>, onWait: (owner: number) => void): Promise<T>;
}
interface SourceHash {
  hashFiles(root: string, entries: readonly string[], isIncluded?: (path: string) => boolean): string;
}
interface Lanes {
  runInLanes<Work>(queue: readonly Work[], lanes: number, run: (work: Work) => Promise<void>): Promise<void>;
}
interface Parts {
  NAMES: readonly string[];
  selectParts(partNames: readonly string[]): { name: string }[];
}
interface Reports {
  findFailureList(output: string): string;
}
interface Row {
  id: string;
  state: string;
}
interface Requirements {
  evaluateRequirements(
    requirements: { id: string }[],
    results: { title: string; status: string }[],
  ): { rows: Row[]; unknownIds: string[] };
}

/** The scripts are untyped JavaScript, so that they run before anything is installed. */
async function load<T>(name: string): Promise<T> {
  return (await import(new URL(name, import.meta.url).href)) as T;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-scripts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('isInstalled', () => {
  const lock = {
    packages: {
      '': { version: '1' },
      'node_modules/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/b-darwin': { version: '1.0.0', integrity: 'y', optional: true },
    },
  };
  const entry = { version: '1.0.0', integrity: 'x' };

  it.each<[string, { packages?: Packages } | null, boolean]>([
    ['exactly the packages of the lock file', { packages: { 'node_modules/a': entry } }, true],
    ['no list of packages', null, false],
    ['a broken list', {}, false],
    ['another version', { packages: { 'node_modules/a': { version: '1.0.1', integrity: 'x' } } }, false],
    ['another integrity', { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'z' } } }, false],
    ['a missing package', { packages: {} }, false],
    ['an additional package', { packages: { 'node_modules/a': entry, 'node_modules/c': entry } }, false],
  ])('compares the lock file with %s', async (_, installed, expected) => {
    const { isInstalled } = await load<InstalledPackages>('./installed-packages.mjs');
    expect(isInstalled(lock, installed)).toBe(expected);
  });
});

describe('withFileLock', () => {
  it('allows one holder at a time, and releases the lock after a failure', async () => {
    const { withFileLock } = await load<FileLock>('./file-lock.mjs');
    const path = join(folder, 'turn', 'lock');
    const order: string[] = [];
    let release = (): void => undefined;
    const firstHolder = withFileLock(path, () => new Promise<void>((resolve) => (release = resolve)), fail);
    const secondHolder = withFileLock(
      path,
      async () => void order.push('second'),
      (owner) => {
        expect(owner).toBe(process.pid);
        order.push('first');
        release();
      },
    );
    await Promise.all([firstHolder, secondHolder]);
    expect(order).toEqual(['first', 'second']);

    await expect(withFileLock(path, () => Promise.reject(new Error('broken')), fail)).rejects.toThrow('broken');
    expect(existsSync(path)).toBe(false);
  });

  it('replaces the lock of a process that no longer runs', async () => {
    const { withFileLock } = await load<FileLock>('./file-lock.mjs');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const path = join(folder, 'stale');
    writeFileSync(path, String(pid));
    expect(await withFileLock(path, async () => readFileSync(path, 'utf8'), fail)).toBe(String(process.pid));
  });

  it('does not remove a lock that another process has taken since the dead process was found', async () => {
    const { withFileLock } = await load<FileLock>('./file-lock.mjs');
    const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
    const path = join(folder, 'taken');
    writeFileSync(path, String(deadPid));
    jest.spyOn(process, 'kill').mockImplementationOnce(() => {
      writeFileSync(path, String(process.pid));
      throw Object.assign(new Error('No such process'), { code: 'ESRCH' });
    });
    const owners: number[] = [];
    const onWait = (owner: number): void => {
      owners.push(owner);
      rmSync(path);
    };
    await withFileLock(path, () => Promise.resolve(), onWait);
    expect(owners).toEqual([process.pid]);
  });

  it('replaces an empty lock of a process that ended before it wrote its id', async () => {
    const { withFileLock } = await load<FileLock>('./file-lock.mjs');
    const path = join(folder, 'empty');
    writeFileSync(path, '');
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(path, aMinuteAgo, aMinuteAgo);
    expect(await withFileLock(path, async () => readFileSync(path, 'utf8'), fail)).toBe(String(process.pid));
  });

  function fail(): void {
    throw new Error('The lock should have been free.');
  }
});

describe('findFailureList', () => {
  it('returns the list of failed tests and the total, or the end of the output of a run that printed no list', async () => {
    const { findFailureList } = await load<Reports>('./reports.mjs');
    expect(findFailureList('unit\n\nFailed:\n  a test\n\n1 passed, 1 failed, 0 skipped\n')).toBe(
      'Failed:\n  a test\n\n1 passed, 1 failed, 0 skipped',
    );
    expect(findFailureList('npm ci\nThe installation failed.\n')).toBe('npm ci\nThe installation failed.');
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(findFailureList(lines.join('\n')).split('\n')).toEqual(lines.slice(-20));
  });
});

describe('hashFiles', () => {
  it('changes with content, names and new files, and not with excluded files', async () => {
    const { hashFiles } = await load<SourceHash>('./source-hash.mjs');
    const root = mkdtempSync(join(folder, 'sources-'));
    const hash = (): string => hashFiles(root, ['a.ts', 'b.ts', 'c.test.ts', 'absent'], (path) => !path.endsWith('.test.ts'));
    writeFileSync(join(root, 'a.ts'), 'one');
    const firstHash = hash();
    writeFileSync(join(root, 'c.test.ts'), 'test');
    expect(hash()).toBe(firstHash);
    writeFileSync(join(root, 'a.ts'), 'two');
    const secondHash = hash();
    writeFileSync(join(root, 'b.ts'), '');
    expect(new Set([firstHash, secondHash, hash()]).size).toBe(3);
  });
});

describe('runInLanes', () => {
  it('runs all jobs in order, and never more at a time than there are lanes', async () => {
    const { runInLanes } = await load<Lanes>('./lanes.mjs');
    const startOrder: string[] = [];
    const loads: number[] = [];
    let runningCount = 0;
    await runInLanes(['a', 'b', 'c', 'd', 'e'], 2, async (work) => {
      startOrder.push(work);
      loads.push(++runningCount);
      await new Promise(setImmediate);
      runningCount--;
    });
    expect(startOrder).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([Math.max(...loads), runningCount]).toEqual([2, 0]);
  });
});

describe('the parts of a run', () => {
  it('are those of `npm test`, unless some or everything is named', async () => {
    const { NAMES, selectParts } = await load<Parts>('./parts.mjs');
    const select = (...partNames: string[]): string[] => selectParts(partNames).map(({ name }) => name);
    const databaseParts = ['flows', 'flows-operation', 'conformance-database', 'conformance'];
    const standardParts = [...databaseParts, 'pages', 'types', 'start', 'model', 'shape', 'unit', 'web'];
    expect([select(), select('standard')]).toEqual([standardParts, standardParts]);
    expect(select('everything')).toEqual(NAMES);
    expect(select('web', 'docs')).toEqual(['docs', 'web']);
  });
});

describe('a test run', () => {
  /** @returns a script that begins a run and leaves a process in its own group, one folder outside and one inside the project */
  const buildLeavingRun = (end: string): string => `
    const { beginRun, exitOnSignals } = await import('${new URL('./run-folder.mjs', import.meta.url).href}');
    const { spawn } = await import('node:child_process');
    const { mkdirSync } = await import('node:fs');
    exitOnSignals();
    const end = beginRun();
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' });
    const folders = [process.env.TMPDIR + '/of-a-test', \`.cache/\${process.env.TMPDIR.split('/').at(-1)}-of-a-test\`];
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    console.log(JSON.stringify({ pid, folders }));
    ${end}`;
  const begin = (end: string) => {
    const options = { stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
    return spawn(process.execPath, ['--input-type=module', '-e', buildLeavingRun(end)], {
      ...options,
      env: { ...process.env, TMPDIR: folder },
    });
  };
  const isRunning = (pid: number): boolean =>
    existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';

  // Without /proc, processes cannot be found.
  (existsSync('/proc/self/environ') ? it : it.skip)(
    'reports, ends and removes the processes and folders that it has left behind',
    async () => {
      const run = begin(`console.log(JSON.stringify(end(0))); process.exit()`);
      let output = '';
      run.stdout.on('data', (text: Buffer) => (output += text.toString()));
      await once(run, 'close');
      const [{ pid, folders }, leftovers] = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown) as [{ pid: number; folders: string[] }, string[]];
      expect(leftovers).toHaveLength(3);
      expect(leftovers[0]).toMatch(new RegExp(`^process ${pid}: .*setInterval`));
      folders.forEach((path, index) => expect(leftovers[index + 1]).toMatch(new RegExp(`^file or folder .*${path}$`)));
      expect([
        isRunning(pid),
        ...folders.map(existsSync),
        ...readdirSync(folder).filter((name) => name.startsWith('foyer-run-')),
      ]).toEqual([false, false, false]);
    },
  );

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('leaves nothing behind after %s, and exits with the code of the signal', async (signal, code) => {
    const run = begin('');
    const [line] = (await once(run.stdout, 'data')) as [Buffer];
    const { pid, folders } = JSON.parse(line.toString()) as { pid: number; folders: string[] };
    run.kill(signal);
    expect(await once(run, 'exit')).toEqual([code, null]);
    expect([isRunning(pid), ...folders.map(existsSync)]).toEqual([false, false, false]);
  });

  it('removes what another run has left behind after SIGKILL', async () => {
    const killedRun = begin('');
    const [line] = (await once(killedRun.stdout, 'data')) as [Buffer];
    const { pid, folders } = JSON.parse(line.toString()) as { pid: number; folders: string[] };
    killedRun.kill('SIGKILL');
    await once(killedRun, 'exit');
    const nextRun = begin('process.exit()');
    await once(nextRun, 'exit');
    expect([isRunning(pid), ...folders.map(existsSync)]).toEqual([false, false, false]);
    expect(readdirSync(folder).filter((name) => name.startsWith('foyer-run-'))).toEqual([]);
  });
});

describe('the sum of several runs', () => {
  it('counts a run without a summary as a failure', () => {
    const script = new URL('../total.mjs', import.meta.url).pathname;
    const { status, stdout } = spawnSync(process.execPath, [script, 'never-run'], { encoding: 'utf8' });
    expect([status, stdout.trim().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed, 0 skipped']);
  });
});

describe('the rows of the specification', () => {
  it.each([
    ['[LOG-4] shows a form', ['LOG-4']],
    ['login [LOG-4, I18-1] and [HNT-2]', ['LOG-4', 'I18-1', 'HNT-2']],
    ['answers [422] with LOG-4', []],
  ])('are read from %s', async (title, ids) => {
    const { evaluateRequirements } = await load<Requirements>('./requirements.mjs');
    expect(evaluateRequirements([], [{ title, status: 'passed' }]).unknownIds).toEqual(ids);
  });

  it('are proven only by a passing test', async () => {
    const { evaluateRequirements } = await load<Requirements>('./requirements.mjs');
    const requirements = ['AAA-1', 'AAA-2', 'AAA-3', 'AAA-4'].map((id) => ({ id }));
    const results = [
      { title: '[AAA-1]', status: 'passed' },
      { title: '[AAA-1]', status: 'skipped' },
      { title: '[AAA-2]', status: 'passed' },
      { title: '[AAA-2]', status: 'failed' },
      { title: '[AAA-3]', status: 'skipped' },
      { title: '[BBB-9]', status: 'passed' },
    ];
    const { rows, unknownIds } = evaluateRequirements(requirements, results);
    expect(rows.map(({ state }) => state)).toEqual(['proven', 'failing', 'missing', 'missing']);
    expect(unknownIds).toEqual(['BBB-9']);
  });
});
