// A host of its own for programs that want fixed ports and paths, without root: in namespaces of a site with
// the real data plane, joined to this machine by sockets in a folder.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { IN_NEW_NAMESPACES } from '../../../../deploy/local/dataplane/network/namespaces.ts';

export interface OwnHost {
  /** Takes sockets, logs and what is mounted. */
  readonly dir: string;
  /** Names that lead to its loopback, beside localhost. */
  readonly names: readonly string[];
  /** Its ports that lead to ports of this machine's loopback. */
  readonly reaches: Readonly<Record<number, number>>;
  /** Ports of this machine's loopback that lead to its own. */
  readonly offers: Readonly<Record<number, number>>;
  /** Files, by path below /run. */
  readonly files: Readonly<Record<string, string>>;
  readonly programs: readonly {
    readonly name: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

/** Resolves when the host is there; its programs may need longer. Their output is in `<dir>/<name>.log`. */
export async function startOwnHost(host: OwnHost): Promise<{ stop(): Promise<void> }> {
  await mkdir(host.dir, { recursive: true });
  const servers: Server[] = [];
  for (const [inside, here] of Object.entries(host.reaches))
    servers.push(await relay({ path: join(host.dir, `out-${inside}`) }, { port: here, host: '127.0.0.1' }));
  for (const [here, inside] of Object.entries(host.offers))
    servers.push(
      await relay({ port: Number(here), host: '127.0.0.1' }, { path: join(host.dir, `in-${inside}`) }),
    );
  const plan = join(host.dir, 'plan.json');
  await writeFile(plan, JSON.stringify(host));
  const log = openSync(join(host.dir, 'host.log'), 'a');
  const [command, ...args] = IN_NEW_NAMESPACES;
  const inside = join(import.meta.dirname, 'own-host-inside.ts');
  const child = spawn(command, [...args, process.execPath, inside, plan], { stdio: ['pipe', log, log] });
  closeSync(log);
  return {
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await gone;
      for (const server of servers) server.close();
      await rm(host.dir, { recursive: true, force: true });
    },
  };
}

type Place = { readonly path: string } | { readonly port: number; readonly host: string };

/** Passes bytes on, both ways, and ends together with either end. */
export function relay(from: Place, to: Place): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(to);
    near.pipe(far).pipe(near);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(from, () => resolve(server));
  });
}
