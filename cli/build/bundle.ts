// Bundles the program into one executable file, which needs nothing but Node.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

export const ROOT = join(import.meta.dirname, '../..');

/** The names under which it is called: kubectl finds the first one as `kubectl capp`. */
const NAMES = ['kubectl-capp', 'cappstan'] as const;

/**
 * The file runs as a CommonJS script and as an ECMAScript module: which of them a file without an ending is
 * depends on the folder that it is in.
 */
const HEAD = `#!/usr/bin/env node
var require = process.getBuiltinModule('node:module').createRequire(process.execPath);`;

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

/** The program's text. Throws what the bundler throws. */
async function bundle(): Promise<Uint8Array> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'cli/main.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'iife',
    target: 'node20',
    minify: true,
    legalComments: 'eof',
    banner: { js: HEAD },
    define: { 'process.env.CAPPSTAN_VERSION': JSON.stringify(version) },
    plugins: [WITHOUT_MODELS],
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('The bundler made no file');
  return file.contents;
}

/** Writes the program under both names into the folder, executable. */
export async function buildInto(folder: string): Promise<void> {
  const text = await bundle();
  await mkdir(folder, { recursive: true });
  for (const name of NAMES) {
    const file = join(folder, name);
    await writeFile(file, text);
    await chmod(file, 0o755);
  }
}

if (import.meta.main) await buildInto(process.argv[2] ?? join(ROOT, 'dist'));
