// Runs the go command. When it fails, the error says what to do.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface GoCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Called for each line on stderr. */
  readonly onLine?: (line: string) => void;
}

/** The oldest Go that can download the newer Go which the modules require. */
const OLDEST = [1, 21] as const;

/** Returns stdout. Throws an Error whose message says what is wrong and what to do. */
export async function go({ args, cwd, onLine }: GoCall): Promise<string> {
  // Workspaces and other settings of the machine must not change what is built. The compiler collects its
  // garbage more seldom: a cold build takes three quarters of the time, and 1.5 GB of memory.
  const child = spawn('go', [...args], {
    cwd,
    env: { GOGC: '400', ...process.env, GOWORK: 'off', GOFLAGS: '', CGO_ENABLED: '0' },
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
    `This is ${version.trim()}. Install Go 1.21 or newer (https://go.dev/dl); it downloads the version that each module needs.`,
  );
}

const DOWNLOAD =
  /dial tcp|no such host|i\/o timeout|TLS handshake|connection re(set|fused)|reading https?:|proxyconnect|unexpected EOF|40[347] |410 Gone|50[234] /;

/**
 * Turns the last lines of a failed go into an error message. `end` is the exit code, the signal, or why go
 * could not start.
 */
export function diagnose(lines: readonly string[], end: string | number): string {
  const text = lines.slice(-12).join('\n');
  const find = (pattern: RegExp): string | undefined => lines.find((line) => pattern.test(line));
  if (/ENOENT/.test(String(end)))
    return 'The go command is not on the PATH. Install Go 1.21 or newer (https://go.dev/dl).';
  const old = find(/requires go >=|toolchain not available/);
  if (old !== undefined)
    return `Go is too old (${old.trim()}). Install a newer Go, or unset GOTOOLCHAIN so that Go can download one.`;
  if (find(/no space left on device/))
    return 'The disk is full. The Go build needs about 12 GB, most of it in Go’s caches (go env GOCACHE GOMODCACHE).';
  if (end === 'SIGKILL' || find(/signal: killed/))
    return 'The compiler was killed, probably because memory ran out. Make sure that 4 GB are free.';
  const checksum = find(/checksum mismatch|SECURITY ERROR/);
  if (checksum !== undefined)
    return `Go refused a download because it does not have the pinned checksum (${checksum.trim()}). Check go env GOPROXY.`;
  const download = find(DOWNLOAD);
  if (download !== undefined) {
    return `A download failed (${download.trim()}). Check access to the module proxy (go env GOPROXY), then run the command again. Finished downloads are kept.`;
  }
  return `go failed (${end}):\n${text}`;
}
