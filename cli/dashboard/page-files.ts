// The files of the page. The bundler puts them here as they are built (cli/build/bundle.ts); where the
// sources run, they are built now.
import type { PageFiles } from './door/inside.ts';

/** Throws what the bundler throws. */
export async function pageFiles(): Promise<PageFiles> {
  const { buildPage } = await import('../build/page.ts');
  return buildPage();
}
