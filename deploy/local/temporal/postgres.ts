// The distribution's PostgreSQL with a database cluster for the stack: on loopback, without a password, with
// fsync at every commit.
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';

const run = promisify(execFile);

/** PostgreSQL's superuser. */
export const DATABASE_USER = 'temporal';
/** The system user of the distribution's package. PostgreSQL refuses to run as root. */
const SYSTEM_USER = 'postgres';

export interface PostgresOptions {
  /** If we are root, the system user gets access to the two folders above it (chmod 711). */
  readonly dataDir: string;
  readonly port: number;
}

/**
 * Creates the database cluster if it does not exist. Safe to repeat. Throws when PostgreSQL is not installed.
 */
export async function postgres({ dataDir, port }: PostgresOptions): Promise<ProcessSpec> {
  const folder = programs();
  if (!existsSync(join(dataDir, 'PG_VERSION'))) await makeCluster(folder, dataDir);
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return {
    name: 'postgres',
    ...unprivileged(join(folder, 'postgres'), ['-D', dataDir, ...flags]),
    cwd: dataDir,
    ready: { tcp: port },
    wave: Wave.store,
    ports: [port],
  };
}

async function makeCluster(folder: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (isRoot()) await giveToSystemUser(dataDir);
  const flags = [
    '--auth=trust',
    `--username=${DATABASE_USER}`,
    '--encoding=UTF8',
    '--no-locale',
    '--no-instructions',
  ];
  const { command, args } = unprivileged(join(folder, 'initdb'), [`--pgdata=${dataDir}`, ...flags]);
  await run(command, args, { cwd: dataDir });
}

function unprivileged(program: string, args: readonly string[]): { command: string; args: string[] } {
  if (!isRoot()) return { command: program, args: [...args] };
  return {
    command: 'setpriv',
    args: [`--reuid=${SYSTEM_USER}`, `--regid=${SYSTEM_USER}`, '--init-groups', '--', program, ...args],
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function programs(): string {
  const installed = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...installed];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
  if (found !== undefined) return found;
  throw new Error(
    'PostgreSQL is neither on the PATH nor in /usr/lib/postgresql. Install it (apt-get install postgresql).',
  );
}

async function giveToSystemUser(dataDir: string): Promise<void> {
  const idOf = async (flag: '-u' | '-g'): Promise<number> => {
    const answer = await run('id', [flag, SYSTEM_USER]).catch((cause: unknown) => {
      throw new Error(
        `PostgreSQL does not run as root, and this machine has no user ${SYSTEM_USER}. Run the command as another user.`,
        {
          cause,
        },
      );
    });
    return Number(answer.stdout);
  };
  await chown(dataDir, await idOf('-u'), await idOf('-g'));
  // Lets the user pass through them, not read them.
  for (const folder of [dirname(dataDir), dirname(dirname(dataDir))]) await chmod(folder, 0o711);
}
