// `cappstan join`, `leave`, `make site` and the commands for people, as a person runs them beside a hub.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Ended } from '../hub-command/begun.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const JOIN = resolve(ROOT, 'deploy/join/main.ts');
const BASE = resolve(ROOT, 'deploy/join/base/main.ts');
const PEOPLE = resolve(ROOT, 'cli/main.ts');
const SITE = resolve(ROOT, 'deploy/local/single/main.ts');

export interface Running {
  readonly ended: Promise<Ended>;
  output(): string;
  stop(): Promise<Ended>;
  /** Resolves when it has said so. Throws with all that it said when it ends before. */
  says(text: string, withinMs?: number): Promise<void>;
}

export function joinCommand(args: readonly string[]): Running {
  return begin([JOIN, ...args]);
}

/** `cappstan base`: what a site needs of others. */
export function baseCommand(args: readonly string[]): Running {
  return begin([BASE, 'base', ...args]);
}

/** What it writes for others to read. */
export async function outputOfBase(args: readonly string[]): Promise<Ended & { readonly out: string }> {
  return toEnd([BASE, 'base', ...args]);
}

/** `make site`: a cluster without a hub, in this folder. */
export function siteCommand(dir: string): Running {
  return begin([SITE, dir]);
}

/** Standard output and standard error apart: a line of `token` is read from the first. */
export async function forPeople(args: readonly string[]): Promise<Ended & { readonly out: string }> {
  return toEnd([PEOPLE, ...args]);
}

async function toEnd(args: readonly string[]): Promise<Ended & { readonly out: string }> {
  const run = begin(args);
  const ended = await run.ended;
  return { ...ended, out: run.out() };
}

function begin(args: readonly string[]): Running & { out(): string } {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, all] = [[] as string[], [] as string[]];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void out.push(chunk));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => void all.push(chunk));
  const output = (): string => all.join('');
  const ended = new Promise<Ended>((done) => {
    child.once('close', (code) => done({ code, output: output() }));
  });
  return {
    ended,
    output,
    out: () => out.join(''),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    says: (text, withinMs = 240_000) =>
      Promise.race([
        eventually(() => (output().includes(text) ? true : undefined), { withinMs, everyMs: 200 }).then(
          () => undefined,
          () => Promise.reject(new Error(`It did not say "${text}": ${output()}`)),
        ),
        ended.then((end) => Promise.reject(new Error(`It ended (${end.code}): ${end.output}`))),
      ]),
  };
}
