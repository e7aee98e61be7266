// Another build of this repository: an earlier commit's files, and our processes run from them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessSpec } from '../../deploy/local/supervise/process-spec.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = /^.*(?=\/workers\/[a-z]+\/main\.ts$)/;

export interface FormerBuild {
  readonly folder: string;
  /** Whether this process was there in that build. */
  knows(process: string): boolean;
  /** The same process from that build's files; as it is where the build has no such process. */
  asFormer(spec: ProcessSpec): ProcessSpec;
  remove(): void;
}

/**
 * The files of a commit, with the packages that are installed here. `temporalAddress` is for agents from
 * before the gateway, which have Temporal's own address. Throws if the repository does not have the commit.
 */
export function checkedOut(commit: string, temporalAddress: string): FormerBuild {
  const folder = join(mkdtempSync(join(tmpdir(), 'cappstan-build-')), 'former');
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: ROOT, stdio: 'ignore' });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const knows = (process: string): boolean => existsSync(join(folder, 'workers', process, 'main.ts'));
  return {
    folder,
    knows,
    asFormer: (spec) => {
      const args = spec.args.map((arg) => arg.replace(MAIN, folder));
      const main = args.find((arg) => arg.startsWith(folder));
      if (main === undefined || !existsSync(main)) return spec;
      const { GATEWAY_IDENTITY: identity, ...env } = spec.env ?? {};
      const isDirect = identity !== undefined && !knows('gateway');
      const own = isDirect ? { ...env, TEMPORAL_ADDRESS: temporalAddress } : (spec.env ?? {});
      return { ...spec, args, cwd: folder, env: own };
    },
    remove: () => {
      execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT });
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}
