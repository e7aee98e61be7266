// What helm knows of a chart on a site.
import { JoinRefused } from '../refused.ts';
import { callHelm, chartName, helmProgram, lineFor, saidBy } from './helm.ts';
import type { Chart, PartName } from './parts.ts';
import type { Release } from './plan.ts';

/** Of these states helm goes on by itself only from the first two. */
const STATES = ['--deployed', '--failed', '--pending', '--uninstalling'] as const;

/** What undoes that which an interrupted helm has begun. */
const UNDONE_BY: Readonly<Record<string, 'uninstall' | 'rollback'>> = {
  'pending-install': 'uninstall',
  uninstalling: 'uninstall',
  'pending-upgrade': 'rollback',
  'pending-rollback': 'rollback',
};

/** Null: there is none, or no helm that could say so. Writes nothing. Throws JoinRefused. */
export async function releaseOn(kubeconfig: string, chart: Chart): Promise<Release | null> {
  if ((await helmProgram()) === null) return null;
  const { release, namespace } = chart;
  const of = ['--namespace', namespace, '--kubeconfig', kubeconfig];
  const filter = ['--filter', `^${release}$`, '--output', 'json'];
  const text = await callHelm(['list', ...STATES, ...filter, ...of]).catch((error: unknown) => {
    throw new JoinRefused([
      `helm does not say whether ${release} is in namespace ${namespace}: ${saidBy(error)}`,
    ]);
  });
  const [found] = JSON.parse(text) as readonly { readonly chart: string; readonly status: string }[];
  if (found === undefined) return null;
  const name = `${chartName(chart)}-`;
  const isSame = found.chart.startsWith(name);
  return {
    version: isSame ? found.chart.slice(name.length).replace(/^v/, '') : null,
    status: found.status,
  };
}

/** helm does nothing more with such a release until somebody has said what is to become of it. */
export async function refuseInterrupted(
  part: PartName,
  { release, namespace }: Chart,
  { status, kubeconfig }: { readonly status: string; readonly kubeconfig: string },
): Promise<void> {
  const undo = UNDONE_BY[status];
  if (undo === undefined) return;
  const line = await lineFor([undo, release, '--namespace', namespace, '--kubeconfig', kubeconfig]);
  throw new JoinRefused([
    `${part}: a helm was interrupted there, or is at work now (${status}). If none is at work, undo what it has begun: ${line}`,
    `Then run this again, with the --values that it had${undo === 'uninstall' ? ': those of earlier runs are gone then' : ''}.`,
  ]);
}
