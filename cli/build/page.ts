// Builds the page of the dashboard: one script, one style sheet, the frame and an icon, which load nothing
// else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const PAGE = join(import.meta.dirname, '../dashboard/page');

export interface BuiltPage {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

/** Browsers of the last years: what these cannot read no page of today works in. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16'];

/** Throws what the bundler throws. */
export async function buildPage(): Promise<BuiltPage> {
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, 'main.tsx'), join(PAGE, 'page.css')],
    outdir: 'page',
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: BROWSERS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
  });
  const ending = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const [html, icon] = await Promise.all(
    ['index.html', 'icon.svg'].map((file) => readFile(join(PAGE, file), 'utf8')),
  );
  return { html: html ?? '', icon: icon ?? '', script: ending('.js'), style: ending('.css') };
}
