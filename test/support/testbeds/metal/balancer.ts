// A real HAProxy with a configuration of ours, and people who ask through it.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import type { Runnable } from '../../../../deploy/local/programs/debian.ts';
import { eventually } from '../../../../testbed/eventually.ts';

export interface Balancer {
  readonly port: number;
  /** Resolves when HAProxy has said so. */
  logs(text: string): Promise<true>;
  stop(): void;
}

/** Begins with the text of a configuration that listens at the port; resolves when it does. */
export async function startBalancer(
  haproxy: Runnable,
  { dir, port, config }: { readonly dir: string; readonly port: number; readonly config: string },
): Promise<Balancer> {
  const file = join(dir, `${port}.cfg`);
  writeFileSync(file, config);
  const child = spawn(haproxy.command, ['-W', '-db', '-f', file], {
    env: { ...process.env, ...haproxy.env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  const stop = (): void => end(child);
  try {
    await eventually(() => reached(port));
  } catch (error) {
    stop();
    throw new Error(`HAProxy does not listen: ${log}`, { cause: error });
  }
  const logs = (text: string): Promise<true> => eventually(() => (log.includes(text) ? true : undefined));
  return { port, logs, stop };
}

/** Its workers are of its group. */
function end({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function reached(port: number): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', reject);
  });
}

export interface Answer {
  /** By the certificate: whose answer it is. */
  readonly by: string;
  readonly status: number;
  readonly text: string;
}

/** Over a connection of its own. Throws where nobody answers. */
function ask(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const asked = request({ host: '127.0.0.1', port, path, agent, timeout: 10_000 }, (response) => {
      const socket = response.socket as TLSSocket;
      const by = socket.getPeerCertificate().serialNumber;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ by, status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.on('timeout', () => asked.destroy(new Error('nobody answered in ten seconds')));
    asked.end();
  });
}

export async function askOften(port: number, path: string, times: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let count = 0; count < times; count += 1) answers.push(await ask(port, path));
  return answers;
}
