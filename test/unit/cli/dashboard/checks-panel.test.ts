// The page of one app has a panel with what its checks asked and measured. Its components are called without
// a browser.
import { join } from 'node:path';
import { build } from 'esbuild';
import { appView, type AppView } from '../../../../cli/dashboard/view/app.ts';
import { VERIFY } from '../../../../crds/labels.ts';
import { VerifyCheck } from '../../../../crds/verification/check.ts';
import { keyOf, orderText } from '../../../../crds/verification/order.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const APP = join(import.meta.dirname, '../../../../cli/dashboard/page/views/app.tsx');

async function builtApp(): Promise<(props: { app: AppView }) => unknown> {
  const { outputFiles } = await build({
    entryPoints: [APP],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // In place of what only a browser has, and of a clock that would tick on.
    define: { location: '{"hash":""}', 'window.addEventListener': 'Boolean', setInterval: 'Boolean' },
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const { App } = await import(`data:text/javascript;base64,${code}`);
  return App;
}

interface Drawn {
  readonly type: unknown;
  readonly props: { readonly title?: string; readonly children?: unknown };
}

/** Of a component that has a state of its own, its title and what stands in it. */
function linesOf(drawn: unknown): readonly string[] {
  if (Array.isArray(drawn)) return drawn.flatMap(linesOf);
  if (typeof drawn === 'string' || typeof drawn === 'number') return [`${drawn}`];
  if (typeof drawn !== 'object' || drawn === null) return [];
  const { type, props } = drawn as Drawn;
  if (typeof type === 'function') {
    try {
      return linesOf(type(props));
    } catch {
      return [props.title ?? '', ...linesOf(props.children)];
    }
  }
  return linesOf(props.children);
}

const checks = [VerifyCheck.parse({ name: 'answers', http: { path: '/healthz' } })];
const order = { revision: 'r1', round: '0', generation: 1, at: 0, checks };
const measurements = [{ at: '2026-03-01T12:02:50Z', is: 'Failed', says: 'status 500' }];
const failed = {
  key: keyOf(order),
  verdict: 'Failed',
  at: '2026-03-01T12:03:00Z',
  generation: 1,
  site: 'site-2',
  checks: [{ name: 'answers', is: 'Failed', says: '0 of 1 were successful', measurements }],
};

function viewOf(status: object): AppView {
  const capp = aCapp();
  const metadata = { ...capp.metadata, generation: 1, annotations: { [VERIFY]: orderText(order) } };
  return appView({ ...capp, metadata, status }, { may: () => true, now: Date.parse(failed.at) });
}

test('what was asked and measured of checks that failed stands on the page, and no panel where all is well', async () => {
  const app = await builtApp();
  const lines = linesOf(app({ app: viewOf({ verification: failed }) }));
  expect(lines).toContain('What was checked');
  expect(lines).toContain('The checks of generation 1 on site-2 failed.');
  expect(lines.join(' ')).toMatch(/Asked: {2}GET \/healthz of the app/);
  expect(lines).toContain('0 of 1 were successful');
  expect(lines).toContain('status 500');
  expect(linesOf(app({ app: viewOf({}) }))).not.toContain('What was checked');
});
