// The memory of `cappstan hub` at rest, without a site: once with a Temporal of its own, and once with one of
// somebody else, which does not count.
//
// It needs no stack, and starts the hub as a person does. One that runs beside it takes nothing from it.
//
// Usage: node bench/measures/footprint.ts [samples]
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../deploy/local/cappstan/processes.ts';
import { stackProcesses } from '../../deploy/local/supervise/stack-processes.ts';
import { toolPath } from '../../deploy/local/programs/tools.ts';
import { openPorts } from '../../deploy/local/supervise/ports.ts';
import { mebibytes } from '../conditions/resident-memory.ts';
import { measureAlone } from '../measure.ts';

/** Lists, leases and compilers of V8 have come to rest. */
const SETTLE_MS = 90_000;
const BETWEEN_MS = 10_000;
const STARTS_WITHIN_MS = 300_000;
const NAMESPACE = 'footprint';
const FIELDS = ['anonymousMiB', 'proportionalMiB', 'residentMiB'] as const;

interface Part {
  readonly process: string;
  readonly pid: number;
  readonly residentMiB: number;
  /** The part of it that is not pages of files, which processes on one machine share. */
  readonly anonymousMiB: number;
  /** What processes share is divided among all who have it, also among others on the machine. */
  readonly proportionalMiB: number;
}

interface Rest {
  /** Of the sample in the middle: what is nobody else's, with its share of the rest, and with all of it. */
  readonly anonymousMiB: number;
  readonly proportionalMiB: number;
  readonly residentMiB: number;
  readonly samples: readonly (readonly Part[])[];
}

await measureAlone('footprint', 3, async (samples) => {
  const dir = mkdtempSync(join(tmpdir(), 'footprint-'));
  const ports = await openPorts(join(dir, 'ports.json'));
  try {
    const own = await atRest(join(dir, 'own'), ports, { samples, flags: [] });
    const port = await ports.of('temporal');
    const temporal = startTemporal(port);
    try {
      const flags = ['--temporal-mode', 'external', '--temporal-address', `127.0.0.1:${port}`];
      const others = await atRest(join(dir, 'others'), ports, {
        samples,
        flags: [...flags, '--temporal-namespace', NAMESPACE],
      });
      const each = (own.samples.at(-1) ?? [])
        .map(({ process, proportionalMiB }) => `${process} ${proportionalMiB}`)
        .join(', ');
      return {
        ours: `${textOf(own)} with its own Temporal, ${textOf(others)} with one of somebody else (${each})`,
        figures: { ownTemporal: own, externalTemporal: others },
      };
    } finally {
      await ended(temporal);
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

type Ports = Awaited<ReturnType<typeof openPorts>>;

async function atRest(
  data: string,
  ports: Ports,
  { samples, flags }: { readonly samples: number; readonly flags: readonly string[] },
): Promise<Rest> {
  const hub = await startHub(data, ports, flags);
  try {
    await pause(SETTLE_MS);
    const taken: (readonly Part[])[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      if (sample > 0) await pause(BETWEEN_MS);
      taken.push(await partsOf(data, hub.pid ?? 0));
    }
    return { ...middleOf(taken), samples: taken };
  } finally {
    await ended(hub);
  }
}

/** In memory, and not of the hub: what it takes is not counted. */
function startTemporal(port: number): ChildProcess {
  const attributes = ['CappNamespace', 'CappSite', 'CappPhase'].flatMap((name) => [
    '--search-attribute',
    `${name}=Keyword`,
  ]);
  const args = ['server', 'start-dev', '--headless', '--port', String(port), '--namespace', NAMESPACE];
  return spawn(toolPath('temporal'), [...args, ...attributes], { stdio: 'ignore' });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closes = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  await closes;
}

async function startHub(data: string, ports: Ports, flags: readonly string[]): Promise<ChildProcess> {
  const args = ['hub', '--data-dir', data, '--bind-address', '127.0.0.1', '--external-hostname', '127.0.0.1'];
  const doors = [
    '--port',
    String(await ports.of('api')),
    '--gateway-port',
    String(await ports.of('gateway')),
  ];
  const main = join(ROOT, 'deploy', 'hub', 'main.ts');
  const hub = spawn(process.execPath, [main, ...args, ...doors, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((runs, fails) => {
    const late = setTimeout(() => fails(new Error('The hub did not start.')), STARTS_WITHIN_MS);
    hub.once('close', () => fails(new Error('The hub has ended.')));
    hub.stdout.setEncoding('utf8').on('data', (said: string) => {
      if (!said.includes('It runs until Ctrl-C')) return;
      clearTimeout(late);
      runs();
    });
  });
  return hub;
}

/** The command itself is a process, too. */
async function partsOf(data: string, command: number): Promise<readonly Part[]> {
  const running = [...(await stackProcesses(data)), { name: 'cappstan hub', pid: command }];
  return running.map(({ name, pid }) => ({
    process: name,
    pid,
    residentMiB: mebibytes(pid, 'VmRSS'),
    anonymousMiB: mebibytes(pid, 'RssAnon'),
    proportionalMiB: proportional(pid),
  }));
}

function proportional(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Math.round(Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? Number.NaN) / 1024);
}

function middleOf(taken: readonly (readonly Part[])[]): Omit<Rest, 'samples'> {
  const [anonymousMiB = 0, proportionalMiB = 0, residentMiB = 0] = FIELDS.map((field) => {
    const sums = taken.map((parts) => parts.reduce((sum, part) => sum + part[field], 0));
    return sums.toSorted((one, other) => one - other)[Math.floor(sums.length / 2)];
  });
  return { anonymousMiB, proportionalMiB, residentMiB };
}

function textOf({ anonymousMiB, proportionalMiB, residentMiB }: Rest): string {
  return `${proportionalMiB} MiB (${anonymousMiB} to ${residentMiB})`;
}
