// `make cli`: bundles the program into one executable file, which needs nothing but a Node that its user has.
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { EXIT } from '../exit.ts';
import { buildPage, type BuiltPage } from './page.ts';

export const ROOT = join(import.meta.dirname, '../..');

interface Package {
  readonly version: string;
  /** The oldest Node that runs the program: `>=20`. */
  readonly engines: { readonly node: string };
}

/** The names under which it is called: kubectl finds the first one as `kubectl capp`. */
const NAMES = ['kubectl-capp', 'cappstan'] as const;

/** What every Node takes for a CommonJS script, whatever the folder is that it is in. */
const FILE = 'kubectl-capp.cjs';

/**
 * The first lines, which a Node that is too old can read and run. A copy of the file without its ending runs
 * as a CommonJS script or as an ECMAScript module, which has no `require`: that depends on the folder that it
 * is in.
 */
function headFor(oldest: number): string {
  return `#!/usr/bin/env node
if (parseInt(process.versions.node, 10) < ${oldest}) {
  console.error('kubectl capp needs Node ${oldest} or newer, and ' + process.execPath + ' is Node ' + process.versions.node + '. Install a newer one (https://nodejs.org) and put it first on the PATH.');
  process.exit(${EXIT.failed.code});
}
var require = typeof require === 'function' ? require : process.getBuiltinModule('node:module').createRequire(process.execPath);`;
}

/** What kube/http/kube-config.ts does with a module hook, which a bundle cannot: see decision 18. */
const WITHOUT_MODELS: Plugin = {
  name: 'without-models',
  setup({ onLoad }) {
    const loader = 'js' as const;
    onLoad({ filter: /\/kube\/http\/kube-config\.ts$/ }, () => ({
      contents: "export { KubeConfig } from '@kubernetes/client-node/dist/config.js';",
      resolveDir: ROOT,
      loader,
    }));
    onLoad({ filter: /\/@kubernetes\/client-node\/dist\/gen\/index\.js$/ }, ({ path }) => ({
      contents:
        "export { createConfiguration } from './configuration.js';\nexport { ServerConfiguration } from './servers.js';",
      resolveDir: join(path, '..'),
      loader,
    }));
  },
};

/** The page of the dashboard is in the program, since nothing builds it where that runs. */
function withPage(page: BuiltPage): Plugin {
  return {
    name: 'with-page',
    setup({ onLoad }) {
      onLoad({ filter: /\/cli\/dashboard\/page-files\.ts$/ }, () => ({
        contents: `export const pageFiles = async () => (${JSON.stringify(page)});`,
        loader: 'js',
      }));
    },
  };
}

/** The program's text. Throws what the bundler throws. */
async function bundle(): Promise<Uint8Array> {
  const { version, engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Package;
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'cli/main.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'iife',
    // Syntax that Nodes without support can read: they read the whole file before they run its first line.
    target: 'node12',
    minify: true,
    legalComments: 'eof',
    banner: { js: headFor(Number.parseInt(engines.node.replace('>=', ''), 10)) },
    define: { 'process.env.CAPPSTAN_VERSION': JSON.stringify(version) },
    plugins: [WITHOUT_MODELS, withPage(await buildPage())],
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('The bundler made no file');
  return file.contents;
}

/** Writes the program into the folder, executable, with a link to it for each of its names. */
export async function buildInto(folder: string): Promise<void> {
  const text = await bundle();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FILE), text);
  await chmod(join(folder, FILE), 0o755);
  for (const name of NAMES) {
    await rm(join(folder, name), { force: true });
    await symlink(FILE, join(folder, name));
  }
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist'));
  await buildInto(folder);
  process.stdout.write(
    `kubectl-capp and cappstan are in ${folder}. To call them by name, also as "kubectl capp":\n  export PATH="${folder}:$PATH"\n`,
  );
}
