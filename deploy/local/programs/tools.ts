// Where the pinned programs of a stack are, and the manifests that belong to them. `build.ts` builds them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BUILD_FLAGS, type Module, type Tool } from './modules.ts';
import { ALL_MODULES } from './optional-modules.ts';

/** The folder of the module's go.mod. */
export function sourceOf({ graph }: Pick<Module, 'graph'>): string {
  return join(import.meta.dirname, 'go', graph);
}

/**
 * The folder of one version of a module's programs, in the cache. Its name is a hash of go.mod, go.sum, our
 * Go sources and flags.
 */
export function folderOf(module: Module): string {
  const source = sourceOf(module);
  const ours = module.builds.map((build) => build.package).filter((path) => path.startsWith('.'));
  const recipe = { ...module, builds: module.builds.map(({ tool, package: path }) => [tool, path]) };
  const hash = createHash('sha256').update(
    JSON.stringify([recipe, BUILD_FLAGS, process.platform, process.arch]),
  );
  for (const folder of new Set(['.', ...ours])) {
    for (const file of readdirSync(join(source, folder)).toSorted()) {
      const path = join(folder, file);
      if (/^go\.(mod|sum)$|\.go$/.test(file)) hash.update(path).update(readFileSync(join(source, path)));
    }
  }
  return join(cacheRoot(), `${module.name}-${hash.digest('hex').slice(0, 12)}`);
}

export function cacheRoot(): string {
  return (
    process.env['CAPPSTAN_CACHE'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cappstan')
  );
}

/** The path of a program. `buildTools` creates it. */
export function toolPath(tool: Tool): string {
  const module = ALL_MODULES.find(({ builds }) => builds.some((build) => build.tool === tool));
  if (module === undefined) throw new Error(`No module in modules.ts builds ${tool}.`);
  return join(folderOf(module), 'bin', tool);
}

/**
 * The folder with the copied YAML files of another module, such as the `config` of `knative.dev/serving`.
 * `folder` says which if several are copied.
 */
export function moduleFiles(path: string, folder?: string): string {
  for (const module of ALL_MODULES)
    for (const file of module.files)
      if (file.module === path && (folder === undefined || file.folder === folder))
        return join(folderOf(module), 'files', path, file.folder);
  throw new Error(`No module in modules.ts copies ${folder ?? 'files'} of ${path}.`);
}
