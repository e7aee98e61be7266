// Runs the go command, and says in one sentence what is wrong when it fails.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface GoCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Every line that go prints on its error stream, as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Go older than this cannot fetch the newer one that the modules ask for. */
const OLDEST = [1, 21] as const;

/** What go printed. Throws an Error whose message says what is wrong and what to do. */
export async function go({ args, cwd, onLine }: GoCall): Promise<string> {
  // Workspaces and other settings of the machine must not change what is built.
  const child = spawn('go', [...args], {
    cwd,
    env: { ...process.env, GOWORK: 'off', GOFLAGS: '', CGO_ENABLED: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    errors.push(line);
    onLine?.(line);
  });
  const end = await new Promise<string | number>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  if (end === 0) return output;
  const said = errors.filter((line) => !line.startsWith('go: downloading') && !/^[\w./-]+$/.test(line));
  throw new Error(diagnose(said, end));
}

/** Throws when Go is missing or too old to build the modules. */
export async function requireGo(cwd: string): Promise<void> {
  const version = await go({ args: ['env', 'GOVERSION'], cwd });
  const [major = 0, minor = 0] = version.trim().replace('go', '').split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(
    `This is ${version.trim()}: install Go 1.21 or newer (https://go.dev/dl), which then fetches the version that each module needs.`,
  );
}

const DOWNLOAD =
  /dial tcp|no such host|i\/o timeout|TLS handshake|connection re(set|fused)|reading https?:|proxyconnect|unexpected EOF|40[347] |410 Gone|50[234] /;

/** The last words of a failed go, as something that a person can act on. `end` is its exit code, signal, or why it could not start. */
export function diagnose(lines: readonly string[], end: string | number): string {
  const text = lines.slice(-12).join('\n');
  const find = (pattern: RegExp): string | undefined => lines.find((line) => pattern.test(line));
  if (/ENOENT/.test(String(end))) return 'The go command is not on the PATH: install Go 1.21 or newer (https://go.dev/dl).';
  const old = find(/requires go >=|toolchain not available/);
  if (old !== undefined) return `Go is too old (${old.trim()}): install a newer Go, or unset GOTOOLCHAIN so that it can fetch one.`;
  if (find(/no space left on device/))
    return 'The disk is full: the Go build needs about 12 GB, most of it in Go’s caches (go env GOCACHE GOMODCACHE).';
  if (end === 'SIGKILL' || find(/signal: killed/)) return 'The compiler was killed, most likely for want of memory: 4 GB free are enough.';
  const checksum = find(/checksum mismatch|SECURITY ERROR/);
  if (checksum !== undefined)
    return `A download does not have the pinned checksum and was refused (${checksum.trim()}): look at go env GOPROXY.`;
  const download = find(DOWNLOAD);
  if (download !== undefined) {
    return `A download failed (${download.trim()}): check access to the module proxy (go env GOPROXY) and run it again; what is there is kept.`;
  }
  return `go failed (${end}):\n${text}`;
}
